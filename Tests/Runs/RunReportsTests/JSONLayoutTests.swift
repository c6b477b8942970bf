import RunReports
import Testing

@Suite("JSON on a terminal")
struct JSONLayoutTests {
  @Test(
    "a line for each member and item",
    arguments: [
      (#"{"a":1}"#, "{\n  \"a\": 1\n}"),
      (
        #"{"a" : [1, {"b":[]}, {}] , "c":"x,{\"y\":1}"}"#,
        "{\n  \"a\": [\n    1,\n    {\n      \"b\": []\n    },\n    {}\n  ],\n  \"c\": \"x,{\\\"y\\\":1}\"\n}"
      ),
      ("[]", "[]"), ("[[1.50]]\n", "[\n  [\n    1.50\n  ]\n]"),
    ])
  func layout(_ text: String, _ expected: String) {
    #expect(indentedJSON(text) == expected)
  }

  @Test(
    "nothing else is touched",
    arguments: ["", "1", "\"a\"", "{", "[1}", "[1]]", "{} x", "<html>", "[1\n… 20 bytes in all"])
  func others(_ text: String) {
    #expect(indentedJSON(text) == nil)
  }
}
