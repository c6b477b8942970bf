/// Keys of a request's settings, by their places in ``RequestSettings/keys``.
struct SettingSet: Sendable {
  private var bits: UInt64 = 0

  init(_ places: Range<Int> = 0..<0) {
    for place in places { insert(place) }
  }

  mutating func insert(_ place: Int) {
    precondition(place < UInt64.bitWidth, "a set has a bit for each key")
    bits |= 1 << UInt64(place)
  }

  mutating func formUnion(_ other: SettingSet) { bits |= other.bits }
  mutating func formIntersection(_ other: SettingSet) { bits &= other.bits }
  func intersection(_ other: SettingSet) -> SettingSet {
    var result = self
    result.formIntersection(other)
    return result
  }

  func subtracting(_ other: SettingSet) -> SettingSet {
    var result = self
    result.bits &= ~other.bits
    return result
  }

  /// The positions in their order.
  var places: some Sequence<Int> {
    sequence(state: bits) { rest in
      if rest == 0 { return nil }
      defer { rest &= rest - 1 }
      return rest.trailingZeroBitCount
    }
  }
}
