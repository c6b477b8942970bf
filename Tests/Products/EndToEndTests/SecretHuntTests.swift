import Foundation
import ReqrunKit
import TestSupport
import Testing

/// Servers repeat secrets in every encoding and at every place, and nothing that reqrun writes shows one.
///
/// `REQRUN_HUNT=all` tries every combination instead of a sample.
@Suite("The hunt for secrets")
struct SecretHuntTests {
  /// One request of the hunt.
  private struct Try {
    let name: String
    let path: String
    let request: String
  }

  /// How many encodings of a secret are tried at a place; nil for all.
  private static let sampleSize: Int? =
    ProcessInfo.processInfo.environment["REQRUN_HUNT"] == "all" ? nil : 2

  @Test("No secret is shown, whoever repeats it, and however it is written")
  func hunt() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    var steps: [String: [FaultScript.Step]] = [
      "/begin": [.send(Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8))]
    ]
    var random = SeededGenerator(state: 11)
    var environment: [String: String] = [:]
    var count = 0
    for (index, secret) in HuntedSecrets.all.enumerated() {
      environment["TOKEN_\(index)"] = secret
      let tries = Self.tries(secret, index, &steps, &random)
      count += tries.count + HuntingGround.ownPlaces("").count
      try folder.write(["hunt-\(index).yaml": Self.spec(index, tries)])
    }
    steps.merge(IssuedTokens.steps) { $1 }
    try folder.write(["hunt-tokens.yaml": IssuedTokens.spec])
    count += IssuedTokens.steps.count
    let server = try FaultServer.start(FaultScript(steps))
    defer { server.stop() }
    environment["SERVER"] = server.address

    var outputs: [(name: String, bytes: [UInt8])] = []
    let runs = [
      ("-vv", ["-vv"] + Report.kinds.flatMap { ["--report", "\($0)=loud.\($0)"] }, 1),
      ("plain", ["--update-snapshots"], 1),
      ("-v", ["-v", "--curl"], 5),
    ]
    for (name, options, step) in runs {
      let files =
        stride(from: 0, to: HuntedSecrets.all.count, by: step).map { "hunt-\($0).yaml" } + ["hunt-tokens.yaml"]
      var run = ProcessRun(try builtExecutable("reqrun"), options + ["--max-time", "1800s"] + files, in: folder.path)
      run.environment = environment
      run.timeLimit = .seconds(2000)
      let result = try await run.run()
      // Some secrets can't stand in a header or a cookie.
      #expect(
        [.exited(1), .exited(2)].contains(result.ending),
        "\(String(decoding: result.errorOutput.prefix(2000), as: UTF8.self))")
      outputs.append(("the console, \(name)", result.output))
      outputs.append(("standard error, \(name)", result.errorOutput))
    }
    let files = try Self.filesWritten(in: folder)
    outputs += files
    outputs.append(("the names of files", Array(files.map(\.name).joined(separator: "\n").utf8)))
    for kind in Report.kinds {
      // Contracts are not part of the hunt, and comments are short.
      let least = kind == "coverage" ? 100 : kind == "markdown" ? 10_000 : 100_000
      #expect(files.contains { $0.name == "loud.\(kind)" && $0.bytes.count > least }, "\(kind)")
    }
    #expect(outputs.reduce(0) { $0 + $1.bytes.count } > 100_000)

    let search = LeakSearch(HuntedSecrets.all + IssuedTokens.all)
    var leaks = 0
    for output in outputs {
      for (leak, offset) in search.leaks(in: output.bytes) {
        leaks += 1
        guard leaks <= 40 else { continue }
        Issue.record("\(output.name), \(Self.place(of: offset, in: output.bytes)): \(leak)")
      }
      #expect(!output.bytes.contains(sequence: [0xEF, 0xB7, 0x90]), "\(output.name) has an excerpt that was not cut")
    }
    print(
      "secret hunt: \(HuntedSecrets.all.count) secrets, \(HuntedEncoding.all.count) encodings, "
        + "\(HuntingGround.all.count) places: \(count) combinations in \(outputs.count) outputs, \(leaks) leaks")
    #expect(count > 2000)
  }

  @Test("The hunt finds what is shown")
  func findsPlanted() {
    let search = LeakSearch(HuntedSecrets.all)
    for (index, secret) in HuntedSecrets.all.enumerated() {
      for encoding in [0, 11, 23].map({ HuntedEncoding.all[(index + $0) % HuntedEncoding.all.count] }) {
        let text = encoding.encode(secret)
        let leaks = search.leaks(in: Array("✗ it is \(text) there".utf8))
        #expect(!leaks.isEmpty, "\(encoding.name) of \(secret)")
      }
    }
    for secret in HuntedSecrets.all where secret.utf8.count >= 64 && !secret.contains("-----") {
      let inside = secret.dropFirst(20).prefix(12)
      #expect(!search.leaks(in: Array("…\(inside)…".utf8)).isEmpty, "a part of \(secret)")
    }
    let nothing = "✗ it is *** there, expected `\"nothing of that\"`, found \"it is ***\" (200 characters)"
    #expect(search.leaks(in: Array(nothing.utf8)).isEmpty)
  }

  /// Lines of `send` with the secret `§`, to a server `U` that repeats what it gets in its status line and headers; `P` is
  /// a port that nothing listens on.
  private static let lines = [
    "-p Hhm U/a -a ann:§", "-p HBhm U -a bearer:§ X-Api-Key:§ password=§", "-p HBh -f U password=§",
    "-p HBh --multipart U token=§", "-p Hh --all U/redirect?token=§", "-p Hh U token==§", "-p HBh U a[password]=§",
    "--curl U -a ann:§ X-Api-Key:§ password=§ token==§", "--offline U -a ann:§ X-Api-Key:§ password=§ token==§",
    "--offline U -a digest:ann:§ Cookie:sid=§", "-p Hh --session ./session.json U -a ann:§ X-Api-Key:§",
    "-p Hh --session ./session.json U", "--curl --session ./session.json U",
    "-p h --save saved.yaml --expect http://ann:§@U?token=§ X-Api-Key:§ password=§ Authorization:Bearer-§",
    "-p m --timing --check-status U/500 token==§", "-p b --query $.no U token==§", "http://ann:§@127.0.0.1:1/?token=§",
    "-p Hh U password:=§", "-p Hh -f U password:=[\"§\"]", "-p Hh U password;§", "-p h --stream U X-Api-Key:§",
    "--proxy http://u:§@127.0.0.1:1 http://example.test/", "-d -o got U/a -a ann:§",
    "-vv --offline U --graphql q token=§",
    "-p Hh --secret KEY=§ U X-Any:${{KEY}}", "http://ann:§@127.0.0.1:70000/", "http://ann:§@a|b/", "-a ann:§",
  ]

  @Test("No secret of a line of send is shown") func linesOfSend() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let secret = "kX7-qZt9.wLm3v_8Yp"
    let heads = ["/redirect": "302 Found\r\nLocation: /a?again=\(secret)", "/500": "500 no \(secret)", "": "200 OK"]
    let server = try FaultServer.start(
      FaultScript(
        heads.mapValues { head in
          [.send(Array("HTTP/1.1 \(head)\r\nX-Echo: \(secret)\r\nContent-Length: 2\r\n\r\n{}".utf8)), .close]
        }))
    defer { server.stop() }
    let search = LeakSearch([secret])
    var output: [UInt8] = []
    for line in Self.lines {
      let words = line.replacing("@U", with: server.address.replacing("http://", with: "@"))
        .replacing(" U", with: " \(server.address)").replacing("§", with: secret)
      let run = ProcessRun(
        try builtExecutable("reqrun"), ["send"] + words.split(separator: " ").map(String.init), in: folder.path)
      let result = try await run.run()
      let shown = result.output + result.errorOutput
      #expect(!shown.isEmpty, "\(line)")
      #expect(search.leaks(in: shown).isEmpty, "\(line): \(String(decoding: shown, as: UTF8.self))")
      output += shown
    }
    let saved = try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/saved.yaml"))
    #expect(search.leaks(in: Array(saved)).isEmpty, "\(String(decoding: saved, as: UTF8.self))")
    #expect(output.count > 4000)
  }

  private static func tries(
    _ secret: String, _ index: Int, _ steps: inout [String: [FaultScript.Step]], _ random: inout SeededGenerator
  ) -> [Try] {
    var tries: [Try] = []
    for ground in HuntingGround.all {
      let encodings =
        sampleSize.map { HuntedEncoding.all.shuffled(using: &random).prefix($0) } ?? HuntedEncoding.all[...]
      for encoding in encodings {
        // What a playlist's parser takes apart is not a secret any more, but a number or a name.
        if ground.name == "playlist-tag", encoding.encode(secret).contains(where: { ",\"=".contains($0) }) { continue }
        // Neither is what stands before the comma that ends an unquoted parameter of a challenge.
        if ground.name == "challenge", encoding.encode(secret).contains(where: { ",\"".contains($0) }) { continue }
        // What a server does not escape is another text in HTML.
        if ground.name == "html", !encoding.name.hasPrefix("html"), encoding.encode(secret).contains("&") { continue }
        // Nobody promises to read what was escaped four times.
        if ground.name == "json-in-json", encoding.name.hasPrefix("json-in-json") { continue }
        // So that whatever is cut is cut before, inside of and after it.
        let pad = String(repeating: "z", count: [0, 0, 30, 50, 70, 110, 190, 230].randomElement(using: &random) ?? 0)
        if ground.isJSON, secret.contains("\\"), !["json", "json-slashes", "hex"].contains(encoding.name) { continue }
        guard let response = ground.response(pad + encoding.encode(secret)) else { continue }
        let path = "/\(index)/\(ground.name)/\(encoding.name)"
        steps[path] = [.send(Array(response.utf8)), .close]
        tries.append(Try(name: "\(index) \(ground.name) \(encoding.name)", path: path, request: ground.request))
      }
    }
    return tries
  }

  /// A file that makes the secret known, and then asks for each of the paths.
  private static func spec(_ index: Int, _ tries: [Try]) -> String {
    var text = """
      secrets: [TOKEN_\(index)]
      defaults: {base_url: "${{ env.SERVER }}", timeout: 5s}
      requests:
        - {name: begin, method: POST, url: /begin, body: "${{ TOKEN_\(index) }}"}

      """
    for one in tries {
      let rest = one.request.isEmpty ? "" : ", \(one.request.replacingOccurrences(of: "@", with: one.path))"
      text += "  - {name: \"\(one.name)\", url: \(one.path), continue_on_failure: true\(rest)}\n"
    }
    for place in HuntingGround.ownPlaces("${{ TOKEN_\(index) }}") {
      let url = place.name == "path" ? "\"/begin/{p}\"" : "/begin"
      text += "  - {name: \(index) own \(place.name), url: \(url), continue_on_failure: true, \(place.request), "
      text += "expect: {status: 500, headers: {x-own: \"${{ TOKEN_\(index) }}\"}}}\n"
    }
    return text
  }

  private static func filesWritten(in folder: TemporaryFolder) throws -> [(name: String, bytes: [UInt8])] {
    let all = FileManager.default.enumerator(atPath: folder.path)?.allObjects.compactMap { $0 as? String } ?? []
    let files = all.sorted().compactMap { (name) -> (name: String, bytes: [UInt8])? in
      let url = URL(fileURLWithPath: folder.path).appendingPathComponent(name)
      // What is downloaded is named by the server, as it is.
      guard !name.hasPrefix("hunt-"), !name.hasPrefix("files/"), let data = try? Data(contentsOf: url) else {
        return nil
      }
      return (name, Array(data))
    }
    return files + files.flatMap { file in detailsOfPage(file.bytes).map { ("\(file.name), details", $0) } }
  }

  /// The compressed blocks of an HTML report.
  private static func detailsOfPage(_ page: [UInt8]) -> [[UInt8]] {
    String(decoding: page, as: UTF8.self).matches(of: /class="details">([^<]+)</).compactMap { match in
      Data(base64Encoded: String(match.1)).flatMap { inflated(Array($0))?.bytes }
    }
  }

  /// The name of the request that an output speaks of at an offset.
  private static func place(of offset: Int, in output: [UInt8]) -> String {
    let before = String(decoding: output[max(0, offset - 6000)..<offset], as: UTF8.self)
    let names = before.matches(of: /[0-9]+ [a-z-]+ [a-z0-9-]+/)
    return names.last.map { "in \"\($0.output)\"" } ?? "at byte \(offset)"
  }
}

extension [UInt8] {
  fileprivate func contains(sequence: [UInt8]) -> Bool { Data(self).range(of: Data(sequence)) != nil }
}
