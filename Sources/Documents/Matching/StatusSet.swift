import Values

/// A set of acceptable status codes.
package struct StatusSet: Sendable, Hashable, CustomStringConvertible {
  /// Ascending, disjoint and never adjacent.
  package let ranges: [Range<Int>]

  package init(_ ranges: [Range<Int>]) {
    self.ranges = ranges.merged
  }

  package init(_ codes: some Sequence<Int>) {
    self.init(codes.map { $0..<$0 + 1 })
  }

  /// One status as a spec writes it: `204`, `2xx`, `200..<300` or `200...299`; nil for anything else.
  package init?(parsing text: String) {
    if let code = StatusSet.code(text[...]), code < 1000 {
      self.init([code..<code + 1])
    } else if text.utf8.count == 3, let digit = text.utf8.first, (0x31...0x39).contains(digit),
      text.utf8.dropFirst().allSatisfy({ $0 | 0x20 == UInt8(ascii: "x") })
    {
      let start = Int(digit - 0x30) * 100
      self.init([start..<start + 100])
    } else if let (low, high) = StatusSet.bounds(text, around: "..<"), low < high {
      self.init([low..<high])
    } else if let (low, high) = StatusSet.bounds(text, around: "..."), low <= high, high < 1000 {
      self.init([low..<high + 1])
    } else {
      return nil
    }
  }

  /// The form that ``init(parsing:)`` reads, for errors.
  package static let form = "a status such as 204, 2xx, 200..<300 or 200...299"

  /// Alamofire's automatic validation.
  package static let success = StatusSet([200..<300])

  package func contains(_ status: Int) -> Bool {
    ranges.contains { $0.contains(status) }
  }

  package func union(_ other: StatusSet) -> StatusSet {
    StatusSet(ranges + other.ranges)
  }

  /// `2xx`, `204`, `200...205`, joined by commas and an `or`.
  package var description: String {
    let parts = ranges.map { range in
      if range.count == 1 { return String(range.lowerBound) }
      if range.count == 100, range.lowerBound % 100 == 0 { return "\(range.lowerBound / 100)xx" }
      return "\(range.lowerBound)...\(range.upperBound - 1)"
    }
    guard let last = parts.last else { return "no status" }
    return parts.count == 1 ? last : parts.dropLast().joined(separator: ", ") + " or " + last
  }

  /// A status code: 100 to 999; 1000 as an upper bound.
  private static func code(_ text: Substring) -> Int? {
    guard text.utf8.allSatisfy(isDigit), text.utf8.first != 0x30, let code = Int(text),
      (100...1000).contains(code)
    else { return nil }
    return code
  }

  private static func bounds(_ text: String, around separator: String) -> (Int, Int)? {
    guard let first = text.firstIndex(of: "."), text[first...].hasPrefix(separator),
      let low = code(text[..<first]), let high = code(text[first...].dropFirst(separator.count))
    else { return nil }
    return (low, high)
  }
}
