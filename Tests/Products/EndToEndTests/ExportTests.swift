import Foundation
import TestSupport
import Testing

@Suite("Exported specs", .timeLimit(.minutes(10)))
struct ExportTests {
  private static let spec = """
    name: Users
    variables: {email: "${{ uuid }}@example.com", words: "a b&c"}
    secrets: [PASSWORD]
    defaults: {base_url: "${{ demo }}"}
    requests:
      - name: log in
        url: /api/login
        json: {username: ann, password: "${{ PASSWORD }}"}
        capture: {token: $.access_token}
        expect: {status: 200}
      - name: create
        url: /api/users
        auth: {bearer: "${{ token }}"}
        json: {name: 'O''Neil "x"', email: "${{ email }}"}
        capture: {id: $.id}
        expect: {status: 201, json: {$.email: "${{ email }}", $.id: !integer}}
      - name: read
        url: /api/users/${{ id }}
        expect: {json: {$.email: "${{ email }}", $.id: "${{ id }}"}}
      - name: a form
        url: /anything/${{ id }}
        query: {q: "${{ words }}"}
        form: {name: "ä ö", words: "${{ words }}"}
        expect: {json: {$.args.q: a b&c, $.form.name: ä ö, $.form.words: a b&c}}
      - name: delete
        method: DELETE
        url: /api/users/${{ id }}
        auth: {bearer: "${{ token }}"}
        expect: {status: 204}

    """

  private func run(
    _ program: String, _ arguments: [String], in folder: TemporaryFolder
  ) async throws -> (text: String, ending: ProcessRun.Ending) {
    var process = ProcessRun(program, arguments, in: folder.path)
    process.environment = [
      "PATH": "/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin", "HOME": folder.path, "PASSWORD": "secret-password",
      "demo": try SharedDemoServer.address(),
    ]
    let result = try await process.run()
    return (String(decoding: result.output + result.errorOutput, as: UTF8.self), result.ending)
  }

  /// A folder with the spec in another form.
  private func exported(_ kind: String) async throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(["users.yaml": Self.spec])
    let demo = try SharedDemoServer.address()
    let result = try await run(
      try builtExecutable("reqrun"), ["export", kind, "--var", "demo=\(demo)", "users.yaml", "-o", "out", "--strict"],
      in: folder)
    try #require(result.ending == .exited(0), "\(result.text)")
    return folder
  }

  @Test("pass again after an import", arguments: [("hurl", "users.hurl"), ("postman", "postman_collection.json")])
  func imported(_ kind: String, _ file: String) async throws {
    let folder = try await exported(kind)
    defer { folder.remove() }
    let reqrun = try builtExecutable("reqrun")
    let imported = try await run(reqrun, ["import", kind, "out/\(file)", "-o", "in"], in: folder)
    try #require(imported.ending == .exited(0), "\(imported.text)")
    let result = try await run(reqrun, ["in"], in: folder)
    #expect(result.ending == .exited(0), "\(result.text)")
    #expect(result.text.contains("5 passed"), "\(result.text)")
  }

  @Test("pass as a script", .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/jq")))
  func script() async throws {
    let folder = try await exported("curl")
    defer { folder.remove() }
    let result = try await run("/bin/bash", ["out/users.sh"], in: folder)
    #expect(result.ending == .exited(0), "\(result.text)")
  }

  @Test(
    "are not written through links",
    arguments: [("out/users.sh", "elsewhere.sh"), ("out/files", "elsewhere"), ("out/files/note.txt", "missing/note")])
  func links(_ link: String, _ target: String) async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write([
      "users.yaml": "requests: [{url: 'http://h/', multipart: {note: {file: note.txt}}}]", "note.txt": "note",
      "elsewhere/keep": "", "elsewhere.sh": "kept",
    ])
    let place = URL(fileURLWithPath: folder.path + "/" + link)
    try FileManager.default.createDirectory(at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: place.path, withDestinationPath: folder.path + "/" + target)
    let result = try await run(
      try builtExecutable("reqrun"), ["export", "curl", "users.yaml", "-o", "out", "--force"], in: folder)
    #expect(result.ending == .exited(5))
    #expect(result.text.contains(": \(link)"), "\(result.text)")
    #expect(result.text.contains(" is a link: nothing is written through it"), "\(result.text)")
    #expect(try String(contentsOfFile: folder.path + "/elsewhere.sh", encoding: .utf8) == "kept")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/elsewhere") == ["keep"])
  }

  @Test("are in keeping with their own contract")
  func contract() async throws {
    let folder = try await exported("openapi")
    defer { folder.remove() }
    try folder.write(["users.yaml": "openapi: out/openapi.json\n" + Self.spec])
    let demo = try SharedDemoServer.address()
    let result = try await run(try builtExecutable("reqrun"), ["--var", "demo=\(demo)", "users.yaml"], in: folder)
    #expect(result.ending == .exited(0), "\(result.text)")
  }
}
