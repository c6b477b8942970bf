import HTTPSemantics
import Synchronization
import Testing
import Transfers

private let host = "http://h.test"

private func playlist(_ lines: String...) -> StubResponse {
  StubResponse(body: Array((["#EXTM3U"] + lines).joined(separator: "\n").utf8))
}

/// Three segments of one letter each.
private let letters: [String: [StubResponse]] = [
  "\(host)/a/list.m3u8": [
    playlist(
      "#EXTINF:1.5,One", "1.ts", "#EXT-X-DISCONTINUITY", "#EXTINF:2,", "sub/2.php?x=1", "#EXTINF:3", "/3.AAC",
      "#EXT-X-ENDLIST")
  ],
  "\(host)/a/1.ts": [.text("A")], "\(host)/a/sub/2.php?x=1": [.text("B")], "\(host)/3.AAC": [.text("C")],
]

@Suite struct HLSDownloadTests {
  private let stream: StoredStream

  init() throws { stream = try StoredStream() }

  private func failure(
    _ url: String, _ answers: [String: [StubResponse]], _ options: HLSDownload.Options = HLSDownload.Options()
  ) async throws -> String? {
    switch try await stream.download(url, by: StubTransport(answers), options) {
    case .success: return nil
    case .failure(let failure):
      #expect(stream.neighbours.isEmpty)
      return failure.text
    }
  }

  @Test func storesSegmentsWithAPlaylistThatNamesThem() async throws {
    let summary = try await stream.download("\(host)/a/list.m3u8", by: StubTransport(letters)).get()
    #expect(summary.segments == 3)
    #expect(summary.bytes == 3)
    #expect(summary.seconds == 6.5)
    #expect(summary.repetitions == 0 && !summary.isCut)
    #expect(Set(stream.files.keys) == ["playlist.m3u8", "segment-00001.ts", "segment-00002.ts", "segment-00003.aac"])
    #expect(stream.text("segment-00002.ts") == "B")
    #expect(
      stream.text("playlist.m3u8") == """
        #EXTM3U
        #EXT-X-VERSION:4
        #EXT-X-TARGETDURATION:3
        #EXT-X-MEDIA-SEQUENCE:0
        #EXT-X-PLAYLIST-TYPE:VOD
        #EXTINF:1.5,One
        segment-00001.ts
        #EXT-X-DISCONTINUITY
        #EXTINF:2,
        segment-00002.ts
        #EXTINF:3,
        segment-00003.aac
        #EXT-X-ENDLIST

        """)
    #expect(stream.neighbours.isEmpty)
  }

  @Test func fetchesNoMoreSegmentsAtATimeThanItMay() async throws {
    var answers: [String: [StubResponse]] = [:]
    var lines = ["#EXTM3U"]
    for number in 0..<20 {
      lines += ["#EXTINF:1", "\(number).ts"]
      answers["\(host)/\(number).ts"] = [.text("\(number)")]
    }
    answers["\(host)/list"] = [.text((lines + ["#EXT-X-ENDLIST"]).joined(separator: "\n"))]
    let transport = StubTransport(answers, pause: .milliseconds(50))
    var options = HLSDownload.Options()
    options.parallel = 3
    _ = try await stream.download("\(host)/list", by: transport, options).get()
    #expect(transport.maxInFlight == 3)
    #expect(transport.requests.count == 21)
    #expect((1...20).allSatisfy { stream.text("segment-000\($0 < 10 ? "0" : "")\($0).ts") == "\($0 - 1)" })
  }

  @Test func takesTheVariantAndItsRenditions() async throws {
    let master = playlist(
      "#EXT-X-DEFINE:NAME=\"n\",VALUE=\"one\"",
      "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"Deutsch\",DEFAULT=YES,URI=\"de.m3u8\"",
      "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"English\",URI=\"en.m3u8\"",
      "#EXT-X-STREAM-INF:BANDWIDTH=2,AUDIO=\"a\"", "v/high.m3u8", "#EXT-X-STREAM-INF:BANDWIDTH=1", "v/low.m3u8")
    let answers: [String: [StubResponse]] = [
      "\(host)/master": [master],
      "\(host)/v/high.m3u8": [
        playlist("#EXT-X-DEFINE:IMPORT=\"n\"", "#EXTINF:1", "{$n}.ts", "#EXT-X-ENDLIST")
      ],
      "\(host)/v/low.m3u8": [playlist("#EXTINF:1", "low.ts", "#EXT-X-ENDLIST")],
      "\(host)/de.m3u8": [playlist("#EXTINF:1", "de.aac", "#EXT-X-ENDLIST")],
      "\(host)/v/one.ts": [.text("high")], "\(host)/v/low.ts": [.text("low")], "\(host)/de.aac": [.text("de")],
    ]
    let summary = try await stream.download("\(host)/master", by: StubTransport(answers)).get()
    #expect(summary.variant?.bandwidth == 2)
    #expect(summary.renditions.map(\.name) == ["Deutsch"])
    #expect(summary.leftOut.map(\.name) == ["English"])
    #expect(
      Set(stream.files.keys) == [
        "playlist.m3u8", "main.m3u8", "audio-1.m3u8", "segment-00001.ts", "audio-1-00001.aac",
      ])
    #expect(stream.text("playlist.m3u8").hasSuffix("#EXT-X-STREAM-INF:BANDWIDTH=2,AUDIO=\"audio\"\nmain.m3u8\n"))
    #expect(stream.text("audio-1-00001.aac") == "de")
    // The next one replaces all of it.
    var options = HLSDownload.Options()
    options.variant = VariantChoice(.lowest)
    _ = try await stream.download("\(host)/master", by: StubTransport(answers), options).get()
    #expect(Set(stream.files.keys) == ["playlist.m3u8", "segment-00001.ts"])
    #expect(stream.text("segment-00001.ts") == "low")
    options.variant = VariantChoice(maxBandwidth: 0)
    #expect(
      try await failure("\(host)/master", answers, options)
        == "a variant of at most 0 bits per second; 2 bits per second; 1 bits per second")
    #expect(stream.text("segment-00001.ts") == "low")
  }

  // MARK: encryption

  @Test func decryptsByTheNumberOfTheSegmentOrTheVectorGiven() async throws {
    let key = Array("0123456789abcdef".utf8)
    let transport = StubTransport([
      "\(host)/list": [
        playlist(
          "#EXT-X-MEDIA-SEQUENCE:7", "#EXT-X-KEY:METHOD=AES-128,URI=\"key\"", "#EXTINF:1", "7.ts", "#EXTINF:1", "8.ts",
          "#EXT-X-KEY:METHOD=AES-128,URI=\"key\",IV=0x2A", "#EXT-X-MAP:URI=\"init\"", "#EXTINF:1", "9.m4s",
          "#EXT-X-KEY:METHOD=NONE", "#EXTINF:1", "10.m4s", "#EXT-X-ENDLIST")
      ],
      "\(host)/key": [.bytes(key)],
      "\(host)/7.ts": [.bytes(encrypted(Array("seven".utf8), key: key, vector: vector(7)))],
      "\(host)/8.ts": [.bytes(encrypted(Array("eight, exactly 16".utf8), key: key, vector: vector(8)))],
      "\(host)/9.m4s": [.bytes(encrypted(Array("nine".utf8), key: key, vector: vector(0x2A)))],
      "\(host)/init": [.bytes(encrypted(Array("init".utf8), key: key, vector: vector(0x2A)))],
      "\(host)/10.m4s": [.text("clear")],
    ])
    let summary = try await stream.download("\(host)/list", by: transport).get()
    #expect(summary.bytes == 35)
    #expect(stream.text("segment-00001.ts") == "seven")
    #expect(stream.text("segment-00002.ts") == "eight, exactly 16")
    #expect(stream.text("segment-00003.m4s") == "nine")
    #expect(stream.text("segment-00004.m4s") == "clear")
    #expect(stream.text("segment-init-1.mp4") == "init")
    #expect(!stream.text("playlist.m3u8").contains("KEY"))
    #expect(transport.requests(of: "\(host)/key").count == 1)
    #expect(transport.requests(of: "\(host)/init").count == 1)
  }

  @Test func tellsWhatCannotBeDecrypted() async throws {
    let list = playlist("#EXT-X-KEY:METHOD=AES-128,URI=\"key\"", "#EXTINF:1", "1.ts", "#EXT-X-ENDLIST")
    let key = Array("0123456789abcdef".utf8)
    #expect(
      try await failure(
        "\(host)/list", ["\(host)/list": [list], "\(host)/key": [.bytes(key)], "\(host)/1.ts": [.text("no block")]])
        == "bytes that AES-128 decrypts for segment 1 of 1 (http://h.test/1.ts); 8 bytes whose padding is wrong")
    #expect(
      try await failure("\(host)/list", ["\(host)/list": [list], "\(host)/key": [.text("short")]])
        == "16 bytes for the key http://h.test/key; 5 bytes")
    #expect(
      try await failure("\(host)/list", ["\(host)/list": [list]])
        == "status 200 for the key http://h.test/key; status 404")
    #expect(stream.files.isEmpty)
  }

  // MARK: byte ranges

  private static let ranges = playlist(
    "#EXT-X-MAP:URI=\"all.mp4\",BYTERANGE=\"2@0\"", "#EXTINF:1", "#EXT-X-BYTERANGE:3@2", "all.mp4", "#EXTINF:1",
    "#EXT-X-BYTERANGE:4", "all.mp4", "#EXT-X-ENDLIST")

  @Test func asksForByteRanges() async throws {
    func part(_ range: String, _ text: String) -> StubResponse {
      StubResponse(status: 206, headers: [("Content-Range", "bytes \(range)/100")], body: Array(text.utf8))
    }
    var options = HLSDownload.Options()
    options.parallel = 1
    let transport = StubTransport([
      "\(host)/list": [Self.ranges],
      "\(host)/all.mp4": [part("0-1", "ab"), part("2-4", "cde"), part("5-8", "fghi")],
    ])
    _ = try await stream.download("\(host)/list", by: transport, options).get()
    #expect(stream.text("segment-init-1.mp4") + stream.text("segment-00001.mp4") == "abcde")
    #expect(stream.text("segment-00002.mp4") == "fghi")
    #expect(
      transport.requests(of: "\(host)/all.mp4").map { $0.headers.first("Range") } == [
        "bytes=0-1", "bytes=2-4", "bytes=5-8",
      ])
  }

  @Test func takesItsPartOfAWholeResponse() async throws {
    _ = try await stream.download(
      "\(host)/list",
      by: StubTransport(["\(host)/list": [Self.ranges], "\(host)/all.mp4": [.text("abcdefghijklmnopq")]])
    ).get()
    #expect(stream.text("segment-init-1.mp4") == "ab")
    #expect(stream.text("segment-00001.mp4") == "cde")
    #expect(stream.text("segment-00002.mp4") == "fghi")
  }

  @Test(arguments: [
    (
      StubResponse.text("abcdefg"),
      "4 bytes from 5 on for segment 2 of 2 (http://h.test/all.mp4); a resource that ends after 2 of them"
    ),
    (
      StubResponse(status: 206, headers: [("Content-Range", "bytes 0-3/9")], body: Array("abcd".utf8)),
      "Content-Range: bytes 5-8 for segment 2 of 2 (http://h.test/all.mp4); \"bytes 0-3/9\""
    ),
    (
      StubResponse(status: 206, body: Array("abcd".utf8)),
      "Content-Range: bytes 5-8 for segment 2 of 2 (http://h.test/all.mp4); no Content-Range"
    ),
    (.status(416), "status 206 for segment 2 of 2 (http://h.test/all.mp4); status 416"),
  ])
  func tellsOtherRangesThanThoseAskedFor(answer: StubResponse, problem: String) async throws {
    var options = HLSDownload.Options()
    options.parallel = 1
    let whole = StubResponse.text("abcdefghijkl")
    #expect(
      try await failure(
        "\(host)/list", ["\(host)/list": [Self.ranges], "\(host)/all.mp4": [whole, whole, answer]], options)
        == problem)
  }

  // MARK: failures

  @Test func asksAgainWhereThatMayHelp() async throws {
    var answers = letters
    var cut = StubResponse.failure(.truncated)
    cut.body = Array("Hal".utf8)
    answers["\(host)/a/1.ts"] = [.status(503), cut, .text("A")]
    let told = Mutex([Int]())
    let summary = try await stream.download(
      "\(host)/a/list.m3u8", by: StubTransport(answers),
      onBytes: { count in told.withLock { $0.append(count) } }
    ).get()
    #expect(summary.repetitions == 2)
    #expect(stream.text("segment-00001.ts") == "A")
    // What had come of the response that was cut is taken back.
    #expect(told.withLock { $0.filter { $0 != 0 }.sorted() } == [-3, 1, 1, 1, 3])
  }

  @Test(arguments: [
    (StubResponse.failure(.reset), "segment 1 of 3 (http://h.test/a/1.ts): the connection broke (3 attempts)", 3),
    (.failure(.tls), "segment 1 of 3 (http://h.test/a/1.ts): the connection broke", 1),
    (.status(500), "status 200 for segment 1 of 3 (http://h.test/a/1.ts); status 500 (3 attempts)", 3),
    (.status(404), "status 200 for segment 1 of 3 (http://h.test/a/1.ts); status 404", 1),
    (
      .status(206),
      "the whole resource for segment 1 of 3 (http://h.test/a/1.ts); status 206, without being asked for a part", 1
    ),
  ])
  func tellsWhichSegmentFailed(answer: StubResponse, problem: String, attempts: Int) async throws {
    var answers = letters
    answers["\(host)/a/1.ts"] = [answer]
    try stream.make("stream/playlist.m3u8")
    let transport = StubTransport(answers)
    let result = try await stream.download("\(host)/a/list.m3u8", by: transport)
    guard case .failure(let failure) = result else {
      Issue.record("it was stored")
      return
    }
    #expect(failure.text == problem)
    #expect(transport.requests(of: "\(host)/a/1.ts").count == attempts)
    // What was there stays, and nothing is left beside it.
    #expect(stream.files.keys.sorted() == ["playlist.m3u8"] && stream.text("playlist.m3u8") == "old")
    #expect(stream.neighbours.isEmpty)
  }

  @Test(arguments: [
    (["#EXTINF:1", "file:///etc/passwd", "#EXT-X-ENDLIST"], "line 3 of http://h.test/list: "),
    (["#EXTINF:1", "data:,x", "#EXT-X-ENDLIST"], "line 3 of http://h.test/list: "),
    (
      ["#EXT-X-KEY:METHOD=AES-128,URI=\"file:///k\"", "#EXTINF:1", "a", "#EXT-X-ENDLIST"],
      "line 2 of http://h.test/list: "
    ),
    (["#EXT-X-STREAM-INF:BANDWIDTH=1", "list"], "another master playlist at http://h.test/list"),
    (["#EXT-X-ENDLIST"], "a playlist without any: http://h.test/list"),
    (["#EXT-X-GAP", "#EXTINF:1", "a", "#EXT-X-ENDLIST"], "a playlist without any: http://h.test/list"),
    (["#EXTINF:1", "a"], "the live playlist http://h.test/list"),
    (["#EXTINF:x", "a"], "line 2 of http://h.test/list: the duration"),
  ])
  func refusesPlaylistsThatCannotBeStored(lines: [String], problem: String) async throws {
    let list = StubResponse.text((["#EXTM3U"] + lines).joined(separator: "\n"))
    let text = try await failure("\(host)/list", ["\(host)/list": [list]])
    #expect(text?.contains("; \(problem)") == true, "\(text ?? "stored")")
    #expect(stream.files.isEmpty)
  }

  @Test func leavesOutWhatThePlaylistSaysIsMissing() async throws {
    let list = playlist("#EXTINF:1", "1.ts", "#EXT-X-GAP", "#EXTINF:1", "2.ts", "#EXTINF:1", "3.ts", "#EXT-X-ENDLIST")
    let summary = try await stream.download(
      "\(host)/list",
      by: StubTransport(["\(host)/list": [list], "\(host)/1.ts": [.text("1")], "\(host)/3.ts": [.text("3")]])
    ).get()
    #expect(summary.gaps == 1 && summary.segments == 2)
    #expect(
      stream.text("playlist.m3u8").contains("segment-00001.ts\n#EXT-X-DISCONTINUITY\n#EXTINF:1,\nsegment-00002.ts"))
  }

  // MARK: the directory

  @Test func replacesAStreamAndNothingElse() async throws {
    let url = "\(host)/a/list.m3u8"
    try stream.make("stream/segment-00009.ts")
    try stream.make("stream/playlist.m3u8")
    try stream.make(".stream.part/left-by-a-killed-run/x")
    try stream.make(".stream.old/segment-00001.ts")
    _ = try await stream.download(url, by: StubTransport(letters)).get()
    #expect(Set(stream.files.keys) == ["playlist.m3u8", "segment-00001.ts", "segment-00002.ts", "segment-00003.aac"])
    #expect(stream.neighbours.isEmpty)
    try stream.make("stream/notes.txt")
    #expect(
      try await failure(url, letters)
        == "the directory \"stream\" has \"notes.txt\" in it, which is not of a stream stored before")
    #expect(stream.text("segment-00001.ts") == "A")
  }

  @Test func refusesAFileOfThatName() async throws {
    try stream.make("stream")
    #expect(
      try await failure("\(host)/a/list.m3u8", letters) == "\"stream\" exists and is not a directory")
  }

  @Test func oneOfTwoDownloadsAtATimeIsRefused() async throws {
    var answers = letters
    answers["\(host)/a/1.ts"] = [.text("A")]
    let slow = StubTransport(answers, holding: "\(host)/a/1.ts")
    let stream = self.stream
    async let first = stream.download("\(host)/a/list.m3u8", by: slow)
    while slow.requests.count < 2 { try await Task.sleep(for: .milliseconds(2)) }
    let second = try await stream.download("\(host)/a/list.m3u8", by: StubTransport(letters))
    slow.release()
    #expect(
      { if case .failure(let failure) = second { failure.text } else { nil } }()
        == "another download fills the directory \"stream\" just now")
    #expect(try await first.get().segments == 3)
  }

  // MARK: credentials

  @Test func credentialsStayWithTheirHost() async throws {
    let answers: [String: [StubResponse]] = [
      "https://a.test/list": [.redirect("https://cdn.test/list")],
      "https://cdn.test/list": [
        playlist(
          "#EXT-X-KEY:METHOD=AES-128,URI=\"https://a.test/key\"", "#EXTINF:1", "1.ts", "#EXT-X-ENDLIST")
      ],
      "https://b.test/list": [
        playlist(
          "#EXTINF:1", "1.ts", "#EXTINF:1", "https://c.test/2.ts", "#EXTINF:1", "https://d.test/3.ts", "#EXT-X-ENDLIST")
      ],
      "https://b.test/1.ts": [.text("1")], "https://c.test/2.ts": [.text("2")], "https://d.test/3.ts": [.text("3")],
    ]
    func edit(_ request: inout OutgoingRequest) {
      request.credentials = .bearer("secret")
      request.cookies = [("c", "1")]
      request.headers = HeaderFields([("X-Own", "1"), ("Range", "bytes=0-1")])
      request.redirects.trustedHosts = ["d.test"]
    }
    let direct = StubTransport(answers)
    _ = try await stream.download("https://b.test/list", by: direct, edit: edit).get()
    func sent(_ transport: StubTransport, _ url: String) -> [String?] {
      let headers = transport.requests(of: url).last?.headers
      return [
        headers?.first("Authorization"), headers?.first("Cookie"), headers?.first("X-Own"), headers?.first("Range"),
      ]
    }
    #expect(sent(direct, "https://b.test/1.ts") == ["Bearer secret", "c=1", "1", nil])
    #expect(sent(direct, "https://c.test/2.ts") == [nil, nil, "1", nil])
    #expect(sent(direct, "https://d.test/3.ts") == ["Bearer secret", "c=1", "1", nil])
    // A playlist from elsewhere can't have them sent to where they belong.
    let redirected = StubTransport(answers)
    _ = try await stream.download("https://a.test/list", by: redirected, edit: edit)
    #expect(sent(redirected, "https://a.test/list").first == "Bearer secret")
    #expect(sent(redirected, "https://a.test/key") == [nil, nil, "1", nil])
  }

  @Test func staysWithTLS() async throws {
    let answers = [
      "https://h.test/list": [playlist("#EXTINF:1", "http://h.test/1.ts", "#EXT-X-ENDLIST")],
      "http://h.test/1.ts": [StubResponse.text("1")],
    ]
    #expect(
      try await failure("https://h.test/list", answers)
        == "URIs of https in a playlist that came by https; line 3 of https://h.test/list leads to http://h.test/1.ts")
    let allowed = try await stream.download("https://h.test/list", by: StubTransport(answers)) {
      $0.redirects.allowsHTTP = true
    }
    #expect(try allowed.get().segments == 1)
  }

  // MARK: live streams

  private func live(_ first: Int, _ last: Int, ends: Bool = false) -> StubResponse {
    var lines = ["#EXTM3U", "#EXT-X-TARGETDURATION:1", "#EXT-X-MEDIA-SEQUENCE:\(first)"]
    for number in first...last { lines += ["#EXTINF:1", "\(number).ts"] }
    return .text((lines + (ends ? ["#EXT-X-ENDLIST"] : [])).joined(separator: "\n"))
  }

  private func answers(_ playlists: [StubResponse]) -> [String: [StubResponse]] {
    var answers = Dictionary(
      uniqueKeysWithValues: (0...30).map { ("\(host)/\($0).ts", [StubResponse.text("<\($0)>")]) })
    answers["\(host)/live"] = playlists
    return answers
  }

  private func options(live: Duration) -> HLSDownload.Options {
    var options = HLSDownload.Options()
    options.liveDuration = live
    return options
  }

  @Test func followsALiveStreamToItsEnd() async throws {
    let transport = StubTransport(answers([live(0, 9), live(5, 11), live(5, 11), live(6, 12, ends: true)]))
    let summary = try await stream.download("\(host)/live", by: transport, options(live: .seconds(60))).get()
    // From three target durations before its end.
    #expect((1...6).map { stream.text("segment-0000\($0).ts") }.joined() == "<7><8><9><10><11><12>")
    #expect(summary.segments == 6 && !summary.isCut)
    #expect(transport.requests(of: "\(host)/live").count == 4)
    #expect(stream.text("playlist.m3u8").hasSuffix("#EXT-X-ENDLIST\n"))
  }

  @Test func endsWithALiveStreamWhenItIsTime() async throws {
    let transport = StubTransport(answers([live(0, 1), live(0, 2)]))
    let summary = try await stream.download("\(host)/live", by: transport, options(live: .milliseconds(30))).get()
    #expect(summary.segments == 2 && summary.isCut)
  }

  @Test func tellsWhatIsMissingOfALiveStream() async throws {
    #expect(
      try await failure("\(host)/live", answers([live(0, 1), live(5, 6)]), options(live: .seconds(60)))
        == "segment 2 in http://h.test/live; a playlist that begins with segment 5")
    #expect(stream.files.isEmpty)
  }
}
