import Templates
import Values

/// `each`: the rows for which a request, a flow or a file runs.
package final class RowsSpec: Sendable {
  package enum FileFormat: String, Sendable, CaseIterable {
    case csv, json, jsonl, yaml
  }

  package enum Source: Sendable {
    /// A list, or a template that yields one.
    case list(ValueTemplate)
    case file(FileFormat, Field<FileReference>)
    case count(Field<Int>)
    /// All combinations of the values of each name; the last name changes fastest.
    case matrix([(name: String, values: ValueTemplate)])
    /// The value that each response yields for the next row, until there is none; the first row is null.
    case next(CaptureSpec, max: Field<Int>?)
  }

  /// The name under which a request captures the value of the next row; no template can read it.
  package static let nextCapture = "each.next"

  package let source: Source
  /// The smallest number of rows; nil is 1.
  package let min: Field<Int>?
  package let parallel: Field<Int>?
  /// The name of a row; nil is its index.
  package let name: Field<Text>?
  package let failFast: Field<Bool>?
  /// The columns whose values are masked.
  package let secrets: [Located<String>]
  package let range: SourceRange

  init(
    source: Source, min: Field<Int>? = nil, parallel: Field<Int>? = nil, name: Field<Text>? = nil,
    failFast: Field<Bool>? = nil,
    secrets: [Located<String>] = [], range: SourceRange
  ) {
    self.source = source
    self.min = min
    self.parallel = parallel
    self.name = name
    self.failFast = failFast
    self.secrets = secrets
    self.range = range
  }

  /// Creates the rows of a file that the command line names; nil if the path does not end in one of the formats.
  ///
  /// - Parameter path: relative to the working directory.
  package convenience init?(fileFromCommand path: String, range: SourceRange) {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: ".") else { return nil }
    let ending = name[name.index(after: dot)...].lowercased()
    let other: [String: FileFormat] = ["yml": .yaml, "ndjson": .jsonl]
    guard let format = FileFormat(rawValue: ending) ?? other[ending] else { return nil }
    let reference = FileReference(Text(path), isFromCommand: true)
    self.init(source: .file(format, Field(literal: reference, range: range)), range: range)
  }

  /// The templates that are evaluated before the first row.
  package var sourceTemplates: [Template] {
    let own: [Template] =
      switch source {
      case .list(let list): list.templates
      case .file(_, let path): path.templates
      case .count(let count): count.templates
      case .matrix(let names): names.flatMap(\.values.templates)
      case .next(_, let max): max?.templates ?? []
      }
    return own + (min?.templates ?? []) + (parallel?.templates ?? []) + (failFast?.templates ?? [])
  }

  /// The capture of the next row's value.
  package var next: CaptureSpec? { if case .next(let capture, _) = source { capture } else { nil } }

  /// The number of rows; nil if it is only known during the run.
  package var knownCount: Int? {
    switch source {
    case .list(let list): list.itemCount
    case .count(let count): count.literal
    case .matrix(let names):
      names.reduce(1) { product, name in
        guard let product, let count = name.values.itemCount else { return nil }
        return product.multiplied(by: count) ?? .max
      }
    case .file, .next: nil
    }
  }

  /// The templates that are evaluated for each row.
  package var rowTemplates: [Template] { name?.templates ?? [] }

  /// Indicates whether the rows are read while they run, so that their number is unknown.
  package var isStream: Bool {
    switch source {
    case .file(.csv, _), .file(.jsonl, _): true
    default: false
    }
  }
}

extension ValueTemplate {
  /// The number of the items of a list; nil for a template.
  fileprivate var itemCount: Int? {
    switch content {
    case .literal(.list(let items)): items.count
    case .list(let items): items.count
    default: nil
    }
  }
}
