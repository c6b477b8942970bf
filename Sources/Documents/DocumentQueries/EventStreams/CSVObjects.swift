import OperatingSystem
import Values

/// The columns of a CSV text, which its first record names.
package struct CSVHead: Sendable {
  package struct Column: Sendable {
    package let name: String
    /// Indicates whether its cells are JSON: in the text, the name ends with `:=`.
    package let isJSON: Bool
  }

  package private(set) var columns: [Column] = []

  package init() {}

  package init(_ record: (cells: [String], line: Int)) throws(CSVParser.Problem) {
    let meter = EvaluationBudget.meter
    var names: Set<String> = []
    for cell in record.cells where !meter.isOver() {
      let isJSON = cell.hasSuffix(":=")
      let name = isJSON ? String(cell.dropLast(2)) : cell
      guard names.insert(name).inserted else {
        throw CSVParser.Problem(
          line: record.line, message: "two columns have the name \"\(jsonEscaped(name))\"", help: nil)
      }
      columns.append(Column(name: name, isJSON: isJSON))
    }
  }

  /// Checks that a record has a cell for each column.
  package func check(_ record: (cells: [String], line: Int)) throws(CSVParser.Problem) {
    guard record.cells.count != columns.count else { return }
    throw CSVParser.Problem(
      line: record.line,
      message: "the row has \(counted(record.cells.count, "cell")), and the head \(columns.count)",
      help: "put cells with commas or line breaks in quotes")
  }
}

/// The rows of a CSV text, each as a JSON object.
package struct CSVObjects: Sendable {
  private let text: [UInt8]
  private var position = 0
  private var parser = CSVParser()
  private var isAtEnd = false
  /// The head, and the beginning of each member.
  private var head: (columns: CSVHead, names: [[UInt8]])?

  package init(_ text: [UInt8]) {
    self.text = text
  }

  /// The next row; nil at the end, and once evaluation must end.
  package mutating func next() throws(CSVParser.Problem) -> [UInt8]? {
    if head == nil, let record = try record() {
      let columns = try CSVHead(record)
      head = (columns, columns.columns.map { Array("\"\(jsonEscaped($0.name))\":".utf8) })
    }
    guard let head, let record = try record() else { return nil }
    try head.columns.check(record)
    var row = [UInt8(ascii: "{")]
    for (index, cell) in record.cells.enumerated() {
      if index > 0 { row.append(UInt8(ascii: ",")) }
      row += head.names[index]
      let column = head.columns.columns[index]
      guard column.isJSON else {
        row += "\"\(jsonEscaped(cell))\"".utf8
        continue
      }
      let value = cell.isEmpty ? Array("null".utf8) : Array(cell.utf8)
      if let problem = jsonProblem(value) {
        throw CSVParser.Problem(
          line: record.line, message: "the cell of `\(jsonEscaped(column.name))` is not JSON: \(problem.message)",
          help: nil)
      }
      row += value
    }
    row.append(UInt8(ascii: "}"))
    return row
  }

  private mutating func record() throws(CSVParser.Problem) -> (cells: [String], line: Int)? {
    let start = position
    let text = text
    let found = text.withUnsafeBufferPointer { text -> Result<(cells: [String], line: Int)?, CSVParser.Problem> in
      do throws(CSVParser.Problem) {
        return .success(try parser.next(in: text, &position))
      } catch {
        return .failure(error)
      }
    }
    if EvaluationBudget.meter.isOver(after: position - start) { return nil }
    if let record = try found.get() { return record }
    if isAtEnd { return nil }
    isAtEnd = true
    return try parser.finish()
  }
}
