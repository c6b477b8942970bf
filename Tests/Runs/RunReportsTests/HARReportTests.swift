import DocumentQueries
import HTTPSemantics
import RunReports
import SpecExecution
import Testing
import Values

@Suite("HTTP archives")
struct HARReportTests {
  private static let step = StepID(file: 0, number: 1)
  private static let time = Timestamp(seconds: 1_714_557_600)

  private static func request(_ target: String = "/", type: String? = nil, body: [UInt8]? = nil) -> SentRequest {
    SentRequest(
      method: "POST", scheme: "http", authority: "h", target: target, httpVersion: "HTTP/1.1", proxy: nil,
      headers: type.map { [("content-type", $0)] } ?? [],
      body: body.map { bytes in BodyReference(size: Int64(bytes.count), bytes: { bytes }) })
  }

  private static func response(_ status: Int = 200, _ excerpt: BodyExcerpt? = nil) -> ReceivedResponse {
    ReceivedResponse(
      status: status, reason: "OK", httpVersion: "1.1", headers: [("Location", "/next")],
      body: BodyReference(size: 70_000, excerpt: { excerpt }))
  }

  private static func hop(
    _ request: SentRequest = request(), _ response: ReceivedResponse? = response(), _ timings: ExchangeTimings? = nil,
    attempt: Int = 1
  ) -> FileEvent {
    .hopFinished(
      HopReport(
        step: step, attempt: attempt, number: 1, start: time, request: request, response: response, timings: timings,
        remoteAddress: "[::1]:8080", localAddress: "[::1]:40000", cache: nil, note: nil))
  }

  private static func archive(_ files: [[FileEvent]]) throws -> JSONDocument {
    let path = temporaryPath("report.har")
    defer { removeTemporary(path) }
    let report = HARReport(path: path)
    for position in files.indices.reversed() {
      let sink = report.sink(at: position)
      sink?.receive(
        .started(FileStart(position: position, path: "\(position).yaml", name: nil, iteration: 1, time: time)))
      for event in files[position] { sink?.receive(event) }
      sink?.receive(
        .finished(
          FileReport(
            path: "\(position).yaml", iteration: 1, counts: OutcomeCounts(), start: time, duration: .seconds(2))))
    }
    try report.finish(RunSummary())
    return try JSONDocument(parsing: try contents(of: path))
  }

  private static func texts(_ path: String, _ events: [FileEvent]) throws -> [String] {
    try JSONPath(path).nodes(in: try archive([events])).map { $0.value.asText.string }
  }

  @Test("entries and pages are in the order of the files; a file without hops has no page")
  func order() throws {
    let archive = try Self.archive([[Self.hop()], [], [Self.hop(), Self.hop()]])
    let pages = try JSONPath("$.log.pages[*]['id','title']").nodes(in: archive).map { $0.value.asText.string }
    #expect(pages == ["page_1", "0.yaml", "page_3", "2.yaml"])
    let references = try JSONPath("$.log.entries[*].pageref").nodes(in: archive).map { $0.value.asText.string }
    #expect(references == ["page_1", "page_3", "page_3"])
    #expect(try Self.archive([]).root.value.jsonText().string.contains(#""pages":[],"entries":[]"#))
  }

  @Test("the messages of a WebSocket are in the form of Chromium")
  func messages() throws {
    var response = ReceivedResponse(
      status: 101, reason: "", httpVersion: "1.1", headers: [("Upgrade", "websocket")], body: nil)
    var sent = ReportedMessage(
      time: Timestamp(seconds: 1_714_557_600, nanoseconds: 12_345_678), isSent: true, kind: .text, size: 1)
    sent.text = "a"
    var received = ReportedMessage(time: Self.time, isSent: false, kind: .binary, size: 20_000)
    (received.bytes, received.isCut) = ([0, 255], true)
    var closing = ReportedMessage(time: Self.time, isSent: false, kind: .close, size: 5)
    (closing.code, closing.text) = (1000, "bye")
    response.messages = [sent, received, closing]
    let entry = try JSONPath("$.log.entries[0]").nodes(
      in: try Self.archive([[Self.hop(Self.request("/chat"), response)]]))[0]
    #expect(entry[member: "request"]?[member: "url"]?.string == "ws://h/chat")
    #expect(entry[member: "_resourceType"]?.string == "websocket")
    #expect(
      entry[member: "_webSocketMessages"]?.value.jsonText().string == """
        [{"type":"send","time":1714557600.012345,"opcode":1,"data":"a"},\
        {"type":"receive","time":1714557600.000000,"opcode":2,"data":"AP8=","comment":"the beginning of 20000 bytes"},\
        {"type":"receive","time":1714557600.000000,"opcode":8,"data":"bye","_code":1000}]
        """)
  }

  @Test(
    "the phases of a hop add up to its time",
    arguments: [
      ([1, 3, 7, 10, 12], ["1.000", "6.000", "4.000", "3.000", "2.000", "12.000"]),
      ([1, 3, nil, 10, 12], ["1.000", "2.000", "-1", "7.000", "2.000", "12.000"]),
      ([nil, nil, nil, 10, 12], ["-1", "-1", "-1", "10.000", "2.000", "12.000"]),
      ([nil, nil, nil, nil, 12], ["-1", "-1", "-1", "12.000", "0.000", "12.000"]),
      ([5, 3, nil, 2, 12], ["5.000", "0.000", "-1", "0.000", "7.000", "12.000"]),
      (nil, ["-1", "-1", "-1", "0.000", "0.000", "0.000"]),
    ] as [([Int?]?, [String])])
  func phases(_ ends: [Int?]?, _ expected: [String]) throws {
    let timings = ends.map { ends in
      var timings = ExchangeTimings()
      let durations = ends.map { $0.map { Duration.milliseconds($0) } }
      (timings.nameLookup, timings.connect, timings.tls, timings.firstByte) = (
        durations[0], durations[1], durations[2], durations[3]
      )
      timings.total = durations[4] ?? .zero
      return timings
    }
    let hop = [Self.hop(Self.request(), Self.response(), timings)]
    let phases = try Self.texts("$.log.entries[0].timings['dns','connect','ssl','wait','receive']", hop)
    #expect(phases + (try Self.texts("$.log.entries[0].time", hop)) == expected)
  }

  @Test(
    "the query is decoded, and stays as it is in the URL",
    arguments: [
      (
        "/?a=1&b=x%20y+z&&c&=&d=%zz#f=1",
        #"[{"name":"a","value":"1"},{"name":"b","value":"x y z"},"#
          + #"{"name":"c","value":""},{"name":"","value":""},{"name":"d","value":"%zz"}]"#
      ),
      ("/", "[]"), ("/?", "[]"),
    ])
  func query(_ target: String, _ expected: String) throws {
    let hop = [Self.hop(Self.request(target))]
    #expect(try Self.texts("$.log.entries[0].request.queryString", hop) == [expected])
    #expect(try Self.texts("$.log.entries[0].request.url", hop) == ["http://h\(target)"])
  }

  @Test(
    "a request's body is complete: parameters of forms, text otherwise",
    arguments: [
      ("application/json", "{\"a\":1}", #"{"mimeType":"application/json","text":"{\"a\":1}"}"#),
      (
        "application/x-www-form-urlencoded; charset=utf-8", "a=x+y&b=%C3%BC",
        #"{"mimeType":"application/x-www-form-urlencoded; charset=utf-8","#
          + #""params":[{"name":"a","value":"x y"},{"name":"b","value":"ü"}]}"#
      ),
      ("application/octet-stream", nil, #"{"mimeType":"application/octet-stream","text":"/wA=","_encoding":"base64"}"#),
      (
        "multipart/form-data; boundary=b",
        "--b\r\nContent-Disposition: form-data; name=\"a%22b\"\r\n\r\nx\r\ny\r\n"
          + "--b\r\nContent-Disposition: form-data; name=\"f\"; filename=\"f.txt\"\r\nContent-Type: text/plain\r\n\r\n"
          + "\r\n--b--\r\n",
        #"{"mimeType":"multipart/form-data; boundary=b","params":[{"name":"a\"b","value":"x\r\ny"},"#
          + #"{"name":"f","value":"","fileName":"f.txt","contentType":"text/plain"}]}"#
      ),
      (
        "multipart/form-data; boundary=b", "--b\r\nno form",
        #"{"mimeType":"multipart/form-data; boundary=b","text":"--b\r\nno form"}"#
      ),
      (nil, "x", #"{"mimeType":"","text":"x"}"#),
    ] as [(String?, String?, String)])
  func bodies(_ type: String?, _ text: String?, _ expected: String) throws {
    let body = text.map { Array($0.utf8) } ?? [0xFF, 0]
    #expect(
      try Self.texts("$.log.entries[0].request.postData", [Self.hop(Self.request(type: type, body: body))]) == [
        expected
      ])
  }

  @Test("a request's body that is too large, or was not kept, is only described", arguments: [(1 << 20) + 1, 5, nil])
  func leftOut(_ size: Int64?) throws {
    var request = Self.request()
    request.body = BodyReference(size: size, bytes: { size == 5 ? nil : [0x61] })
    let body = try Self.texts("$.log.entries[0].request.postData", [Self.hop(request)])
    let expected =
      switch size {
      case nil: #"{"mimeType":"","text":"a"}"#
      case let size?: #"{"mimeType":"","comment":"\#(size) bytes: not repeated here"}"#
      }
    #expect(body == [expected])
  }

  @Test(
    "a response's body is text or base64, and says if it is cut",
    arguments: [
      (BodyExcerpt(.text("é")), #"{"size":70000,"mimeType":"","text":"é"}"#),
      (
        BodyExcerpt(.text("é"), isCut: true),
        #"{"size":70000,"mimeType":"","text":"é","comment":"the beginning of 70000 bytes"}"#
      ),
      (BodyExcerpt(.data([0xFF])), #"{"size":70000,"mimeType":"","text":"/w==","encoding":"base64"}"#),
      (nil, #"{"size":70000,"mimeType":""}"#),
    ] as [(BodyExcerpt?, String)])
  func responseBodies(_ excerpt: BodyExcerpt?, _ expected: String) throws {
    let hop = [Self.hop(Self.request(), Self.response(200, excerpt))]
    #expect(try Self.texts("$.log.entries[0].response.content", hop) == [expected])
  }

  @Test("an entry has both ends of its connection, and the next URL if it is a redirect")
  func places() throws {
    let hops = [Self.hop(Self.request(), Self.response(302)), Self.hop()]
    #expect(try Self.texts("$.log.entries[*].response.redirectURL", hops) == ["/next", ""])
    #expect(try Self.texts("$.log.entries[0]['serverIPAddress','connection']", hops) == ["::1", "40000"])
  }

  @Test("a hop without a response has the reason: that of its attempt, or that of its step")
  func failures() throws {
    var report = StepReport(id: Self.step, parent: nil, name: "n", line: 1)
    report.problem = .error(.invalidValue, "refused again", at: nil)
    let attempt = AttemptReport(
      step: Self.step, number: 1, start: Self.time, duration: .zero, outcome: .transportError, status: nil,
      reason: "refused")
    let events: [FileEvent] = [
      .stepStarted(
        StepStart(id: Self.step, parent: nil, stage: .requests, name: "n", line: 1, time: Self.time)),
      Self.hop(Self.request(), nil), .attemptFinished(attempt), Self.hop(Self.request(), nil, attempt: 2),
      .stepFinished(report),
    ]
    #expect(try Self.texts("$.log.entries[*].response._error", events) == ["refused", "refused again"])
    #expect(try Self.texts("$.log.entries[*].comment", events) == ["n", "n, attempt 2"])
  }
}
