import DocumentQueries
import Testing
import Values

@Suite("What JSON takes of memory") struct JSONMemoryTests {
  @Test("The nodes are counted without parsing, names and values, and never too few")
  func footprint() throws {
    let texts = [
      "0", "\"\"", "[]", "{}", "[[]]", "[0]", "[0,0]", "[0,[],{}]", #"{"a":0}"#, #"{"a":[1,2],"b":{"c":null}}"#,
      #"["a,b:c[d{e\",\\"]"#, #"{",":"[{","\\":"\"[[[[\""}"#, " [ 1 , 2 ] ", "[\"é\u{10FFFF}\"]",
      "[" + String(repeating: "0,", count: 1000) + "0]",
      String(repeating: "[", count: 500) + String(repeating: "]", count: 500),
    ]
    for text in texts {
      let count = try JSONDocument(parsing: text).nodeCount
      let found = JSONFootprint(of: Array(text.utf8)).nodes
      #expect(count <= found, "\(text)")
      #expect(JSONFootprint(of: Array(text.utf8)).memory >= count * 8, "\(text)")
      #expect(JSONFootprint.memory(ofLength: text.utf8.count) >= count * 8, "\(text)")
    }
    let numbers = Array(("[" + String(repeating: "0,", count: 999) + "0]").utf8)
    #expect(try JSONDocument(parsing: numbers, footprint: JSONFootprint(of: numbers)).nodeCount == 1001)
    #expect(JSONFootprint(of: numbers).nodes == 1002)
  }

  @Test("What is not JSON is counted too", arguments: ["", "\"", "\"\\", "[\"\\\"", ",,,,", "{{{{", "\u{FEFF}"])
  func footprintOfNonsense(text: String) {
    #expect(JSONFootprint(of: Array(text.utf8)).nodes >= text.utf8.count { $0 == 0x2C || $0 == 0x7B })
  }

  @Test("A beginning has the first nodes, whatever is cut off")
  func beginning() throws {
    let root = try JSONDocument(parsing: #"[1, {"a": [2, 3], "b": {"c": 4}}, [[5]], "six"]"#).root
    let expected = [
      "[]", "[]", "[1]", "[1,{}]", "[1,{}]", #"[1,{"a":[]}]"#, #"[1,{"a":[2]}]"#, #"[1,{"a":[2,3]}]"#,
      #"[1,{"a":[2,3]}]"#, #"[1,{"a":[2,3],"b":{}}]"#, #"[1,{"a":[2,3],"b":{}}]"#, #"[1,{"a":[2,3],"b":{"c":4}}]"#,
      #"[1,{"a":[2,3],"b":{"c":4}},[]]"#, #"[1,{"a":[2,3],"b":{"c":4}},[[]]]"#, #"[1,{"a":[2,3],"b":{"c":4}},[[5]]]"#,
      #"[1,{"a":[2,3],"b":{"c":4}},[[5]],"six"]"#,
    ]
    for (count, text) in expected.enumerated() {
      #expect(root.beginning(count).jsonText().string == text, "\(count)")
    }
    #expect(root.beginning(.max >> 1) == root.value)
    #expect(root.items[3].beginning(0) == .text("six"))
  }

  @Test("Nodes mean the same where their values are equal")
  func meaning() throws {
    let texts = [
      "0", "0.0", "-0", "1", "1e0", "\"1\"", "\"a\"", #""\u0061""#, "null", "true", "false", "[]", "{}", "[1,2]",
      "[1.0,2]",
      "[2,1]", "[[]]", #"{"a":1,"b":2}"#, #"{"b":2,"a":1}"#, #"{"b":2,"\u0061":1.0}"#, #"{"a":1,"a":2}"#,
      #"{"a":2,"a":1}"#, #"{"a":1,"b":2,"a":3}"#, #"{"b":2,"a":1,"a":3}"#, #"{"a":1}"#, #"{"a":{"b":[1,{"c":2}]}}"#,
      #"{"a":{"b":[1,{"c":3}]}}"#, "\"é\"", "\"e\u{301}\"",
    ]
    let items = try JSONDocument(parsing: "[" + texts.joined(separator: ",") + "]").root.items
    for (left, leftText) in zip(items, texts) {
      for (right, rightText) in zip(items, texts) {
        #expect(left.means(right) == (left.value == right.value), "\(leftText) and \(rightText)")
      }
    }
  }

  @Test("A query ends where it finds more nodes than it may")
  func nodeLimit() throws {
    let nested = String(repeating: "[", count: 100) + "0,0" + String(repeating: "],0", count: 99) + "]"
    let document = try JSONDocument(parsing: nested)
    for path in ["$..*", "$..[0]..[0]", "$..[::1]", "$..[?@ == 0]", "$..[0,0,0]"] {
      #expect(throws: Never.self, "\(path)") { try JSONPath(path).selection(in: document, nodeLimit: 10_000) }
      let error = #expect(throws: JSONPathError.self, "\(path)") {
        try JSONPath(path).selection(in: document, nodeLimit: 60)
      }
      #expect(error?.message == "the query finds more than 60 nodes on its way", "\(path)")
    }
    let all = try JSONPath("$..*").selection(in: document, nodeLimit: 200).nodes
    #expect(all.count == 200)
    #expect(all.memory == 800)
    // Each has what is in it.
    #expect(all.valueMemory > 128 * 100 * 100)
  }
}
