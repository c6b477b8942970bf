import Values

/// The values that a mock makes: counted ones, or such that follow a seed.
struct MadeValues: Sendable {
  let seed: UInt64?

  /// A number, another one for each count.
  func number(_ count: Int) -> Int {
    guard let seed else { return count }
    var random = SplitMix64(seed: seed)
    return (Int(random.next() % 9_000) + 1) * 1_000 + count
  }

  /// A UUID of version 4, another one for each count.
  func uuid(_ count: Int) -> String {
    var digits: String
    if let seed {
      var random = SplitMix64(seed: seed ^ UInt64(truncatingIfNeeded: count) &* 0x9E37_79B9_7F4A_7C15)
      digits = [random.next(), random.next()].map { padded(String($0, radix: 16), 16) }.joined()
    } else {
      digits = padded(String(count, radix: 16), 32)
    }
    var parts: [Substring] = []
    for length in [8, 4, 4, 4, 12] {
      parts.append(digits.prefix(length))
      digits.removeFirst(length)
    }
    (parts[2], parts[3]) = ("4\(parts[2].dropFirst())", "8\(parts[3].dropFirst())")
    return parts.joined(separator: "-")
  }

  /// The number of the variant of what schemas allow.
  var variant: Int {
    guard let seed else { return 0 }
    var random = SplitMix64(seed: seed)
    return Int(random.next() % 97)
  }
}
