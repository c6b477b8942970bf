import RequestSpecs
import SpecExecution
import Templates
import TestSupport
import Testing
import Values

/// The rows of files, as `each` reads them.
@Suite("Rows of files")
struct RowSourceTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let file: String
    let content: String
    /// Each row as JSON, and after them the error.
    let rows: [String]

    init(_ testDescription: String, _ content: String, _ rows: [String], file: String = "rows.csv") {
      self.testDescription = testDescription
      self.content = content
      self.rows = rows
      self.file = file
    }
  }

  static let csv = [
    Case("one row", "a,b\n1,2\n", [#"{"a":"1","b":"2"}"#]),
    Case("no rows", "a,b\n", []),
    Case("no rows, and no line break", "a,b", []),
    Case("cells stay text", "a\n007\n1e3\ntrue\n", [#"{"a":"007"}"#, #"{"a":"1e3"}"#, #"{"a":"true"}"#]),
    Case("quotes", "a,b\n\"x, y\",\"say \"\"hi\"\"\"\n", [#"{"a":"x, y","b":"say \"hi\""}"#]),
    Case("line breaks in quotes", "a\n\"x\r\ny\"\n", [#"{"a":"x\r\ny"}"#]),
    Case("CR and LF", "a,b\r\n1,2\r\n3,4\r\n", [#"{"a":"1","b":"2"}"#, #"{"a":"3","b":"4"}"#]),
    Case("a byte order mark", "\u{FEFF}a\n1\n", [#"{"a":"1"}"#]),
    Case("a byte order mark before quotes", "\u{FEFF}\"a\"\n1\n", [#"{"a":"1"}"#]),
    Case("empty cells", "a,b,c\n,\"\",\n", [#"{"a":"","b":"","c":""}"#]),
    Case("blank lines", "a\n\n1\n\n", [#"{"a":"1"}"#]),
    Case("spaces stay", "a , b\n 1, 2 \n", [#"{"a ":" 1"," b":" 2 "}"#]),
    Case("NUL", "a,b\nx\0y,\0\n", [#"{"a":"x\u0000y","b":"\u0000"}"#]),
    Case(
      "JSON cells", "age:=,tags:=,name\n7,\"[1,\"\"x\"\"]\",ann\n,null,bob\n",
      [#"{"age":7,"tags":[1,"x"],"name":"ann"}"#, #"{"age":null,"tags":null,"name":"bob"}"#]),
    Case("numbers of JSON cells are exact", "n:=\n1.10\n", [#"{"n":1.10}"#]),
    Case(
      "a cell that is not JSON", "age:=\n7\nseven\n8\n",
      [#"{"age":7}"#, "line 3: the cell of `age` is not JSON: expected a value, found `seven`"]),
    Case(
      "too few cells", "a,b\n1,2\n3\n4,5\n",
      [#"{"a":"1","b":"2"}"#, "line 3: the row has 1 cell, and the head 2"]),
    Case("too many cells", "a,b\n1,2,\n", ["line 2: the row has 3 cells, and the head 2"]),
    Case(
      "lines are those of the file", "a\n\"1\n2\"\n\n3,4\n",
      [#"{"a":"1\n2"}"#, "line 5: the row has 2 cells, and the head 1"]),
    Case("two columns of one name", "a,b,a\n", ["line 1: two columns have the name \"a\""]),
    Case("two columns of one name, one of JSON", "a,a:=\n", ["line 1: two columns have the name \"a\""]),
    Case("an open quote", "a\n1\n\"2\n3\n", [#"{"a":"1"}"#, "line 3: a quote is not closed"]),
    Case("a quote in a cell", "a\n1\"2\n", ["line 2: a quote stands inside a cell without quotes around it"]),
    Case("text behind a quote", "a\n\"1\"2\n", ["line 2: text stands after the closing quote of a cell"]),
    Case("an empty file", "", ["\"rows.csv\" is empty"]),
    Case("a byte order mark alone", "\u{FEFF}", ["\"rows.csv\" is empty"]),
  ]

  static let others = [
    Case("values in lines", "1\n{\"a\": [true]}\n\n\"x\"", ["1", #"{"a":[true]}"#, #""x""#], file: "rows.jsonl"),
    Case("no lines", "\n\n", [], file: "rows.jsonl"),
    Case(
      "a broken line", "1\n\n{\n2\n", ["1", "line 3: "], file: "rows.jsonl"),
    Case("a list", "[1, {\"a\": null}]", ["1", #"{"a":null}"#], file: "rows.json"),
    Case("an empty list", "[]", [], file: "rows.json"),
    Case("no list", "{\"a\": 1}", ["\"rows.json\" has a mapping, and rows are a list"], file: "rows.json"),
    Case("broken JSON", "[1,\n2,,3]", ["\"rows.json\", line 2: "], file: "rows.json"),
    Case("a list in YAML", "- a\n- {b: 1}\n", [#""a""#, #"{"b":1}"#], file: "rows.yaml"),
    Case("broken YAML", "- a\n- {b: 1\n", ["\"rows.yaml\", line 2: this `{` is never closed"], file: "rows.yaml"),
  ]

  /// The rows of a file as JSON, and after them the message of the error.
  private static func rows(_ content: String, named name: String) throws -> (rows: [String], count: Int?) {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write([name: content])
    let path = "\(folder.path)/\(name)"
    let source = SourceText(name: "test.yaml", text: "each\n")
    let spec = try #require(RowsSpec(fileFromCommand: path, range: SourceRange(source, 0..<4)))
    let environment = RunEnvironment(runValues: [:], seed: 1) { _ in FileAccess(root: folder.path) }
    let scope = FileScope(
      environment: environment, names: DeclaredNames(path: "test.yaml"), secrets: SecretRegistry(), seed: RandomSeed(1))
    var rows: [String] = []
    var count: Int?
    do throws(TemplateError) {
      var reading = try RowSource(spec, in: scope, counts: false)
      while let row = try reading.row() { rows.append(row.jsonText().string) }
      count = try RowSource(spec, in: scope, counts: true).count
    } catch {
      rows.append(error.message.replacing(path, with: name))
    }
    return (rows, count)
  }

  @Test("each row, and the error with its line", arguments: csv + others)
  func reads(_ test: Case) throws {
    let (rows, count) = try Self.rows(test.content, named: test.file)
    try #require(rows.count == test.rows.count, "\(rows)")
    for (row, expected) in zip(rows, test.rows) {
      let isRow = expected.hasPrefix("{") || count != nil
      #expect(isRow ? row == expected : row.contains(expected), "\(row)")
    }
    if let count { #expect(count == test.rows.count) }
  }

  @Test("a huge cell")
  func hugeCell() throws {
    let (rows, count) = try Self.rows("a\n\(String(repeating: "x", count: 1 << 20))\n", named: "rows.csv")
    #expect(count == 1)
    #expect(rows.first?.utf8.count == (1 << 20) + 8)
  }
}
