import Foundation
import ReqrunKit
import TestSupport
import Testing

/// Files that are none, links, and streams that are closed: where a run reads, and where it writes.
@Suite("Files", .timeLimit(.minutes(10)))
struct FileSafetyTests {
  private static let spec = "url: ${{ server }}/\n"

  private func folder(_ files: [String: String] = [:]) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(["one.yaml": Self.spec].merging(files) { $1 })
    return folder
  }

  private func mode(_ name: String, in folder: TemporaryFolder) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/\(name)")
    return (attributes[.posixPermissions] as? Int ?? 0) & 0o777
  }

  // MARK: Streams

  @Test(
    "A closed standard stream is as good as /dev/null",
    arguments: [">&-", "<&-", "2>&-", ">&- <&- 2>&-"],
    ["check $O one.yaml", "list $O one.yaml", "run $O one.yaml", "run --report junit=r.xml $O one.yaml", "help"])
  func closedStreams(closing: String, command: String) async throws {
    let folder = try folder()
    defer { folder.remove() }
    let result = try await shell("O=--var=server=$S; $R \(command) \(closing)", in: folder)
    #expect(result.ending == .exited(0))
    if command.contains("junit") { #expect(folder.text("r.xml")?.hasSuffix("</testsuites>\n") == true) }
  }

  @Test(
    "A spec may come by a stream that was opened for the program",
    arguments: ["/dev/stdin < one.yaml", "/dev/stdin < <(cat one.yaml)", "<(cat one.yaml)", "/dev/fd/7 7< one.yaml"])
  func streams(argument: String) async throws {
    let folder = try folder()
    defer { folder.remove() }
    let result = try await shell("$R --var server=$S \(argument)", in: folder)
    #expect(result.ending == .exited(0), "\(result.errors)")
    #expect(result.output.contains("1 passed"))
  }

  // MARK: Reading

  @Test(
    "What is not a regular file is passed over in a walk, and an error where it is named; nothing waits for it",
    arguments: [
      ("mkfifo pipe.yaml; $R check .", 0, ""),
      ("mkfifo pipe.yaml; $R check pipe.yaml", 2, "pipe.yaml cannot be read: it is a pipe or a device"),
      ("mkfifo reqrun.yaml; $R check one.yaml", 2, "reqrun.yaml cannot be read: it is a pipe or a device"),
      (
        "mkfifo base.yaml; echo 'extends: base.yaml' >> one.yaml; $R check one.yaml", 2,
        "\"base.yaml\" is not a regular file"
      ),
      (
        "mkdir base.yaml; echo 'extends: base.yaml' >> one.yaml; $R check one.yaml", 2,
        "\"base.yaml\" is not a regular file"
      ),
      ("mkfifo e; $R check --env-file e one.yaml", 2, "it is a pipe or a device"),
      ("mkfifo e; echo 'auth: netrc' >> one.yaml; $R --netrc-file e one.yaml", 2, "it is a pipe or a device"),
      ("mkfifo e; $R --cacert e one.yaml", 2, "it is a pipe or a device"),
      ("mkfifo e; echo 'body: {file: e}' >> one.yaml; $R check one.yaml", 2, "\"e\" is not a regular file"),
      ("mkfifo e; echo 'body: ${{ file(\"e\") }}' >> one.yaml; $R one.yaml", 2, "\"e\" is not a regular file"),
      ("mkfifo e; echo 'expect: {schema: e}' >> one.yaml; $R check one.yaml", 2, "is not a regular file"),
      ("mkfifo e; echo 'openapi: e' >> one.yaml; $R check one.yaml", 2, "is not a regular file"),
      ("$R check /dev/zero", 2, "it is a pipe or a device"),
      (
        "mkdir -p __snapshots__/one.yaml; mkfifo __snapshots__/one.yaml/get.txt __snapshots__/one.yaml/get.json;"
          + "printf 'name: get\\nexpect: {snapshot: true}\\n' >> one.yaml; $R --update-snapshots one.yaml", 1,
        "there is something else in its place"
      ),
      (
        "mkdir -p __snapshots__/one.yaml; ln -s ../../one.yaml __snapshots__/one.yaml/get.txt;"
          + "printf 'name: get\\nexpect: {snapshot: true}\\n' >> one.yaml; $R --update-snapshots one.yaml", 1,
        "there is something else in its place"
      ),
    ])
  func notRegular(line: String, code: Int, message: String) async throws {
    let folder = try folder()
    defer { folder.remove() }
    let body = #"send "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 1\r\n\r\na""#
    let result = try await shell(
      line.replacingOccurrences(of: "$R", with: "\"$R\" --var server=$S"), in: folder, answering: body)
    #expect(result.ending == .exited(code), "\(result.output)\(result.errors)")
    #expect(message.isEmpty || (result.output + result.errors).contains(message), "\(result.output)\(result.errors)")
  }

  @Test(
    "Nothing outside of the file root is read, extended or shown",
    arguments: [
      "printf 'extends: ../secret.yaml\\n' >> one.yaml; $R one.yaml",
      "printf \"extends: $PWD/../secret.yaml\\n\" >> one.yaml; $R one.yaml",
      "printf \"extends: /proc/self/root$PWD/../secret.yaml\\n\" >> one.yaml; $R one.yaml",
      "printf 'extends: /proc/self/cwd/../secret.yaml\\n' >> one.yaml; $R check one.yaml",
      "ln -s ../secret.yaml base.yaml; printf 'extends: [base.yaml]\\n' >> one.yaml; $R check one.yaml",
      "ln -s .. up; printf 'extends: up/secret.yaml\\n' >> one.yaml; $R list one.yaml",
      "printf 'extends: base.yaml\\n' >> one.yaml; printf 'extends: ../secret.yaml\\n' > base.yaml; $R one.yaml",
      "ln -s ../secret.yaml link.yaml; $R check .",
      "ln -s .. up; $R check .",
      "ln -s ../secret.yaml reqrun.yaml; $R check one.yaml",
    ])
  func outside(line: String) async throws {
    let outer = try TemporaryFolder()
    defer { outer.remove() }
    try outer.write(["secret.yaml": "hunter2: [\nvariables: {a: hunter2}\n", "in/one.yaml": Self.spec])
    let result = try await shell(
      "cd in; " + line.replacingOccurrences(of: "$R", with: "\"$R\" --var server=$S"), in: outer)
    #expect(result.ending == .exited(2), "\(result.output)\(result.errors)")
    #expect(result.errors.contains("lies outside the file root"), "\(result.errors)")
    #expect(!(result.output + result.errors).contains("hunter2"))
  }

  @Test("A wider file root allows what is extended, and what a link leads to")
  func allowed() async throws {
    let outer = try TemporaryFolder()
    defer { outer.remove() }
    try outer.write([
      "base.yaml": "variables: {a: 1}\n", "in/one.yaml": "extends: ../base.yaml\nurl: ${{ server }}/${{ a }}\n",
    ])
    let line = "cd in; ln -s ../base.yaml link.yaml; $R --var server=$S --file-root .. ."
    let result = try await shell(line, in: outer)
    #expect(result.ending == .exited(0), "\(result.errors)")
  }

  @Test(
    "A path with NUL is an error, not a shorter path",
    arguments: [
      #"extends: "one.yaml\0.txt""#, #"body: {file: "one.yaml\0.txt"}"#, #"expect: {schema: "one.yaml\0.txt"}"#,
      #"openapi: "one.yaml\0.txt""#, #"body: "${{ file(\"one.yaml\0.txt\") }}""#,
      #"download: "out\0.bin""#, #"download: {to: a.zip, unzip: "out\0.bin"}"#,
      #"tls: {ca: "one.yaml\0.txt"}"#, #"unix_socket: "one.yaml\0.txt""#,
      #"session: {cache: protocol, cache_directory: "c\0d"}"#,
    ])
  func nul(key: String) async throws {
    let folder = try folder(["bad.yaml": "url: ${{ server }}/\n\(key)\n"])
    defer { folder.remove() }
    let result = try await shell("$R --var server=$S bad.yaml; ls", in: folder)
    #expect((result.output + result.errors).contains("NUL"), "\(result.output)\(result.errors)")
    #expect(!result.output.contains("1 passed"))
  }

  // MARK: Writing

  @Test(
    "A file that is written anew keeps its mode; links are followed",
    arguments: Report.kinds.map { ("--report \($0)=r", "r") } + [("--cookie-jar jar", "jar")])
  func modes(option: String, name: String) async throws {
    let folder = try folder()
    defer { folder.remove() }
    for mode in [0o600, 0o640, 0o604, 0o666] {
      let line = """
        rm -f \(name) real; touch real; chmod \(String(mode, radix: 8)) real; ln -s real link; ln -s link \(name)
        $R \(option) --var server=$S one.yaml; test -L \(name) && test -L link && test -s real
        """
      let result = try await shell(line + "; code=$?; rm link; exit $code", in: folder)
      #expect(result.ending == .exited(0), "\(result.output)\(result.errors)")
      #expect(try self.mode("real", in: folder) == mode)
    }
    let dangling = try await shell(
      "umask 027; rm -f \(name) real; mkdir d; ln -s d/new \(name); $R \(option) --var server=$S one.yaml", in: folder)
    #expect(dangling.ending == .exited(0))
    #expect(folder.text("d/new")?.isEmpty == false)
    #expect(try mode("d/new", in: folder) == (name == "jar" ? 0o600 : 0o640))
  }

  @Test("A snapshot that is stored anew keeps its mode")
  func snapshotMode() async throws {
    let folder = try folder(["one.yaml": Self.spec + "name: get\nexpect: {snapshot: true}\n"])
    defer { folder.remove() }
    let line = """
      mkdir -p __snapshots__/one.yaml; cd __snapshots__/one.yaml; echo old > get.txt; chmod 600 get.txt; cd ../..
      $R --update-snapshots --var server=$S one.yaml
      """
    let body = #"send "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 3\r\n\r\nnew""#
    let result = try await shell(line, in: folder, answering: body)
    #expect(result.ending == .exited(0), "\(result.output)\(result.errors)")
    #expect(folder.text("__snapshots__/one.yaml/get.txt") == "new")
    #expect(try mode("__snapshots__/one.yaml/get.txt", in: folder) == 0o600)
  }

  @Test("A download that replaces a file keeps its mode and goes through a link, but not out of the file root")
  func download() async throws {
    let outer = try TemporaryFolder()
    defer { outer.remove() }
    try outer.write(["in/one.yaml": Self.spec + "download: a.bin\n", "secret": "old"])
    let body = #"send "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nnew""#
    let through = try await shell(
      "cd in; touch real; chmod 600 real; ln -s real a.bin; $R --var server=$S one.yaml && test -L a.bin", in: outer,
      answering: body)
    #expect(through.ending == .exited(0), "\(through.output)\(through.errors)")
    #expect(outer.text("in/real") == "new")
    #expect(try mode("in/real", in: outer) == 0o600)
    let line = "cd in; rm a.bin; ln -s ../secret a.bin; $R --var server=$S one.yaml"
    let out = try await shell(line, in: outer, answering: body)
    #expect(out.output.contains("lies outside the file root"), "\(out.output)\(out.errors)")
    #expect(outer.text("secret") == "old")
  }

  @Test(
    "A report to standard output has it to itself; devices and pipes are written as they are",
    arguments: [
      "$R --report junit=- one.yaml 2>&-", "$R --report junit=/dev/stdout one.yaml 2>&-",
      "$R --report junit=/dev/fd/1 one.yaml > out 2>&-; cat out",
      "$R -q --report junit=/dev/fd/5 one.yaml 5>&1 > /dev/null",
      "ln -s /dev/stdout l.xml; $R --report junit=l.xml one.yaml 2>&- && test -L l.xml",
      "mkfifo p; cat p & $R --report junit=p one.yaml > /dev/null; wait; test -p p",
      "$R --report junit=>(cat) one.yaml > /dev/null; wait $!",
    ])
  func streamed(line: String) async throws {
    let folder = try folder()
    defer { folder.remove() }
    let result = try await shell(
      line.replacingOccurrences(of: "$R", with: "\"$R\" --var server=$S") + "; test -L /dev/stdout", in: folder)
    #expect(result.ending == .exited(0), "\(result.errors)")
    #expect(result.output.hasPrefix("<?xml") && result.output.hasSuffix("</testsuites>\n"), "\(result.output)")
  }

  @Test("A pipe that nobody reads is an error, and two reports can't share standard output")
  func unread() async throws {
    let folder = try folder()
    defer { folder.remove() }
    let unread = try await shell("mkfifo p; $R --report junit=p --var server=$S one.yaml", in: folder)
    #expect(unread.ending == .exited(5))
    #expect(unread.errors.contains("the JUnit report p cannot be written: nobody reads from it"))
    let two = try await shell("$R --report junit=- --report coverage=/dev/stdout one.yaml", in: folder)
    #expect(two.ending == .exited(2))
  }

  @Test("The lines of a stream of events are whole, whatever ends the run; two runs never write the same one")
  func events() async throws {
    let folder = try folder(["many.yaml": "requests: [{url: \"${{ server }}/\", each: {count: 2000}}]\n"])
    defer { folder.remove() }
    let killed = try await shell(
      """
      $R -q --var server=$S --report jsonl=e.jsonl many.yaml & until [ -s e.jsonl ]; do :; done
      $R --var server=$S --report jsonl=e.jsonl one.yaml; echo $?; kill -9 %1; wait
      """, in: folder)
    #expect(killed.output == "5\n")
    #expect(killed.errors.contains("the JSON Lines report e.jsonl cannot be written: another run is writing it"))
    let lines = try #require(folder.text("e.jsonl")).split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    #expect(try schemaProblems(ofLines: lines.map(String.init), Runner.eventSchema) == [])
    #expect(lines.first?.contains("\"run_started\"") == true)
    let full = try await shell("$R -q --var server=$S --report jsonl=/dev/full one.yaml", in: folder)
    #expect(full.ending == .exited(5), "\(full.errors)")
    let piped = try await shell(
      "$R --var server=$S --report jsonl=- many.yaml 2>&- | { sleep 0.2; tail -n 1; }", in: folder)
    #expect(piped.output.hasPrefix("{\"event\":\"run_finished\""), "\(piped.output)")
  }

  // MARK: Formatting

  @Test("A formatted file keeps its mode, and a link to it stays one; one that is formatted is not written")
  func formatting() async throws {
    let folder = try folder(["a.yaml": "url:   x\n", "b.yaml": "url: x\n"])
    defer { folder.remove() }
    let result = try await shell(
      "chmod 640 a.yaml; chmod 444 b.yaml; touch -d 2001-01-01 b.yaml; ln -s a.yaml l.yaml; $R format l.yaml b.yaml",
      in: folder)
    #expect(result.ending == .exited(0))
    #expect(result.output == "l.yaml\n")
    #expect(folder.text("a.yaml") == "url: x\n")
    #expect(try mode("a.yaml", in: folder) == 0o640)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: "\(folder.path)/l.yaml") == "a.yaml")
    let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/b.yaml")
    #expect((attributes[.modificationDate] as? Date ?? Date()) < Date(timeIntervalSince1970: 1_000_000_000))
  }

  @Test(
    "Standard input is formatted to standard output",
    arguments: [("", "url: x\n", 0), ("--check", "standard input\n", 1)])
  func formattingStreams(option: String, output: String, code: Int) async throws {
    let folder = try folder()
    defer { folder.remove() }
    let result = try await shell("printf 'url:  x' | $R format \(option) -", in: folder)
    #expect(result.ending == .exited(code))
    #expect(result.output == output)
  }
}
