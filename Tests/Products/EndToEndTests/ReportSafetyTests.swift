import Foundation
import ReqrunKit
import TestSupport
import Testing

/// Reports are complete, or not there: on full disks, at unusable paths, after a kill, beside other runs.
@Suite("Reports that cannot be written", .timeLimit(.minutes(10)))
struct ReportSafetyTests {
  /// The kinds that are written at the end; `jsonl` is written as it happens.
  private static let kinds = Report.kinds.filter { $0 != "jsonl" }
  private static let spec = "url: ${{ server }}/\n"

  private func folder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(["one.yaml": Self.spec, "two.yaml": "name: two\n" + Self.spec])
    return folder
  }

  private func names(in folder: TemporaryFolder) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  private static let places: [(place: String, problem: String)] = [
    ("set -o pipefail; echo old > r; (ulimit -f 0; $R --report $K=r $A 2>&1) | cat", "the disk takes no more"),
    ("$R --report $K=/dev/full $A", "the disk takes no more"), ("$R --report $K=. $A", "it is a directory"),
    ("mkdir d; $R --report $K=d $A", "it is a directory"), ("$R --report $K=one.yaml/r $A", "not a directory"),
    ("ln -s r r; $R --report $K=r $A", "too many levels of symbolic links"),
    ("exec 7>&-; $R --report $K=/dev/fd/7 $A", "bad file descriptor"),
    ("echo old > r; ln -s r l; $R --report $K=r --report junit=l $A", "two reports would be written to"),
    ("mkdir d; $R --report $K=d/r --report json=./d/../d/r $A", "two reports would be written to"),
    ("$R --report $K=r --cookie-jar r $A", "two reports would be written to"),
    ("echo old > r; ln -s r l; $R --report jsonl=r --report $K=l $A", "two reports would be written to"),
    ("echo old > r; ln -s r l; $R --report jsonl=r --report jsonl=l $A", "two reports would be written to"),
    ("echo old > r; $R --report jsonl=r --report $K=. $A", "it is a directory"),
    ("$R --report json=r $A; ln r l; $R show --report jsonl=l --report $K=x r", "or it is being read"),
    (
      "echo old > r; perl -MFcntl=:flock -e 'open F, \">>s\"; flock F, LOCK_EX; exit system(@ARGV) >> 8' "
        + "$R --report jsonl=r --report jsonl=s $A", "another run is writing it"
    ),
  ]

  @Test("A report that cannot be written is an error; the old one stays", arguments: kinds, places)
  func unwritable(kind: String, place: (place: String, problem: String)) async throws {
    let folder = try folder()
    defer { folder.remove() }
    let line = "A=\"--var server=$S one.yaml\"; " + place.place.replacing("$K", with: kind)
    let result = try await shell(line, in: folder)
    #expect(result.ending == .exited(5), "\(line): \(result.output)\(result.errors)")
    #expect((result.output + result.errors).contains(place.problem), "\(result.output)\(result.errors)")
    let names = try names(in: folder)
    #expect(!names.contains { $0.hasSuffix(".part") }, "\(names)")
    if line.contains("echo old") { #expect(folder.text("r") == "old\n") }
  }

  /// `--report KIND=KIND` for each kind.
  private static let all = kinds.map { "--report \($0)=\($0)" }.joined(separator: " ")

  @Test("A run that is killed leaves the old reports and nothing else")
  func killed() async throws {
    let folder = try folder()
    defer { folder.remove() }
    try folder.write(["hang.yaml": "requests: [{url: \"${{ server }}/\"}, {url: \"${{ server }}/hang\"}]\n"])
    let old = Self.kinds.map { "echo old > \($0)" }.joined(separator: "; ")
    let line = """
      \(old); $R \(Self.all) --var server=$S hang.yaml > out & until grep -q 204 out 2> /dev/null; do :; done
      kill -9 $!; wait $! 2> /dev/null; rm out
      """
    let result = try await shell(
      line, in: folder, answering: "send \"HTTP/1.1 204 No Content\\r\\n\\r\\n\"\n/hang\nhang\n")
    #expect(result.ending == .exited(0), "\(result.errors)")
    for kind in Self.kinds { #expect(folder.text(kind) == "old\n", "\(kind)") }
    #expect(try names(in: folder) == (Self.kinds + ["hang.yaml", "one.yaml", "two.yaml"]).sorted())
  }

  @Test("Of two runs into the same files, one wins, with whole reports")
  func parallel() async throws {
    let folder = try folder()
    defer { folder.remove() }
    let run = "$R \(Self.all) --var server=$S"
    let line = "for i in 1 2 3; do \(run) one.yaml > /dev/null & \(run) two.yaml > /dev/null & done; wait"
    let result = try await shell(line, in: folder)
    #expect(result.errors.isEmpty)
    for kind in Self.kinds {
      let text = folder.text(kind) ?? ""
      let isWhole =
        switch kind {
        case "junit": text.hasSuffix("</testsuites>\n") && text.hasPrefix("<?xml")
        case "tap": text.hasSuffix("\n1..1\n") && text.hasPrefix("TAP version 14\n")
        case "html": text.hasPrefix("<!DOCTYPE html>") && text.hasSuffix("</html>\n")
        case "markdown": text.hasPrefix("#") && text.hasSuffix("\n")
        default: (try? JSONSerialization.jsonObject(with: Data(text.utf8))) != nil
        }
      #expect(isWhole, "\(kind): \(text)")
      #expect(!text.contains("one.yaml") || !text.contains("two.yaml"), "\(kind)")
    }
    #expect(try names(in: folder) == (Self.kinds + ["one.yaml", "two.yaml"]).sorted())
  }
}
