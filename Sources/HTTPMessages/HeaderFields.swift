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

/// Returns whether two ASCII texts, such as header names, are equal without regard to case.
package func equalsIgnoringCase(_ left: String, _ right: String) -> Bool {
  guard left.utf8.count == right.utf8.count else { return false }
  // By contiguous bytes if possible, which is nearly always: every header look-up comes here.
  let isEqual = left.utf8.withContiguousStorageIfAvailable { left in
    right.utf8.withContiguousStorageIfAvailable { right in equalsIgnoringCase(left, right) }
  }
  return isEqual.flatMap { $0 } ?? equalsIgnoringCase(left.utf8, right.utf8)
}

@inline(__always)
private func equalsIgnoringCase(_ left: some Sequence<UInt8>, _ right: some Sequence<UInt8>) -> Bool {
  zip(left, right).allSatisfy { $0 == $1 || lowercasedASCII($0) == lowercasedASCII($1) }
}

package func lowercasedASCII(_ byte: UInt8) -> UInt8 {
  byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
}

/// The text without surrounding spaces and tabs (`OWS` of RFC 9110, section 5.6.3).
package func trimmingBlanks(_ text: Substring) -> String {
  var bytes = text.utf8
  while let first = bytes.first, first == 0x20 || first == 0x09 { bytes.removeFirst() }
  while let last = bytes.last, last == 0x20 || last == 0x09 { bytes.removeLast() }
  return String(Substring(bytes))
}

/// The bytes of a text in ISO 8859-1; other characters become question marks.
package func latin1Octets(_ text: String) -> [UInt8] {
  text.unicodeScalars.map { $0.value < 0x100 ? UInt8($0.value) : UInt8(ascii: "?") }
}

/// The text whose bytes in ISO 8859-1 are those.
package func latin1Text(_ octets: some Sequence<UInt8>) -> String {
  var text = String.UnicodeScalarView()
  for octet in octets { text.append(Unicode.Scalar(octet)) }
  return String(text)
}
