import Testing
import Values

@Suite("Text and its secret ranges")
struct TextTests {
  @Test("ranges travel through concatenation, touching ones grow together")
  func concatenation() {
    let text = Text("ä=") + Text(secret: "pä") + Text(secret: "ss") + "&" + Text(secret: "") + Text(secret: "x")
    #expect(text.string == "ä=päss&x")
    #expect(text.secretRanges == [3..<8, 9..<10])
    #expect(text.masked == "ä=***&***")
    #expect(text.runs.map(\.text) == ["ä=", "päss", "&", "x"])
    #expect(text.runs.map(\.isSecret) == [false, true, false, true])
  }

  @Test("an empty secret is not a secret")
  func empty() {
    #expect(!Text(secret: "").isSecret)
    #expect(Text(secret: "").masked == "")
    #expect(Text("").runs.isEmpty)
  }

  @Test("ranges in any order, overlapping, empty")
  func ranges() {
    let text = Text("0123456789", secretRanges: [6..<8, 1..<3, 2..<4, 4..<5, 9..<9])
    #expect(text.secretRanges == [1..<5, 6..<8])
    #expect(text.masked == "0***5***89")
  }

  @Test("a part keeps what of it is secret")
  func part() {
    let text = Text("aé") + Text(secret: "ßc") + "d"
    #expect(text[utf8: 0..<3] == "aé")
    #expect(text[utf8: 0..<3].isSecret == false)
    #expect(text[utf8: 1..<5].secretRanges == [2..<4])
    #expect(text[utf8: 5..<7].masked == "***d")
    #expect(text[utf8: 7..<7].isEmpty)
  }

  @Test("an encoding by character keeps the borders, one that mixes makes all secret")
  func mapping() {
    let text = Text("a ") + Text(secret: "b c") + " d"
    let encoded = text.mapRuns { $0.split(separator: " ", omittingEmptySubsequences: false).joined(separator: "%20") }
    #expect(encoded.string == "a%20b%20c%20d")
    #expect(encoded.masked == "a%20***%20d")
    #expect(text.mapWhole { $0.uppercased() }.masked == "***")
    #expect(Text("ab").mapWhole { $0.uppercased() }.masked == "AB")
  }

  @Test("open values travel like secrets, and show what is known")
  func open() {
    let (five, token) = (OpenValue(number: 1, known: .integer(5)), OpenValue(number: 2, address: "http://t"))
    let text = Text("n=") + Text("5", open: five) + Text(secret: "s") + Text("t", open: token) + Text("t", open: token)
    #expect(text.runs.map(\.text) == ["n=", "5", "s", "t", "t"])
    #expect(text.runs.map { $0.open?.number } == [nil, 1, nil, 2, 2])
    #expect(text.secretRanges == [3..<4])
    #expect(text.masked == "n=5***tt")
    #expect(text.mapRuns { $0 + $0 }.runs.map { $0.open?.number } == [nil, 1, nil, 2, 2])
    #expect(text[utf8: 2..<3].open?.number == 1)
    #expect(text.unknown?.number == 2)
    #expect(Value.text(Text("5", open: five)).known == .integer(5))
    #expect(Value.list([.text(text)]).known.unknown?.number == 2)
    #expect((Text("t", open: token) + "/a").asAddress == "http://t/a")
    #expect(Text("5", open: five).asAddress == nil)
  }

  @Test("equal by bytes, whatever is secret; canonical equivalence is not equality")
  func equality() {
    #expect(Text(secret: "a") == "a")
    #expect(Set([Text(secret: "a"), "a"]).count == 1)
    #expect(Text("\u{E9}") != Text("e\u{301}"))
  }

  @Test("printed by accident it is masked")
  func description() {
    let text = Text("a") + Text(secret: "hidden")
    #expect("\(text)" == "a***")
    #expect(!"\(Value.mapping(Mapping([Mapping.Member(key: "k", value: .list([.text(text)]))])))".contains("hidden"))
    #expect(!String(reflecting: Value.data(Bytes(Array("hidden".utf8), isSecret: true))).contains("104"))
  }
}
