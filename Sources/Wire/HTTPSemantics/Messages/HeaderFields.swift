import Values

/// Header fields: ordered, repeatable, names compared without case and kept as written.
package struct HeaderFields: Sendable, Hashable {
  package struct Field: Sendable, Hashable {
    package var name: String
    package var value: String
    /// Indicates whether the bytes of the value are ISO 8859-1, as for received values that aren't UTF-8.
    package var isLatin1: Bool

    package init(name: String, value: String, isLatin1: Bool = false) {
      self.name = name
      self.value = value
      self.isLatin1 = isLatin1
    }
  }

  package var fields: [Field]

  package init(_ fields: [Field] = []) {
    self.fields = fields
  }

  package init(_ pairs: [(String, String)]) {
    fields = pairs.map { Field(name: $0.0, value: $0.1) }
  }

  package mutating func append(_ name: String, _ value: String) {
    fields.append(Field(name: name, value: value))
  }

  /// The values of all lines of that name, in order.
  package func values(_ name: String) -> [String] {
    var values: [String] = []
    for index in fields.indices where equalsIgnoringCase(fields[index].name, name) {
      values.append(fields[index].value)
    }
    return values
  }

  /// The value of the line of that name, if there is exactly one.
  package func onlyValue(_ name: String) -> String? {
    var found: Int?
    for index in fields.indices where equalsIgnoringCase(fields[index].name, name) {
      if found != nil { return nil }
      found = index
    }
    return found.map { fields[$0].value }
  }

  package func first(_ name: String) -> String? {
    index(of: name).map { fields[$0].value }
  }

  package func contains(_ name: String) -> Bool {
    index(of: name) != nil
  }

  // By indices: iterating over the fields themselves would retain each.
  private func index(of name: String) -> Int? {
    fields.indices.first { equalsIgnoringCase(fields[$0].name, name) }
  }

  package mutating func removeAll(_ name: String) {
    fields.removeAll { equalsIgnoringCase($0.name, name) }
  }

  package mutating func set(_ name: String, _ value: String) {
    if let index = fields.firstIndex(where: { equalsIgnoringCase($0.name, name) }) {
      fields[index].value = value
      let kept = fields[index]
      var isFirst = true
      fields.removeAll { field in
        guard equalsIgnoringCase(field.name, kept.name) else { return false }
        defer { isFirst = false }
        return !isFirst
      }
    } else {
      append(name, value)
    }
  }
}
