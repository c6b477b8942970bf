import SpecExecution
import Values

/// An object of the JSON report, as a table of its members: what writes and reads reports, and their JSON Schema, follow
/// it.
struct ReportRecord<Subject: Sendable>: Sendable {
  struct Member: Sendable {
    let name: String
    /// One line, without a full stop.
    let documentation: String
    let shape: SchemaShape
    let isOptional: Bool
    /// Indicates whether other members need it to be read.
    var isReadFirst = false
    /// Writes the member, or nothing.
    let write: @Sendable (Subject, inout JSONLine) -> Void
    /// Reads the member of an object; missing ones leave the subject as it is.
    let read: @Sendable (ReportNode, inout Subject) throws(ReportFault) -> Void
  }

  /// The subject before its members are read: missing ones leave its values.
  let blank: Subject
  let members: [Member]

  init(_ blank: Subject, _ members: Member...) {
    self.blank = blank
    self.members = members
  }

  var shape: SchemaShape {
    .keys(
      members.map { SchemaShape.Key($0.name, $0.documentation, $0.shape) },
      needed: members.filter { !$0.isOptional }.map(\.name))
  }

  /// The object as the value of a member.
  var form: ReportForm<Subject> {
    ReportForm(shape: shape, kind: .mapping, fault: "not an object") { subject, line in
      write(subject, to: &line)
    } read: { node throws(ReportFault) in
      try read(node)
    }
  }

  func write(_ subject: Subject, to line: inout JSONLine) {
    line.beginObject()
    writeMembers(of: subject, to: &line)
    line.endObject()
  }

  func writeMembers(of subject: Subject, to line: inout JSONLine) {
    for member in members { member.write(subject, &line) }
  }

  /// The object as JSON in one line.
  func json(of subject: Subject) -> [UInt8] {
    var line = JSONLine()
    write(subject, to: &line)
    return line.bytes
  }

  func read(_ node: ReportNode) throws(ReportFault) -> Subject { try read(node, into: blank) }

  /// - Parameter subject: has what isn't a member, and the values of missing ones.
  func read(_ node: ReportNode, into subject: Subject) throws(ReportFault) -> Subject {
    var subject = subject
    for member in members where member.isReadFirst { try member.read(node, &subject) }
    for member in members where !member.isReadFirst { try member.read(node, &subject) }
    return subject
  }
}

extension ReportRecord.Member {
  typealias Path<Content> = WritableKeyPath<Subject, Content> & Sendable

  /// A member with a way of its own to read it.
  ///
  /// - Parameters:
  ///   - content: returns the value; nil leaves the member out.
  ///   - read: takes the value of the member of an object.
  static func custom<Content>(
    _ name: String, _ documentation: String, _ form: ReportForm<Content>, isOptional: Bool = true,
    _ content: @escaping @Sendable (Subject) -> Content?,
    read: @escaping @Sendable (inout Subject, ReportNode, Content) throws(ReportFault) -> Void
  ) -> Self {
    let key = Array("\"\(name)\":".utf8)
    return Self(name: name, documentation: documentation + form.unit, shape: form.shape, isOptional: isOptional) {
      guard let content = content($0) else { return }
      $1.next(key)
      form.write(content, &$1)
    } read: { (node, subject) throws(ReportFault) in
      if let content = try node.value(name, form) {
        try read(&subject, node, content)
      } else if !isOptional {
        throw node.missing(name)
      }
    }
  }

  static func required<Content>(
    _ name: String, _ documentation: String, _ path: Path<Content>, _ form: ReportForm<Content>
  ) -> Self {
    custom(name, documentation, form, isOptional: false, { $0[keyPath: path] }) { $0[keyPath: path] = $2 }
  }

  static func optional<Content>(
    _ name: String, _ documentation: String, _ path: Path<Content?>, _ form: ReportForm<Content>
  ) -> Self {
    custom(name, documentation, form, { $0[keyPath: path] }) { $0[keyPath: path] = $2 }
  }

  /// - Parameter usual: the value that is left out.
  static func optional<Content: Equatable & Sendable>(
    _ name: String, _ documentation: String, _ path: Path<Content>, _ form: ReportForm<Content>, unless usual: Content
  ) -> Self {
    optional(name, documentation, path, form) { $0 == usual }
  }

  private static func optional<Content>(
    _ name: String, _ documentation: String, _ path: Path<Content>, _ form: ReportForm<Content>,
    unless isUsual: @escaping @Sendable (Content) -> Bool
  ) -> Self {
    custom(name, documentation, form) {
      let content = $0[keyPath: path]
      return isUsual(content) ? nil : content
    } read: {
      $0[keyPath: path] = $2
    }
  }

  /// True, or left out.
  static func flag(_ name: String, _ documentation: String, _ path: Path<Bool>) -> Self {
    optional(name, documentation, path, .boolean, unless: false)
  }

  /// Left out if there are no items.
  static func list<Item>(
    _ name: String, _ documentation: String, _ path: Path<[Item]>, _ form: ReportForm<Item>
  ) -> Self {
    optional(name, documentation, path, .list(of: form)) { $0.isEmpty }
  }

  /// A member that follows from others: it is not read.
  ///
  /// - Parameter content: returns the value; nil leaves the member out.
  static func derived<Content>(
    _ name: String, _ documentation: String, _ form: ReportForm<Content>, isOptional: Bool = false,
    _ content: @escaping @Sendable (Subject) -> Content?
  ) -> Self {
    let member = custom(name, documentation, form, content) { _, _, _ in }
    return Self(
      name: name, documentation: member.documentation, shape: member.shape, isOptional: isOptional, write: member.write
    ) { _, _ in }
  }
}
