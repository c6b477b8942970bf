import DocumentQueries
import Templates
import Values

/// Checks that what runs for rows reads them, and that a list isn't given as one row.
struct UnreadRows {
  let requests: [PlannedRequest]
  let flows: [FlowSpec]
  /// The beginning of a file.
  let beginning: (FileReference, SourceRange) -> [UInt8]?

  func run(into bag: inout DiagnosticBag) {
    for request in requests {
      guard let rows = request.spec.rows else { continue }
      check(rows, readBy: request.templates, into: &bag)
      checkCondition(request.spec.settings.when.value, of: rows, into: &bag)
    }
    for (index, flow) in flows.enumerated() {
      guard let rows = flow.rows else { continue }
      checkCondition(flow.when, of: rows, into: &bag)
      let own = requests.filter { $0.flow == index }
      let ofFlow = (flow.name?.templates ?? []) + flow.conditionTemplates + flow.variables.templates
      let templates = own.flatMap(\.templates) + ofFlow + rows.rowTemplates
      check(rows, readBy: templates, into: &bag)
    }
  }

  private func check(_ rows: RowsSpec, readBy templates: [Template], into bag: inout DiagnosticBag) {
    checkSingleRow(rows, into: &bag)
    // A swallowed `expect` was reported where it was read.
    let columns = rows.columns.filter { column in
      !columnsForPeople.contains(column.lowercased()) && column != "expect" && column != "capture"
    }
    let references = templates.flatMap(\.references)
    let read = references.filter { $0.name == "row" }
    checkColumns(rows, read: read, into: &bag)
    if !references.contains(where: { rowNames.contains($0.name) }), let (range, reading) = rows.values {
      bag.warning(.suspiciousRows, "nothing reads these rows: each sends the same", at: range, help: "write \(reading)")
      return
    }
    // A whole row may be sent or compared.
    guard !columns.isEmpty, read.allSatisfy({ $0.member != nil }) else { return }
    let idle = columns.filter { column in !read.contains { $0.member == column } }
    guard let first = idle.first else { return }
    let names = idle.prefix(8).map { "`\(jsonEscaped($0))`" }.joined(separator: ", ")
    bag.warning(
      .suspiciousRows, "nothing reads \(names) of these rows", at: rows.range.firstLine,
      help: "write `${{ row.\(jsonEscaped(first)) }}` where it belongs, or remove it")
  }

  /// Warns of columns that a file has by another name, which a default would hide.
  private func checkColumns(_ rows: RowsSpec, read: [TemplateReference], into bag: inout DiagnosticBag) {
    let wanted = Set(read.filter(\.hasDefault).compactMap(\.member))
    guard !wanted.isEmpty, case .file(.csv, let field) = rows.source, let reference = field.literal,
      let columns = beginning(reference, field.range).flatMap(columns)
    else { return }
    for name in wanted.sorted() where !columns.contains(name) {
      let isPadded = columns.contains { $0.trimming { $0 == " " } == name[...] }
      guard isPadded || unsplitColumns(with: name, among: columns) != nil else { continue }
      bag.warning(
        .suspiciousRows,
        isPadded
          ? "the column of `\(jsonEscaped(name))` has a blank in its name"
          : "this file has one column: those of CSV are separated by commas",
        at: field.range, help: isPadded ? "remove the blank from the first line" : "write commas in the file")
    }
  }

  /// The names of columns at the beginning of a file; nil if it is not CSV.
  private func columns(_ bytes: [UInt8]) -> [String]? {
    var (parser, position) = (CSVParser(), 0)
    guard let record = try? bytes.withUnsafeBufferPointer({ try parser.next(in: $0, &position) }) else { return nil }
    return (try? CSVHead(record))?.columns.map(\.name)
  }

  /// Warns of a condition on the index of a row that holds for none of a known number.
  private func checkCondition(_ when: Field<Bool>?, of rows: RowsSpec, into bag: inout DiagnosticBag) {
    guard let when, let count = rows.knownCount, (1...1000).contains(count),
      case let names = when.templates.flatMap(\.references).map(\.name), names.contains("row_index"),
      names.allSatisfy({ ["row_index", "row_count"].contains($0) }),
      // Functions may be random.
      !when.templates.contains(where: { $0.range.text.contains { $0 == "(" || $0 == "|" } }),
      (0..<count).allSatisfy({ (try? when.resolve(in: RowNumberScope(index: $0, count: count))) == false })
    else { return }
    bag.warning(
      .alwaysFalse, count == 1 ? "this does not hold for the only row" : "this holds for none of the \(count) rows",
      at: when.range,
      help: "`row_index` is \(count == 1 ? "0" : "from 0 to \(count - 1)")")
  }

  /// Warns of a list with one item, a template whose value is a list: it is one row.
  private func checkSingleRow(_ rows: RowsSpec, into bag: inout DiagnosticBag) {
    if case .list(let list) = rows.source, case .list(let items)? = list.literal, items.count == 1,
      case .text(let text) = items[0], text.string.contains(","), !text.string.contains(" ")
    {
      bag.warning(
        .suspiciousRows, "this is one row with all of the text", at: list.range,
        help: "write `each: [\(jsonEscaped(text.masked))]`")
    }
    guard case .list(let list) = rows.source, case .list(let items) = list.content, items.count == 1,
      case .template(let template) = items[0].content, template.isWhole, template.references.count == 1,
      let reference = template.references.first, reference.member == nil,
      template.range.text.filter({ !"${} \"'".contains($0) }) == reference.name, yieldsList(reference.name)
    else { return }
    bag.warning(
      .suspiciousRows, "`\(reference.name)` is a list, and this is one row with all of it", at: items[0].range,
      help: "write `each: ${{ \(reference.name) }}` for a row of each item")
  }

  /// Returns whether all captures of a name are lists.
  private func yieldsList(_ name: String) -> Bool {
    let captures = requests.flatMap(\.settings.capture.entries).filter { $0.key.text == name }.compactMap(\.value)
    return !captures.isEmpty
      && captures.allSatisfy { capture in
        capture.sources.allSatisfy { source in
          guard source.extraction == nil, case .json(let path) = source.subject else { return false }
          return path.compiled?.isSingular == false
        }
      }
  }
}

/// Columns that describe a row.
private let columnsForPeople: Set = [
  "name", "title", "description", "comment", "note", "label", "case", "reason", "why",
]

extension RowsSpec {
  /// The place of rows with values of their own, and what reads one; nil for rows that may only repeat.
  fileprivate var values: (place: SourceRange, reading: String)? {
    switch source {
    case .file(_, let path): (path.range, "`${{ row.name }}` with a column")
    case .list(let list):
      if case .list(let items)? = list.literal, items.count > 1,
        items.allSatisfy({ [.text, .number].contains($0.kind) }),
        !list.countsUp || ![Value.number(Number(0)), .number(Number(1))].contains(items[0])
      {
        (list.range, "`${{ row }}` for its value")
      } else {
        nil
      }
    case .matrix, .count, .next: nil
    }
  }

  /// The names of rows that stand in the file; empty if there may be others.
  fileprivate var columns: [String] {
    switch source {
    case .list(let list):
      let first: ValueTemplate? =
        switch list.content {
        case .literal(.list(let items)): items.first.map { ValueTemplate(content: .literal($0), range: range) }
        case .list(let items): items.first
        default: nil
        }
      return switch first?.content {
      case .literal(.mapping(let row)): row.members.map(\.key.string)
      case .mapping(let members): members.map(\.key.text)
      default: []
      }
    case .matrix(let names): return names.filter { !$0.values.countsUp }.map(\.name)
    case .file, .count, .next: return []
    }
  }
}

extension ValueTemplate {
  /// Indicates whether it is a list such as 1, 2, 3, whose only purpose is to repeat.
  fileprivate var countsUp: Bool {
    guard case .list(let items)? = literal, items.count > 1, case .number(let number) = items[0],
      let first = number.int, !first.addingReportingOverflow(items.count).overflow
    else { return false }
    return items.indices.allSatisfy { items[$0] == .number(Number(first + $0)) }
  }
}

/// The names for the number of a row, and nothing else.
private struct RowNumberScope: TemplateScope {
  let index: Int
  let count: Int

  var names: [String] { ["row_index", "row_count"] }

  func lookup(_ name: String) throws(TemplateError) -> TemplateLookup {
    .value(.integer(name == "row_index" ? index : count))
  }

  func environmentVariable(_ name: String) -> Text? { nil }
  func now() -> Timestamp { .now }
  func nextRandom() -> UInt64 { 0 }
  func readFile(_ path: String, from range: SourceRange) throws(TemplateError) -> [UInt8] {
    throw TemplateError("no file is read here", at: range)
  }
}
