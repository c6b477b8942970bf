/// An ordered mapping; duplicate keys (possible in a JSON response) are kept.
@usableFromInline package struct Mapping: Sendable {
  package struct Member: Sendable {
    package var key: Text
    package var value: Value

    package init(key: Text, value: Value) {
      self.key = key
      self.value = value
    }
  }

  package var members: [Member]

  package init(_ members: [Member] = []) {
    self.members = members
  }

  package init(_ pairs: [(String, Value)]) {
    members = pairs.map { Member(key: Text($0.0), value: $0.1) }
  }

  package var count: Int { members.count }
  package var isEmpty: Bool { members.isEmpty }
  package var keys: [String] { members.map(\.key.string) }

  /// The value of the last member of that name, as most JSON parsers choose; setting replaces or appends.
  ///
  /// Names are equal if their bytes are: `é` written as one character and as two are different names.
  package subscript(key: String) -> Value? {
    get { members.last { $0.key.string.utf8.elementsEqual(key.utf8) }?.value }
    set {
      if let index = members.lastIndex(where: { $0.key.string.utf8.elementsEqual(key.utf8) }) {
        if let newValue { members[index].value = newValue } else { members.remove(at: index) }
      } else if let newValue {
        members.append(Member(key: Text(key), value: newValue))
      }
    }
  }
}

extension Mapping: Hashable {
  /// Returns whether the mappings are equal regardless of order; duplicates must be so on both sides.
  @usableFromInline package static func == (left: Mapping, right: Mapping) -> Bool {
    guard left.count == right.count else { return false }
    if zip(left.members, right.members).allSatisfy({ $0.key == $1.key && $0.value == $1.value }) { return true }
    return left.grouped == right.grouped
  }

  /// The values by name; a duplicate name has several.
  package var grouped: [Text: [Value]] {
    var result: [Text: [Value]] = [:]
    result.reserveCapacity(members.count)
    for member in members { result[member.key, default: []].append(member.value) }
    return result
  }

  @usableFromInline package func hash(into hasher: inout Hasher) {
    hasher.combine(members.count)
    // The order doesn't matter.
    var sum = 0
    for member in members {
      var own = Hasher()
      own.combine(member.key)
      own.combine(member.value)
      sum &+= own.finalize()
    }
    hasher.combine(sum)
  }
}
