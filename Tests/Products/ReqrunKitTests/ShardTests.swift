import ReqrunKit
import TestSupport
import Testing

@Suite("Shards of a run") struct ShardTests {
  private static func runner(_ folder: TemporaryFolder, _ shard: String, timings: [String] = []) -> Runner {
    var runner = Runner(specs: [.path(folder.path)])
    runner.options.fileRoot = folder.path
    runner.options.shard = Shard(shard)
    runner.options.timings = timings
    return runner
  }

  private static func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    var files = ["common.yaml": "variables: {a: 1}\n", "data.yaml": "just: data\n"]
    for index in 0..<200 { files["area-\(index % 9)/\(index).yaml"] = "requests: [{url: http://127.0.0.1/\(index)}]\n" }
    try folder.write(files)
    return folder
  }

  @Test("200 files are in exactly one shard each", arguments: [1, 4, 11], [false, true])
  func complete(_ count: Int, isBalanced: Bool) async throws {
    let folder = try Self.folder()
    defer { folder.remove() }
    var timings: [String] = []
    if isBalanced {
      let counts =
        #""counts":{"passed":1,"failed":0,"transport_errors":0,"spec_errors":0,"skipped":0,"not_sent":0,"assertions":0,"#
        + #""failed_assertions":0,"warnings":0,"snapshots_written":0,"snapshots_updated":0}"#
      let files = (0..<150).map {
        #"{"path":"\#(folder.path)/area-\#($0 % 9)/\#($0).yaml","iteration":1,"start":"2026-11-23T11:43:22Z","steps":[],"#
          + #""duration":\#($0 % 13),\#(counts)}"#
      }
      let head =
        #"{"version":2,"reqrun":"0.1.0","start":"2026-11-23T11:43:22Z","duration":1,"exit_code":0,"file_count":150,"#
      try folder.write([
        "report.json":
          #"\#(head)\#(counts),"unreadable_files":0,"files":[\#(files.joined(separator: ","))]}"#
      ])
      timings = ["\(folder.path)/report.json"]
    }
    var seen: [String: Int] = [:]
    var sizes: [Int] = []
    for number in 1...count {
      let listing = await Self.runner(folder, "\(number)/\(count)", timings: timings).list()
      #expect(listing.exitCode == 0, "\(listing.diagnostics)")
      for request in listing.requests { seen[request.path, default: 0] += 1 }
      sizes.append(listing.requests.count)
    }
    #expect(seen.count == 200)
    #expect(seen.values.allSatisfy { $0 == 1 })
    #expect(sizes.allSatisfy { $0 > 0 }, "\(sizes)")
  }

  @Test(
    "a shard is a number up to their count", arguments: ["0/4", "5/4", "a/b", "1", "1/", "/2", "-1/2", "1/2/3", ""])
  func invalid(_ text: String) {
    #expect(Shard(text) == nil)
  }

  @Test("the greatest and the least", arguments: ["1/1", "4/4", "10000/10000"])
  func valid(_ text: String) {
    #expect(Shard(text)?.description == text)
  }
}
