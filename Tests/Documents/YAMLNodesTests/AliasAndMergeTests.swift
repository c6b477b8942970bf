import Testing
import Values
import YAMLNodes

struct AliasAndMergeTests {
  @Test(arguments: [
    ("an alias is its target", "a: &x [1]\nb: *x\n", #"{"a":[1],"b":[1]}"#),
    ("an anchor may be defined again", "[&x 1, *x, &x 2, *x]", "[1,1,2,2]"),
    ("an alias may be a key", "a: &x y\n*x : 1\n", #"{"a":"y","y":1}"#),
    ("own keys win", "a: &a {x: 1, y: 2}\nb: {z: 0, <<: *a, y: 3}\n", #"{"a":{"x":1,"y":2},"b":{"z":0,"x":1,"y":3}}"#),
    (
      "earlier mappings win", "a: &a {x: 1}\nb: {<<: [{x: 9}, *a, {y: 2}]}\n",
      #"{"a":{"x":1},"b":{"x":9,"y":2}}"#
    ),
    (
      "merges of merges", "a: &a {x: 1}\nb: &b {<<: *a, y: 2}\nc: {<<: *b}\n",
      #"{"a":{"x":1},"b":{"x":1,"y":2},"c":{"x":1,"y":2}}"#
    ),
    ("a quoted << is a key", "{\"<<\": 1}", #"{"<<":1}"#),
    ("keys are told apart by their code points", "\u{E9}: 1\ne\u{301}: 2\n", "{\"\u{E9}\":1,\"e\u{301}\":2}"),
    (
      "keys are text as written", "{1: a, true: b, null: c, 007: d, 1.0: e, True: f}",
      #"{"1":"a","true":"b","null":"c","007":"d","1.0":"e","True":"f"}"#
    ),
  ])
  func reads(name: String, yaml: String, json: String) {
    let reading = YAMLReading(yaml)
    #expect(reading.messages == [])
    #expect(reading.json == json)
  }

  @Test func anAliasKeepsItsTargetsRangeAndItsOwnPlace() throws {
    let reading = YAMLReading("a: &x [1]\nb: *x\n")
    let alias = try #require(reading.root?.members?.last?.value)
    #expect(alias.range.text == "[1]")
    #expect(alias.useSite?.text == "*x")
    #expect(alias.useSite?.start == SourcePosition(line: 2, column: 4))
  }

  @Test func everyProblemOfTheTreeIsReportedInTheOrderOfTheFile() {
    let reading = YAMLReading("a: *later\nb: True\nb: +1\nc:\nd: !uid x\ne: &later 5\n")
    #expect(
      reading.messages == [
        "the alias `*later` has no anchor", "`True` is not spelled as YAML wants it",
        "the key `b` stands twice in this mapping", "the number `+1` has a leading `+`", "`c` has no value",
        "unknown tag `!uid`",
      ])
    #expect(reading.diagnostics[2].notes.first?.range?.start == SourcePosition(line: 2, column: 1))
    #expect(reading.root?.members?.map(\.value.hasError) == [true, true, true, true, false])
  }

  @Test func moreThanFiftyErrorsAreCounted() {
    let reading = YAMLReading(String(repeating: "- True\n", count: 1000))
    #expect(reading.messages.count == 51)
    #expect(reading.messages.last == "950 more errors in this file")
    #expect(
      YAMLReading(String(repeating: "- True\n- *a\n", count: 20_000)).messages.last
        == "39950 more errors in this file")
  }
}
