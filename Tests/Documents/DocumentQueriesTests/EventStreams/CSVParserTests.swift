import DocumentQueries
import Testing

@Suite("CSV (RFC 4180)")
struct CSVParserTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let text: String
    let records: [[String]]
    let lines: [Int]

    init(_ testDescription: String, _ text: String, _ records: [[String]], lines: [Int]) {
      self.testDescription = testDescription
      self.text = text
      self.records = records
      self.lines = lines
    }
  }

  static let cases = [
    Case("plain", "a,b\n1,2\n", [["a", "b"], ["1", "2"]], lines: [1, 2]),
    Case("CR and LF, without a last break", "a,b\r\n1,2", [["a", "b"], ["1", "2"]], lines: [1, 2]),
    Case("quotes", "\"a,1\",\"b \"\"c\"\"\"\r\n", [["a,1", "b \"c\""]], lines: [1]),
    Case("line breaks in quotes", "\"a\nb\",c\nd,e\n", [["a\nb", "c"], ["d", "e"]], lines: [1, 3]),
    Case("a byte order mark", "\u{FEFF}a,b\n", [["a", "b"]], lines: [1]),
    Case("empty cells", ",\n\"\",\"\"\n", [["", ""], ["", ""]], lines: [1, 2]),
    Case("blank lines", "a\n\n\r\nb\n\n", [["a"], ["b"]], lines: [1, 4]),
    Case("an empty cell in quotes is a record", "\"\"\n", [[""]], lines: [1]),
    Case("nothing", "", [], lines: []),
  ]

  private static func records(_ text: String, chunk: Int) throws(CSVParser.Problem) -> [(cells: [String], line: Int)] {
    var parser = CSVParser()
    var records: [(cells: [String], line: Int)] = []
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let piece = Array(rest.prefix(chunk))
      rest = rest.dropFirst(chunk)
      var result = Result<Void, CSVParser.Problem>.success(())
      piece.withUnsafeBufferPointer { bytes in
        var position = 0
        do throws(CSVParser.Problem) {
          while let record = try parser.next(in: bytes, &position) { records.append(record) }
          // A blank line ends no record, and more may follow it.
          while position < bytes.count {
            if let record = try parser.next(in: bytes, &position) { records.append(record) }
          }
        } catch {
          result = .failure(error)
        }
      }
      try result.get()
    }
    if let last = try parser.finish() { records.append(last) }
    return records
  }

  @Test("records and their lines, whatever the chunks", arguments: cases, [1, 2, 3, 1000])
  func reads(_ test: Case, chunk: Int) throws {
    let records = try Self.records(test.text, chunk: chunk)
    #expect(records.map(\.cells) == test.records)
    #expect(records.map(\.line) == test.lines)
  }

  @Test(
    "errors have their line",
    arguments: [
      ("a\nb\"c\n", 2, "a quote stands inside a cell without quotes around it"),
      ("a\n\"b\"c\n", 2, "text stands after the closing quote of a cell"),
      ("a\n\"b\n\nc", 2, "a quote is not closed"),
    ])
  func fails(_ text: String, line: Int, message: String) {
    let problem = #expect(throws: CSVParser.Problem.self) { try Self.records(text, chunk: 2) }
    #expect(problem?.line == line && problem?.message == message)
  }
}
