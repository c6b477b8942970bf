import DocumentQueries
import Testing
import Values

@Suite struct JSONPathTests {
  private static let store = """
    {"books": [
      {"title": "A", "price": 8.950, "isbn": "0-1", "tags": ["x", "y"]},
      {"title": "Bé", "price": 12.99, "tags": []},
      {"title": "c", "price": 895e-2, "isbn": "0-2"}
    ], "wanted": 8.95, "big": [9007199254740993, 1e400, -0, 1.0], "b": 1, "b": 2, "deep": {"b": {"b": 3}}}
    """

  @Test(arguments: [
    ("$.books[?@.price == $.wanted].title", #"["A","c"]"#),
    ("$.books[?@.price < 9].title", #"["A","c"]"#),
    ("$.books[?@.price >= 12.99 || @.isbn == '0-2'].title", #"["Bé","c"]"#),
    ("$.books[?@.isbn && !@.tags].title", #"["c"]"#),
    ("$.books[?!(@.title < 'a')].title", #"["c"]"#),
    ("$.books[?length(@.tags) == 0].title", #"["Bé"]"#),
    ("$.books[?length(@.title) == 2].title", #"["Bé"]"#),
    ("$.books[?count(@.*) > 3].title", #"["A"]"#),
    ("$.books[?@.tags[0] == 'x'].title", #"["A"]"#),
    ("$.books[?@.tags == $.books[0].tags].title", #"["A"]"#),
    ("$.books[?match(@.title, '[A-C]')].title", #"["A"]"#),
    ("$.books[?search(@.isbn, '\\\\d$')].title", #"["A","c"]"#),
    ("$.books[-1].title", #"["c"]"#),
    ("$.books[::-1]['title']", #"["c","Bé","A"]"#),
    ("$.big[?@ == 9007199254740992]", "[]"),
    ("$.big[?@ == 9007199254740993]", "[9007199254740993]"),
    ("$.big[?@ > 1e399]", "[1e400]"),
    ("$.big[?@ == 0]", "[-0]"),
    ("$.big[?@ == 1]", "[1.0]"),
    ("$.b", "[2]"),
    ("$..b", #"[2,{"b":3},3]"#),
    ("$.deep.*..b", "[3]"),
    ("$[?count($..title) == 3 && @.b].b", #"[{"b":3}]"#),
    ("$.missing[0].x", "[]"),
  ])
  func selects(path: String, values: String) throws {
    let document = try JSONDocument(parsing: Self.store)
    let nodes = try JSONPath(path).nodes(in: document)
    #expect(Value.list(nodes.map(\.value)).jsonText().string == values)
  }

  @Test(arguments: [
    ("$", true), ("$.a['b'][0][-1]", true), ("$ .a [ 'b' ]", true), ("$.*", false), ("$..a", false), ("$[0,1]", false),
    ("$['a','a']", false), ("$[0:1]", false), ("$.a[?@.b].c", false),
  ])
  func singularIsDecidedByTheText(path: String, isSingular: Bool) throws {
    #expect(try JSONPath(path).isSingular == isSingular)
  }

  @Test(
    arguments: [
      .null, .bool(true), .number(Number(lexeme: "-1.50e3")), .text("it's \"é\" \\ \n\u{1}\u{7F}😀"),
    ] as [Value])
  func aScalarAsJSONIsALiteral(value: Value) throws {
    let json = value.jsonText().string
    let document = try JSONDocument(parsing: "[\(json), {}]")
    #expect(try JSONPath("$[?@ == \(json)]").nodes(in: document).map(\.value) == [value])
  }

  @Test func namesWithEscapesAreFound() throws {
    let document = try JSONDocument(parsing: #"{"\u0061\u00e9\ud83d\ude00": 1, "a\u0062": 2, "\u0061": 3}"#)
    for (path, value) in [("$['aé😀']", 1), ("$.ab", 2), ("$['\\u0061']", 3)] {
      #expect(try JSONPath(path).nodes(in: document).map(\.value) == [.integer(value)])
    }
  }

  /// The wrong part of each path stands between « and ».
  @Test(arguments: [
    ("«»", "the JSONPath is empty", "write `$` for the whole document"),
    ("«.»a", "a JSONPath starts with `$`", "write `$.a`"),
    ("«i»tems[0]", "a JSONPath starts with `$`", "write `$.items[0]`"),
    ("«@».a", "a JSONPath starts with `$`", "`@` is the current node inside of a filter, as in `$.items[?@.id == 1]`"),
    ("« »$.a", "a JSONPath does not start with white space", nil),
    ("$.a« »", "a JSONPath does not end with white space", nil),
    ("$«.»", "a name or `*` is missing after `.`", nil),
    ("$.a«..»", "a name or `*` is missing after `..`", nil),
    (
      "$.«1»2", "expected a name or `*` after `.`, found `1`",
      "write `[12]` for an item, `['12']` for a member of that name"
    ),
    ("$.« »a", "no white space may stand after `.`", nil),
    ("$.«[»0]", "expected a name or `*` after `.`, found `[`", "leave the dot out"),
    (
      "$.content«-»type", "expected `.`, `[` or the end of the path, found `-`",
      "a name with other characters than letters, digits and `_` stands in brackets: `['content-type']`"
    ),
    ("$«[]»", "the brackets are empty", "write `[*]` for all items or members"),
    ("$.a«[»0", "this `[` is never closed", "close it by `]`"),
    (
      "$[«i»d]", "expected an index, a slice, a quoted name, `*` or a filter `?…`, found `i`",
      "a name in brackets is quoted: `['id']`"
    ),
    ("$[0 «2»]", "expected `,` or `]` after a selector, found `2`", nil),
    ("$[«01»]", "an index has no leading zeros", nil),
    ("$[«-0»]", "-0 is not an index", nil),
    ("$[«9007199254740992»]", "the index is beyond ±9007199254740991", nil),
    ("$[«'»a]", "the string that starts here has no closing `'`", nil),
    ("$['«\\x»']", "`\\x` is not an escape of JSONPath", "a backslash itself is written `\\\\`"),
    ("$['«\\\"»']", "`\\\"` is not an escape of JSONPath", "the other kind of quote needs no backslash"),
    (
      "$['«\\ud800»']", "an escaped surrogate needs its partner",
      "a character beyond U+FFFF is a high and a low one, such as `\\ud83d\\ude00`"
    ),
    ("$[?@.a «=» 1]", "`=` is not an operator", "write `==`"),
    ("$[?@.a «=~» /x/]", "JSONPath has no operator `=~`", "write `match(@.a, '…')` or `search(@.a, '…')`"),
    ("$[?@.é == «True»]", "`True` is neither a literal nor a function", "write `true`"),
    (
      "$[?«id» == 1]", "`id` is neither a literal nor a function",
      "write `@.id` for a member of the current node, `'id'` for text"
    ),
    (
      "$[?«@.*» == 1]", "a query that may select several nodes cannot be compared",
      "name one node, use `value(…)` or `count(…)`, or filter inside of the query"
    ),
    ("$[?«'a'»]", "a literal is not a condition", "compare it: `@.a == 1`"),
    ("$[?«length(@.a)»]", "the result of this function is a value, no condition", "compare it: `length(@.a) > 1`"),
    (
      "$[?«match(@.a, 'x')» == true]", "the result of this function is true or false by itself",
      "leave the comparison out"
    ),
    ("$[?«length(@.a, @.b)» > 1]", "`length()` takes one argument, not 2", nil),
    (
      "$[?length(«@..a») > 1]", "`length()` takes a value, and this query may select several nodes",
      "`count(…)` counts nodes, `value(…)` is the value of a single one"
    ),
    ("$[?count(«1») > 1]", "`count()` takes a query, such as `@.items.*`", nil),
    (
      "$[?«starts»(@.a)]", "there is no function `starts()`",
      "the functions are `length()`, `count()`, `match()`, `search()`, `value()`"
    ),
    ("$[?«count» (@.*) == 1]", "`(` must follow the function's name at once", "write `count(…)`"),
    ("$[?match(@.a, «'a('»)]", "the pattern is not a regular expression: missing closing parenthesis", nil),
    ("$[?«!@.a ==» 1]", "`!` does not apply to a comparison", "write `!(… == …)`"),
    ("$[?(@.a«]»", "expected `&&`, `||` or `)`, found `]`", nil),
    ("$[?@.a == «01»]", "`01` is not a number", "numbers are written as in JSON: `-1`, `0.5`, `1e3`"),
  ])
  func tellsWhatIsWrongAndWhere(marked: String, message: String, help: String?) {
    let parts = marked.split(separator: "«", omittingEmptySubsequences: false)
    let path = marked.filter { $0 != "«" && $0 != "»" }
    let error = #expect(throws: JSONPathError.self) { try JSONPath(path) }
    #expect(error?.message == message)
    #expect(error?.help == help)
    let start = parts[0].utf8.count
    let length = parts[1].prefix { $0 != "»" }.utf8.count
    #expect(error?.range == start..<start + length)
  }

  @Test func nestingIsBounded() {
    let deep = "$[?" + String(repeating: "(", count: 100_000) + "@.a"
    let error = #expect(throws: JSONPathError.self) { try JSONPath(deep) }
    #expect(error?.message == "the path nests deeper than 64 levels")
    #expect(throws: JSONPathError.self) { try JSONPath(String(repeating: "$[?", count: 100_000)) }
  }
}

@Suite struct JSONPathWorkTests {
  private static func rows(_ count: Int) throws -> JSONDocument {
    let rows = (0..<count).map { #"{"id": \#($0), "name": "row \#($0)", "price": \#($0).50, "tags": ["a", "b"]}"# }
    return try JSONDocument(parsing: #"{"wanted": 99999, "rows": ["# + rows.joined(separator: ",") + "]}")
  }

  /// Linear queries stay linear on 100,000 rows: what a row asks of the whole document is asked once.
  @Test func queriesManyRows() throws {
    let document = try Self.rows(100_000)
    let expected: [(String, Int)] = [
      ("$.rows[*].id", 100_000),
      ("$..id", 100_000),
      ("$.rows[?@.id == $.wanted]", 1),
      ("$.rows[?@.price == 7.5]", 1),
      ("$.rows[?@.id < count($..tags)]", 100_000),
      ("$.rows[?search(@.name, '99$')]", 1000),
      ("$.rows[?@.tags == $.rows[0].tags]", 100_000),
      ("$.rows[?@.id < length($.rows)]", 100_000),
      ("$.rows[99999].id", 1),
    ]
    for (path, count) in expected {
      #expect(try JSONPath(path).nodes(in: document).count == count, "\(path)")
    }
  }

  @Test(arguments: [
    "$.rows[?count($.rows[?@.id == 1]) == count(@..[?@..[?@..*]])].*..*..*..*..*",
    "$..[?count($..*) > count(@..*..*..*)]..*..*..*",
    "$..*..*..*..*..*..*..*..*",
  ])
  func runawayQueriesEndWithAnError(path: String) throws {
    let nested = String(repeating: "[", count: 500) + "1,2" + String(repeating: ",3]", count: 500)
    let document = try JSONDocument(parsing: #"{"rows": [{"id": 1}, "# + nested + "]}")
    let error = #expect(throws: JSONPathError.self) { try JSONPath(path).nodes(in: document) }
    #expect(error?.message == "the query takes too much work on this document")
    #expect(error?.range == 0..<path.utf8.count)
  }

  @Test func endlessBacktrackingEndsTheQuery() throws {
    let document = try JSONDocument(parsing: "[\"" + String(repeating: "a", count: 40) + "!\"]")
    let path = "$[?match(@, '(a|a)+(a+)+b?')]"
    let error = #expect(throws: JSONPathError.self) { try JSONPath(path).nodes(in: document) }
    #expect(error?.message.contains("backtracks too much") == true)
    #expect(error?.range == 12..<27)
  }

  @Test func aPatternOfTheDocumentThatIsNoneMatchesNothing() throws {
    let document = try JSONDocument(parsing: #"{"pattern": "a(", "rows": ["a", "b"]}"#)
    #expect(try JSONPath("$.rows[?match(@, $.pattern)]").nodes(in: document).isEmpty)
    #expect(try JSONPath("$.rows[?!match(@, $.pattern)]").nodes(in: document).count == 2)
  }

  @Test func damagedPathsNeverCrash() throws {
    let document = try Self.rows(3)
    let alphabet = Array("$@.[]()?*:,'\"\\!=<>&|-019 aeé\u{1}")
    let seeds = [
      "$.rows[?@.id == 1 && (search(@['name'], \"r.w\") || !@.x)].tags[0:-1:2]",
      "$..['rows','id'][?count(@..*) >= 1.5e0 || value(@.a) != null][-1]",
    ]
    var state: UInt64 = 7
    func random(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int((state >> 33) % UInt64(bound))
    }
    var valid = 0
    for round in 0..<4000 {
      var characters = Array(seeds[round % seeds.count])
      for _ in 0...random(3) {
        let place = random(characters.count)
        switch random(3) {
        case 0: characters[place] = alphabet[random(alphabet.count)]
        case 1: characters.insert(alphabet[random(alphabet.count)], at: place)
        default: characters.remove(at: place)
        }
      }
      let text = String(characters)
      do throws(JSONPathError) {
        _ = try JSONPath(text).nodes(in: document)
        valid += 1
      } catch {
        #expect(error.range.lowerBound >= 0 && error.range.upperBound <= text.utf8.count)
      }
    }
    #expect(valid > 0 && valid < 4000)
  }

  /// Beyond some, they are looked up rather than walked to.
  @Test("members and items that are asked for one by one are those that a walk finds")
  func oneByOne() throws {
    let names = (0..<200).map { $0 % 50 == 7 ? "twice" : $0 == 100 ? "caf\\u00e9" : "k\($0)" }
    let members = names.enumerated().map { "\"\($1)\": [\($0), {\"k\($0)\": 0}]" }.joined(separator: ", ")
    let items = (0..<200).map { "[\($0)]" }.joined(separator: ", ")
    let document = try JSONDocument(parsing: "{\"a\": {\(members)}, \"l\": [\(items)]}")
    for _ in 0..<2 {
      for (place, name) in names.enumerated() where name != "twice" {
        let name = name == "caf\\u00e9" ? "café" : name
        #expect(document.node(at: try JSONPath("$.a['\(name)'][0]"))?.value == .integer(place))
      }
      for place in -200..<200 {
        #expect(document.node(at: try JSONPath("$.l[\(place)][0]"))?.value == .integer((place + 200) % 200))
      }
      #expect(document.node(at: try JSONPath("$.a.twice")) == nil)
      #expect(document.node(at: try JSONPath("$.a.none")) == nil)
      #expect(document.node(at: try JSONPath("$.l[200]")) == nil)
    }
  }
}
