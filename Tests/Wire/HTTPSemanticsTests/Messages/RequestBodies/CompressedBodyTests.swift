import Foundation
import HTTPSemantics
import TestSupport
import Testing

struct CompressedBodyTests {
  @Test("bytes are compressed at once, files while they are read, both to the same", arguments: ContentCoding.allCases)
  func coding(_ coding: ContentCoding) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let text = (0..<60_000).map { "line \($0 % 977)\n" }.joined()
    try folder.write(["a": text])
    let file = RequestBody.pieces([.file(try FileRange(wholeFile: folder.path + "/a"))])
    let once = RequestBody.bytes(Array(text.utf8)).coded(coding)
    #expect(once.length.map { $0 < 200_000 } == true)
    let streamed = file.coded(coding)
    #expect(streamed.length == nil)
    for body in [once, streamed, streamed] {
      var compressed: [UInt8] = []
      var reader = try RequestBodyReader(body)
      try reader.readAll { piece in
        compressed.append(contentsOf: piece)
        return true
      }
      #expect(compressed.starts(with: coding == .gzip ? [0x1F, 0x8B] : [0x78]))
      let back = try #require(inflated(compressed))
      #expect(back.isFinished && back.bytes == Array(text.utf8))
    }
  }

  @Test("a file that changes is an error of the compressed body too")
  func changed() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write(["a": "before"])
    let body = RequestBody.pieces([.file(try FileRange(wholeFile: folder.path + "/a"))]).coded(.gzip)
    try folder.write(["a": "afterwards"])
    guard case .stream(let source) = body else {
      Issue.record("no stream")
      return
    }
    let error = #expect(throws: TransportError.self) { try source.produce { _ in true } }
    #expect(error?.kind == .body)
  }
}
