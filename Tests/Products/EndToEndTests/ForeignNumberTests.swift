import Foundation
import TestSupport
import Testing

/// Where arithmetic goes wrong first.
private let edges = [
  "-9223372036854775808", "-1", "0", "1", "9223372036854775806", "9223372036854775807", "9223372036854775808",
  "18446744073709551615", "1e400",
]

/// What a spec may say with numbers, `N` being one: every value of a key that takes one.
private let settings = [
  "delay: Nms", "delay: Nd", "timeout: Ns", "timeout: {connect: Nh, request: Nms, resource: Nd}", "redirects: {max: N}",
  "limit_rate: N", "limit_rate: NGiB", "json: N", "json: [N, 0xN]", "form: {a: N}", "query: {a: N}", "headers: {x: N}",
  "session: {max_connections_per_host: N}", "body: \"${{ random_string(N) }}\"", "body: \"${{ random_int(N, N) }}\"",
  "body: \"${{ N + N }} ${{ N * N }} ${{ N - N }}\"", "body: \"${{ now | plus('Nd') }}\"",
  "body: \"${{ from_json('[1]')[N] }}\"", "body: \"${{ 'a,b' | split(',') }}\"", "body: \"${{ from_json('[N]')[N] }}\"",
  "download: {to: a.bin, parallel: N}", "download: {to: b.bin, length: N}",
  "hls: {to: c, live: Ns, variant: {bandwidth: {at_most: N}}}", "stream: {max_events: N}", "stream: {timeout: Nms}",
  "upload: {file: data.bin, segments: {size: N}}", "upload: {file: data.bin, segments: {size: NMiB, parallel: N}}",
  "upload: {file: data.bin, segments: {retry: N}}", "expect: {status: N}", "expect: {status: \"100..<N\"}",
  "expect: {status: [N...N]}", "expect: {bytes: {count: N}}", "expect: {bytes: {count: {at_most: N}}}",
  "expect: {duration: {less_than: Nms}}", "expect: {timing: {total: {between: [0, Ns]}}}",
  "expect: {json: {\"$[N]\": {exists: true}}}", "expect: {json: {\"$[N:N:N]\": {count: N}}}",
  "expect: {json: {\"$..a[?@.b > N]\": {count: {at_least: N}}}}",
  "expect: {json: {$.headers: {count: {between: [N, N]}}}}", "expect: {json: {$.url: {count: N}}}",
  "expect: {json: {$.n: {close_to: {value: N, within: N}}}}", "expect: {json: {$.n: {less_than: N}}}",
  "expect: {json: {$.n: {one_of: [N, N]}}}", "expect: {xpath: {\"//a[N]\": {count: N}}}",
  "expect: {xpath: {\"substring('abc', N, N)\": {equals: a}}}", "expect: {xpath: {\"number('N')\": {equals: N}}}",
  "expect: {body: {count: N}}", "expect: {headers: {content-length: {at_least: N}}}",
  "expect: {schema: {minLength: N, maxLength: N, minimum: N, exclusiveMaximum: N, multipleOf: N}}",
  "expect: {schema: {items: true, minItems: N, maxItems: N, contains: true, minContains: N, maxContains: N}}",
  "expect: {schema: {properties: {url: {maxLength: N}}, minProperties: N, maxProperties: N}}",
  "expect: {cookies: {a: {max_age: {at_least: Ns}}}}", "capture: {a: {body: true, regex: \"(.)(.)\", group: N}}",
  "capture: {a: {json: \"$[N]\", default: N, as: integer}}", "capture: {a: {body: true, regex: \"a{N}\"}}",
]

/// What a server may say with numbers: a response, and what is asked of it.
private let answers: [(answer: String, request: String)] = [
  (#"Content-Length: N\r\n\r\nabc"#, "expect: {bytes: {count: 3}}"),
  (#"Age: N\r\nContent-Length: 0\r\n\r\n"#, "session: {cache: protocol}"),
  (
    #"Cache-Control: max-age=N, s-maxage=N, stale-while-revalidate=N\r\nAge: N\r\nContent-Length: 0\r\n\r\n"#,
    "session: {cache: protocol}"
  ),
  (#"Set-Cookie: a=b; Max-Age=N; Expires=Thu, 01 Jan N 00:00:00 GMT\r\nContent-Length: 0\r\n\r\n"#, cookies),
  (#"Keep-Alive: timeout=N, max=N\r\nContent-Length: 0\r\n\r\n"#, ""),
  (#"Transfer-Encoding: chunked\r\n\r\nN\r\nabc\r\n0\r\n\r\n"#, ""),
  (#"Location: http://127.0.0.1:N/\r\nContent-Length: 0\r\n\r\n"#, ""),
  (
    #"Date: Thu, N Jan N N:N:N GMT\r\nLast-Modified: N\r\nExpires: N\r\nContent-Length: 0\r\n\r\n"#,
    "session: {cache: protocol}"
  ),
  (#"ETag: \"a\"\r\nContent-Range: bytes 0-0/N\r\nContent-Length: 1\r\n\r\na"#, "download: {to: d.bin, parallel: 4}"),
  (#"ETag: \"a\"\r\nContent-Range: bytes 0-N/N\r\nContent-Length: 1\r\n\r\na"#, "download: {to: e.bin, parallel: 4}"),
  (#"ETag: \"a\"\r\nContent-Range: bytes N-N/*\r\nContent-Length: N\r\n\r\na"#, "download: {to: f.bin, parallel: 2}"),
  (
    #"Content-Type: text/event-stream\r\n\r\nretry: N\nid: N\ndata: N\n\n"#,
    "stream: {max_events: 9, reconnect: 1, timeout: 100ms}"
  ),
  (
    #"Content-Type: application/json\r\nContent-Length: 99\r\n\r\n[N, NeN, 0.N]"#,
    "expect: {json: {\"$[0]\": {at_least: N}}}"
  ),
  (
    #"Content-Type: text/xml\r\n\r\n<a>N</a>"#,
    "expect: {xpath: {\"number(//a)\": {equals: N}, \"//a[number(.)]\": {count: 0}}}"
  ),
  (
    #"Content-Type: application/vnd.apple.mpegurl\r\n\r\n#EXTM3U\n#EXT-X-VERSION:N\n#EXT-X-TARGETDURATION:N\n#EXT-X-MEDIA-SEQUENCE:N\n#EXTINF:N,\n#EXT-X-BYTERANGE:N@N\na.ts\n#EXT-X-ENDLIST\n"#,
    "hls: {to: g}"
  ),
  (
    #"Content-Type: application/vnd.apple.mpegurl\r\n\r\n#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-MEDIA-SEQUENCE:N\n#EXTINF:1,\na.ts\n#EXT-X-BYTERANGE:1\n#EXTINF:1,\na.ts\n#EXT-X-ENDLIST\n"#,
    "hls: {to: h}"
  ),
  (
    #"Content-Type: application/vnd.apple.mpegurl\r\n\r\n#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=N,RESOLUTION=NxN,FRAME-RATE=N\na.m3u8\n"#,
    "hls: {to: i}"
  ),
]

private let cookies = "expect: {cookies: {a: {max_age: {at_least: 1s}, expires: {after: 2020-01-01T00:00:00Z}}}}"

private let statuses = ["200 OK", "206 Partial Content", "302 Found", "308 Permanent Redirect", "429 Wait", "N"]

@Suite("Numbers from outside")
struct ForeignNumberTests {
  /// What it wrote; an issue where a signal ended it.
  private func run(_ arguments: [String], in folder: TemporaryFolder) async throws -> String {
    var run = ProcessRun(try builtExecutable("reqrun"), arguments, in: folder.path)
    run.limits.memoryMegabytes = 300
    let result = try await run.run()
    let output = String(decoding: result.output + result.errorOutput, as: UTF8.self)
    guard case .exited(let code) = result.ending, (0...4).contains(code) else {
      Issue.record("\(result.ending): \(output.suffix(2000))")
      return output
    }
    return output
  }

  @Test("A spec's end nothing", arguments: edges)
  func specs(_ number: String) async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    var files = ["data.bin": "0123456789"]
    for (index, setting) in settings.enumerated() {
      files["s\(index).yaml"] = """
        url: \(try SharedDemoServer.address())\(setting.contains("xpath") ? "/xml" : "/anything")
        \(setting.replacing("N", with: number))
        """
    }
    try folder.write(files)
    let output = try await run(["--max-time", "1s", "-j", "16", "."], in: folder)
    #expect(!output.contains("unknown key") && !output.contains("is not a predicate"), "a setting is none: \(output)")
  }

  @Test("A server's end nothing", arguments: edges)
  func servers(_ number: String) async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    var script = ""
    var requests = "requests:\n"
    for (index, (answer, request)) in answers.enumerated() {
      for (place, status) in statuses.enumerated() {
        let head = "HTTP/1.1 \(status)\\r\\nRetry-After: N\\r\\n"
        script += "/\(index)-\(place)\nsend \"\((head + answer).replacing("N", with: number))\"\nclose\n"
        let setting =
          request.isEmpty ? "" : "    \(request.replacing("N", with: number.hasPrefix("-") ? "7" : number))\n"
        let asked =
          "  - url: ${{ server }}/\(index)-\(place)\n    timeout: 1s\n    continue_on_failure: true\n\(setting)"
        // What is stored is looked at by the next one.
        requests += request.contains("cache") ? asked + asked : asked
      }
    }
    let server = try FaultServer.start(FaultScript(script))
    defer { server.stop() }
    try folder.write(["spec.yaml": requests])
    let output = try await run(["--max-time", "60s", "--var", "server=\(server.address)", "spec.yaml"], in: folder)
    #expect(!output.contains("unknown key"), "a setting is none: \(output)")
    #expect(server.requests.count > answers.count, "\(output)")
  }

  @Test("The command line's end nothing", arguments: edges)
  func commandLine(_ number: String) async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write(["spec.yaml": "url: \(try SharedDemoServer.address())/get\n"])
    let options = [
      ("--jobs", "N"), ("--max-time", "Ns"), ("--timeout", "Nms"), ("--max-body", "NMiB"), ("--seed", "N"),
      ("--min-coverage", "N"), ("--resolve", "a:N:127.0.0.1"), ("--proxy", "http://127.0.0.1:N"), ("--var", "a:=N"),
    ]
    for (option, value) in options {
      _ = try await run([option, value.replacing("N", with: number), "--dry-run", "spec.yaml"], in: folder)
    }
    _ = try await run(["spec.yaml:\(number)"], in: folder)
  }

  @Test("A terminal's width ends nothing", arguments: edges)
  func width(_ number: String) async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write(["spec.yaml": "url: http://127.0.0.1:1/\nnonsense: 1\n"])
    var run = ProcessRun(try builtExecutable("reqrun"), ["spec.yaml"], in: folder.path)
    run.environment["COLUMNS"] = number
    #expect(try await run.run().ending == .exited(2))
  }
}
