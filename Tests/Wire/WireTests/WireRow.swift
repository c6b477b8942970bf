import HTTPSemantics
import TestSupport
import Testing
import Values

/// One row of a table: an exchange that each transport does alike, but where a capability says otherwise.
struct WireRow: Sendable, CustomTestStringConvertible {
  enum Outcome: Sendable, Equatable {
    case answers(Int)
    case fails(TransportError.Kind)
    case failsAnyhow
  }

  var name: String
  var method = "GET"
  /// Path and query, as they are to be sent.
  var target = "/"
  var headers: [(String, String)] = []
  var body: RequestBody = .none
  var change: @Sendable (inout WireRequest) -> Void = { _ in }
  /// The steps of a fault script, parted by `§`.
  var script = WireRow.ok
  /// What a transport may be unable to do; it then refuses the request.
  var needs: TransportFeature?
  var outcome = Outcome.answers(200)
  /// That of URLSession on Linux, where it is unsound.
  var unsoundOutcome: Outcome?
  /// Nil is not looked at.
  var text: String?
  /// Fields of the response's head, in order.
  var fields: [(String, String)] = []
  /// Header lines that went out, in this order (where the transport has one) and with no other of their names.
  var sent: [String] = []

  var testDescription: String { name }

  static let ok = #"send "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok""#

  /// What is expected of that transport, by what it says of itself.
  func outcome(of kind: TransportUnderTest) -> Outcome {
    if let needs, kind.capabilities.unsupported[needs] != nil { return .fails(.unsupported(needs)) }
    if kind.capabilities.unsoundness != nil, let unsoundOutcome { return unsoundOutcome }
    return outcome
  }

  func request(_ url: HTTPURL, limits: ExchangeLimits = ExchangeLimits(idle: .seconds(60), total: .seconds(120))) throws
    -> WireRequest
  {
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    var url = url
    url.path = parts[0]
    url.query = parts.count > 1 ? parts[1] : nil
    var request = WireRequest(
      method: try #require(HTTPMethod(method)), url: url, headers: HeaderFields(headers), body: body, limits: limits)
    change(&request)
    return request
  }

  /// Compares how the exchange ended, and what came.
  func check(
    _ error: TransportError?, _ sink: CollectingSink, of kind: TransportUnderTest, _ place: String = ""
  ) {
    switch outcome(of: kind) {
    case .fails(let expected):
      #expect(error?.kind == expected, "\(place) \(error.map(\.message) ?? "no error"), \(sink.text.prefix(200))")
      #expect(error?.message.isEmpty != true)
    case .failsAnyhow: #expect(error != nil, "\(place)")
    case .answers(let status):
      #expect(error == nil, "\(place)")
      #expect(sink.heads.map(\.status) == [status], "\(place)")
      if let text {
        let isSame = sink.text == text
        #expect(isSame, "\(place) \(sink.text.prefix(200))")
      }
      guard let head = sink.head else { return }
      let names = fields.reduce(into: [String]()) { names, field in
        if !names.contains(where: { equalsIgnoringCase($0, field.0) }) { names.append(field.0) }
      }
      for name in names {
        let expected = fields.filter { equalsIgnoringCase($0.0, name) }.map(\.1)
        if kind == .curl {
          #expect(head.headers.values(name) == expected, "\(place) \(name)")
        } else {
          #expect(
            head.headers.values(name).joined(separator: ", ") == expected.joined(separator: ", "), "\(place) \(name)")
        }
      }
    }
  }

  /// Compares the request as it arrived.
  func check(_ received: FaultServer.Request, of kind: TransportUnderTest) {
    #expect(received.method == method)
    #expect(received.target == target)
    if case .bytes(let bytes) = body {
      let isSame = received.body == bytes
      #expect(isSame, "\(received.body.count) bytes arrived")
    }
    func name(_ line: String) -> String { String(line.prefix { $0 != ":" }).lowercased() }
    let names = Set(sent.map(name))
    let lines = received.headerLines.filter { names.contains(name($0)) }
    if kind == .curl {
      #expect(lines == sent)
    } else {
      // URLSession writes names in its own letter case and has no order.
      func folded(_ line: String) -> String {
        name(line) + ":" + line.drop { $0 != ":" }.dropFirst().drop { $0 == " " }
      }
      #expect(lines.map(folded).sorted() == sent.map(folded).sorted())
    }
  }
}

extension HTTPURL {
  /// A URL of this machine.
  static func local(_ port: Int, scheme: String = "http", host: String = "127.0.0.1") -> HTTPURL {
    HTTPURL(scheme: scheme, host: host, port: port, path: "/")
  }
}
