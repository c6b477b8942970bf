import DocumentQueries
import Matching
import Values

/// A value of a JSON report that is read.
struct ReportNode {
  let json: JSONNode
  /// The name of the member whose value it is.
  var name = ""
  /// The offset of the record that it is part of.
  let offset: Int
  let reading: ReportReading

  /// The value of a member; nil if there is none.
  func member(_ name: String) -> ReportNode? { json[member: name].map { with($0, name: name) } }

  /// Reads a member; nil if there is none.
  func value<Content>(_ name: String, _ form: ReportForm<Content>) throws(ReportFault) -> Content? {
    guard let member = member(name) else { return nil }
    return try form.read(member)
  }

  /// Another value of the same record.
  func with(_ json: JSONNode, name: String? = nil) -> ReportNode {
    ReportNode(json: json, name: name ?? self.name, offset: offset, reading: reading)
  }

  func missing(_ name: String) -> ReportFault { ReportFault("`\(name)` is missing", at: offset) }

  /// - Parameter form: the form of the value, such as `no text`.
  func fault(_ form: String) -> ReportFault { ReportFault("`\(name)` is \(form)", at: offset) }

  /// The mark in a text that a member has.
  func mark(_ mark: CharacterMark, in text: String) throws(ReportFault) -> Mark {
    guard let mark = mark.mark(in: text) else { throw with(json, name: "mark").fault("not part of the text") }
    return mark
  }
}

/// The state that the records of reports share while they are read.
final class ReportReading {
  /// The sources of places, which must live as long as the places are used.
  private var sources: [SourceFragment: SourceText] = [:]
  /// The lines around places of the record that is read, by the place.
  var surroundings: [String: [SourceLine]] = [:]

  func range(of fragment: SourceFragment) -> SourceRange {
    var fragment = fragment
    fragment.surroundings = surroundings["\(fragment.name):\(fragment.start.line):\(fragment.start.column)"] ?? []
    let source = sources[fragment] ?? SourceText(fragment)
    sources[fragment] = source
    return SourceRange(in: source, of: fragment)
  }
}

/// The reason why a text isn't a report that can be read.
struct ReportFault: Error {
  let message: String
  /// The offset of the record that is wrong; nil for the whole text.
  let offset: Int?

  init(_ message: String, at offset: Int? = nil) {
    self.message = message
    self.offset = offset
  }
}
