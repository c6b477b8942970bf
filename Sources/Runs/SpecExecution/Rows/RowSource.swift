import DocumentQueries
import OperatingSystem
import RequestSpecs
import Templates
import Values
import YAMLNodes

/// The rows of a step, one after another.
package struct RowSource {
  private enum Content {
    case list([Value])
    case count
    case matrix([(name: String, values: [Value])])
    case records(CSVRows)
    case lines(JSONLines)
    case chain(NextRows)
  }

  let rows: RowsSpec
  private var content: Content
  var next = 0
  /// The number of rows; nil if it is only known at the end.
  package private(set) var count: Int?

  /// - Parameter counts: whether the number of rows is needed, even if the file must be read twice.
  package init(_ rows: RowsSpec, in scope: FileScope, counts: Bool) throws(TemplateError) {
    self.rows = rows
    switch rows.source {
    case .list(let list):
      var value = try list.resolve(in: scope)
      if scope.environment.openValues?.openRows == true, case .text(let text) = value, text.open != nil {
        value = .list([value])
      }
      guard case .list(let items) = value else {
        throw TemplateError("`each` takes a list of rows, found \(value.phrase)", at: list.range)
      }
      content = .list(items)
      count = items.count
    case .count(let field):
      content = .count
      count = try field.resolve(in: scope)
    case .matrix(let names):
      var lists: [(name: String, values: [Value])] = []
      var total = 1
      for (name, values) in names {
        let value = try values.resolve(in: scope)
        guard case .list(let items) = value else {
          throw TemplateError("`\(name)` takes a list of values, found \(value.phrase)", at: values.range)
        }
        guard let product = total.multiplied(by: items.count) else {
          throw TemplateError("the matrix has too many combinations", at: values.range)
        }
        total = product
        lists.append((name, items))
      }
      content = .matrix(lists)
      count = total
    case .next(_, let max):
      content = .chain(NextRows(max: try max?.resolve(in: scope) ?? 100))
    case .file(let format, let field):
      let reference = try field.resolve(in: scope)
      let path = reference.path.string
      do throws(DecodingProblem) {
        switch format {
        case .csv:
          let location = try RowSource.location(of: reference, at: field.range, in: scope)
          if counts {
            count = try RowSource.counted { () throws(DecodingProblem) in try CSVRows(location, path, rows) }
          }
          content = .records(try CSVRows(location, path, rows))
        case .jsonl:
          let location = try RowSource.location(of: reference, at: field.range, in: scope)
          if counts {
            count = try RowSource.counted { () throws(DecodingProblem) in try JSONLines(location, path, rows) }
          }
          content = .lines(try JSONLines(location, path, rows))
        case .json, .yaml:
          let bytes = try RowSource.bytes(of: reference, at: field.range, in: scope)
          let items = try RowSource.list(bytes, path, format, quotes: rows.secrets.isEmpty)
          content = .list(items)
          count = items.count
        }
      } catch {
        throw TemplateError(error, at: field.range)
      }
    }
  }

  /// The next row; nil after the last.
  package mutating func row() throws(TemplateError) -> Value? {
    defer { next += 1 }
    switch content {
    case .list(let items): return next < items.count ? try masked(items[next]) : nil
    case .count: return next < (count ?? 0) ? .integer(next) : nil
    case .matrix(let lists):
      guard next < (count ?? 0) else { return nil }
      var rest = next
      var members: [(String, Value)] = []
      for list in lists.reversed() {
        members.append((list.name, list.values[rest % list.values.count]))
        rest /= list.values.count
      }
      return try masked(.mapping(Mapping(members.reversed())))
    case .records(let records):
      do throws(DecodingProblem) { return try records.next() } catch {
        throw TemplateError(error, at: rows.range.firstLine)
      }
    case .chain(var rows):
      defer { content = .chain(rows) }
      return rows.take()
    case .lines(let lines):
      do throws(DecodingProblem) {
        return try lines.next().map { value throws(DecodingProblem) in try RowSource.withSecrets(value, rows) }
      } catch {
        throw TemplateError(error, at: rows.range.firstLine)
      }
    }
  }

  /// The line of the last row in its file; nil if it is in none with lines.
  var place: String? {
    switch content {
    case .records(let records): "line \(records.line) of \"\(records.path)\""
    case .lines(let lines): "line \(lines.line) of \"\(lines.path)\""
    case .list, .count, .matrix, .chain: nil
    }
  }

  /// Reads all rows and leaves the first; rows that depend on responses are none.
  mutating func takeAll() -> Result<[Value], TemplateError> {
    let limit = 100_000
    var all: [Value] = []
    do throws(TemplateError) {
      if case .chain = content { throw TemplateError("rows of `next` depend on responses", at: rows.range) }
      while let row = try row() {
        guard all.count < limit else { throw TemplateError("it has more than \(limit) rows", at: rows.range) }
        all.append(row)
      }
    } catch {
      return .failure(error)
    }
    next = 0
    content = .list(Array(all.prefix(1)))
    count = all.count
    return .success(all)
  }

  /// Takes the value that a row yields for the next one.
  ///
  /// - Returns: why it cannot be a row.
  mutating func follow(_ value: Value?) -> RowsFailure? {
    guard case .chain(var rows) = content else { return nil }
    defer { content = .chain(rows) }
    return rows.follow(value)
  }

  /// Indicates that no response had a value for the next row.
  var missesNext: Bool { if case .chain(let rows) = content { !rows.isFound } else { false } }

  private func masked(_ row: Value) throws(TemplateError) -> Value {
    do throws(DecodingProblem) {
      return try RowSource.withSecrets(row, rows)
    } catch {
      throw TemplateError(error, at: rows.secrets.first?.range ?? rows.range)
    }
  }

  /// A row whose secret columns are marked.
  private static func withSecrets(_ row: Value, _ rows: RowsSpec) throws(DecodingProblem) -> Value {
    guard !rows.secrets.isEmpty else { return row }
    let names = Set(rows.secrets.map(\.value))
    guard case .mapping(var mapping) = row else {
      throw DecodingProblem(.invalidFile, "`secrets` names columns, and the row is \(row.phrase)")
    }
    for index in mapping.members.indices where names.contains(mapping.members[index].key.string) {
      mapping.members[index].value = mapping.members[index].value.tainted
    }
    return .mapping(mapping)
  }

  static func counted(_ open: () throws(DecodingProblem) -> some RowReading) throws(DecodingProblem) -> Int {
    let reading = try open()
    var count = 0
    while try reading.next() != nil { count += 1 }
    return count
  }

  /// The path of a file; one that the command line names may be anywhere.
  static func location(
    of file: FileReference, at range: SourceRange, in scope: FileScope
  ) throws(DecodingProblem) -> String {
    if file.isFromCommand { return file.path.string }
    return try scope.fileAccess.locate(file.path.string, beside: range.source.name)
  }

  static func bytes(
    of file: FileReference, at range: SourceRange, in scope: FileScope
  ) throws(DecodingProblem) -> [UInt8] {
    let path = file.path.string
    guard file.isFromCommand else { return try scope.fileAccess.read(path, beside: range.source.name) }
    switch readFile(path, limit: FileAccess.sizeLimit) {
    case .success(let bytes): return bytes
    case .failure(let problem): throw DecodingProblem(.unreadableFile, "\"\(path)\" cannot be read: \(problem.reason)")
    }
  }

  /// - Parameter quotes: whether messages may quote the file.
  private static func list(
    _ bytes: [UInt8], _ path: String, _ format: RowsSpec.FileFormat, quotes: Bool
  ) throws(DecodingProblem) -> [Value] {
    var json = bytes
    if format == .yaml {
      var bag = DiagnosticBag()
      let (source, found) = YAMLReader.json(bytes: bytes, name: path, into: &bag)
      defer { withExtendedLifetime(source) {} }
      guard let found else {
        let error = bag.diagnostics.first { $0.severity == .error }
        let line = error?.range.map { ", line \($0.start.line)" } ?? ""
        let message = (quotes ? error?.message : nil) ?? "this is not YAML"
        throw DecodingProblem(.invalidFile, "\"\(path)\"\(line): \(message)", help: quotes ? error?.help : nil)
      }
      json = found
    }
    let document: JSONDocument
    do throws(JSONParseError) {
      document = try JSONDocument(parsing: json)
    } catch {
      let message = quotes ? error.message : "this is not JSON"
      throw DecodingProblem(.invalidFile, "\"\(path)\", line \(line(of: error.offset, in: json)): \(message)")
    }
    guard case .list(let items) = document.root.value else {
      var help: String?
      if case .mapping(let members) = document.root.value,
        let list = members.members.first(where: { $0.value.kind == .list })
      {
        help = "write the list in `\(jsonEscaped(list.key.masked))` alone into the file"
      }
      throw DecodingProblem(
        .invalidFile, "\"\(path)\" has \(document.root.value.phrase), and rows are a list", help: help)
    }
    return items
  }

  static func line(of offset: Int, in bytes: [UInt8]) -> Int { bytes.prefix(offset).count { $0 == 0x0A } + 1 }
}
