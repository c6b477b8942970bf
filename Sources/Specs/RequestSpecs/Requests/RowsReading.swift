import Templates
import Values
import YAMLNodes

/// The rows of `each` while they are read.
struct RowsDraft {
  var sources: [(source: RowsSpec.Source?, range: SourceRange, name: String)] = []
  var min: Field<Int>?
  var parallel: Field<Int>?
  var name: Field<Text>?
  var failFast: Field<Bool>?
  var secrets: [Located<String>] = []
  var max: (count: Field<Int>, range: SourceRange)?
  var parallelRange: SourceRange?
  var secretsRange: SourceRange?

  static let shape = SchemaShape.list(of: .anything).orTemplate.or(keys.shape())

  fileprivate static func file(_ format: RowsSpec.FileFormat, _ documentation: String) -> Key<RowsDraft> {
    Key(format.rawValue, documentation, ValueDecoder<FileReference>.filePath.shape.orTemplate) { reader, member, rows in
      let path = reader.field(member.value, .filePath)
      rows.sources.append((path.map { .file(format, $0) }, member.keyRange, member.key))
    }
  }

  static let keys = Keys<RowsDraft>(
    [
      Key(
        "in", "a list, or a template that yields one", synonyms: "list items values rows data of",
        SchemaShape.list(of: .anything).orTemplate
      ) { reader, member, rows in
        let list = reader.rowList(member.value)
        rows.sources.append((list.map { .list($0) }, member.keyRange, member.key))
      },
      file(.csv, "a CSV file (RFC 4180) with a head; cells are text, those of a column headed `age:=` JSON"),
      file(.json, "a JSON file with a list"),
      file(.jsonl, "a file with a JSON value in each line"),
      file(.yaml, "a YAML file with a list"),
      Key(
        "count", "a number of rows; `row` is the index", synonyms: "times repeat iterations n",
        ValueDecoder<Int>.integer(0...1_000_000_000).shape.orTemplate
      ) { reader, member, rows in
        let count = reader.field(member.value, .integer(0...1_000_000_000))
        rows.sources.append((count.map { .count($0) }, member.keyRange, member.key))
      },
      Key(
        "matrix", "a list for each name: a row for each combination, the last name changes fastest",
        synonyms: "product combinations", .names(of: SchemaShape.list(of: .anything).orTemplate)
      ) { reader, member, rows in
        rows.sources.append((reader.matrix(member.value), member.keyRange, member.key))
      },
      Key(
        "next", "of a request: a source as of a capture, whose value is the next row until there is none",
        synonyms: "cursor paginate pagination next_page", captureShape
      ) { reader, member, rows in
        let capture = reader.capture(member.value)
        rows.sources.append((capture.map { .next($0, max: nil) }, member.keyRange, member.key))
      },
      Key(
        "max", "with `next`: the maximum number of rows; 100 by default", synonyms: "max_rows max_pages limit",
        ValueDecoder<Int>.integer(1...1_000_000).shape.orTemplate
      ) { reader, member, rows in
        rows.max = reader.field(member.value, .integer(1...1_000_000)).map { ($0, member.keyRange) }
      },
      Key(
        "min", "the smallest number of rows; 1 by default, 0 allows none", synonyms: "min_rows at_least",
        ValueDecoder<Int>.integer(0...1_000_000_000).shape.orTemplate
      ) { $2.min = $0.field($1.value, .integer(0...1_000_000_000)) },
      Key(
        "parallel", "how many rows run in parallel; 1 by default", synonyms: "concurrency workers jobs max_parallel",
        ValueDecoder<Int>.integer(1...1000).shape.orTemplate
      ) { reader, member, rows in
        rows.parallel = reader.field(member.value, .integer(1...1000))
        rows.parallelRange = member.keyRange
      },
      Key("name", "the name of a row in reports, such as `\"${{ row.sku }}\"`", .field(.scalarText)) { $0.name = $1 },
      Key(
        "fail_fast", "`true` starts no more rows after one has failed", synonyms: "failFast stop_on_failure",
        .field(.boolean)
      ) { $0.failFast = $1 },
      Key("secrets", "the columns whose values are masked", synonyms: "secret mask", SchemaShape.text.orList) {
        $2.secrets = $0.stringList($1.value, as: "secrets")
        $2.secretsRange = $1.keyRange
      },
    ],
    advice: ["file": "write the kind of the file: {csv: …}, {json: …}, {jsonl: …} or {yaml: …}"],
    shape: "a list, a template that yields one, or {csv: …}, {json: …}, {jsonl: …}, {yaml: …}, {count: …}, {matrix: …}")
}

extension SpecReader {
  /// - Parameter isOfRequest: whether they are those of a request, whose response may yield the next one.
  mutating func rows(_ node: YAMLNode, isOfRequest: Bool = false) -> RowsSpec? {
    let rows = readRows(node, isOfRequest: isOfRequest)
    if rows == nil { missedNames.add(node, under: "each") }
    return rows
  }

  private mutating func readRows(_ node: YAMLNode, isOfRequest: Bool) -> RowsSpec? {
    guard isUsable(node) else { return nil }
    guard node.members != nil else {
      return withRows(rowList(node).map { RowsSpec(source: .list($0), range: node.range) })
    }
    let errorsBefore = bag.errorCount
    var draft = RowsDraft()
    visit(node, as: "`each`", keys: RowsDraft.keys, into: &draft)
    guard let first = draft.sources.first else {
      if bag.errorCount == errorsBefore {
        bag.error(
          .missingKey, "`each` has no rows", at: node.range.firstLine,
          help: "add `in` with a list, `csv`, `json`, `jsonl` or `yaml` with a path, `count`, or `matrix`"
            + (isOfRequest ? ", or `next`" : ""))
      }
      return nil
    }
    for other in draft.sources.dropFirst() {
      bag.error(
        .conflictingKeys, "`each` has one of `\(first.name)` and `\(other.name)`", at: other.range,
        notes: [Diagnostic.Note("the other stands here", at: first.range)], help: "write `matrix` for combinations")
    }
    guard var source = first.source else { return nil }
    if case .next(let capture, _) = source {
      guard isOfRequest else {
        return reject(
          .misplacedKey, "`next` belongs to the `each` of a request, whose response has the value", at: first.range,
          help: "write `each: {next: …}` in the request that is sent again")
      }
      checkNext(draft)
      source = .next(capture, max: draft.max?.count)
    } else if let max = draft.max {
      bag.error(.orphanedKey, "`max` belongs to `next`", at: max.range, help: "write the rows that should run")
    }
    return withRows(
      RowsSpec(
        source: source, min: draft.min, parallel: draft.parallel, name: draft.name, failFast: draft.failFast,
        secrets: draft.secrets, range: node.range))
  }

  /// Reports that there are no rows.
  private mutating func withRows(_ rows: RowsSpec?) -> RowsSpec? {
    guard let rows, rows.knownCount == 0, rows.min == nil else { return rows }
    bag.error(
      .nothingToRun, "`each` has no rows, so nothing runs", at: rows.range.firstLine,
      help: "write the rows; if there may be none: {in: [], min: 0}")
    return nil
  }

  /// Reports what cannot stand beside `next`.
  private mutating func checkNext(_ draft: RowsDraft) {
    if let range = draft.parallelRange {
      bag.error(
        .conflictingKeys, "`parallel` cannot stand beside `next`: each row needs the response of the one before",
        at: range, help: "remove it")
    }
    if let range = draft.secretsRange {
      bag.error(
        .orphanedKey, "`secrets` names columns, and the rows of `next` have none", at: range,
        help: "write `secret: true` in `next`: {json: $.next, secret: true}")
    }
  }

  /// A list, or a template.
  fileprivate mutating func rowList(_ node: YAMLNode) -> ValueTemplate? {
    checkSwallowedKeys(node, as: "each", fate: "a column of a row in")
    guard let value = valueTemplate(node) else { return nil }
    if node.items != nil || value.isTemplate { return value }
    return reject(
      .wrongType, "`each` takes a list of rows, found \(node.kindPhrase)", at: node,
      help: node.scalar.map { scalar in
        Int(scalar.text) != nil
          ? "write {count: \(scalar.text)}"
          : RowsSpec.FileFormat.allCases.first { scalar.text.hasSuffix(".\($0.rawValue)") }.map {
            "write {\($0.rawValue): \(scalar.text)}"
          } ?? "write a list, or `each: {csv: …}`"
      })
  }

  fileprivate mutating func matrix(_ node: YAMLNode) -> RowsSpec.Source? {
    guard isUsable(node) else { return nil }
    guard let members = node.members, !members.isEmpty else {
      return reject(
        .wrongType,
        node.members == nil
          ? "`matrix` is a mapping from names to lists, found \(node.kindPhrase)"
          : "`matrix` is empty: it has no list to combine", at: node, help: "write {size: [s, m], colour: [red, blue]}")
    }
    let values = members.map { member in rowList(member.value).map { (name: member.key, values: $0) } }
    let known = values.compactMap(\.self)
    return known.count == values.count ? .matrix(known) : nil
  }
}
