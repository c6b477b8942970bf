/// The formats of dates that strftime and its relatives know.
enum StrftimeFormat {
  /// The pattern for a format of strftime; nil if it has none.
  static func pattern(_ format: String) -> String? {
    switch format {
    case "%+": return "iso8601"
    case "%s": return "unix"
    default: break
    }
    var result = ""
    var quoted = ""
    func endQuoted() {
      if quoted.isEmpty { return }
      let isPlain = !quoted.contains { $0.isLetter || $0 == "'" }
      result += isPlain ? quoted : "'\(quoted.replacing("'", with: "''"))'"
      quoted = ""
    }
    var rest = format[...]
    while !rest.isEmpty {
      guard let match = rest.prefixMatch(of: formatPiece) else { return nil }
      if let specifier = match.output.1 {
        guard let pattern = specifiers[String(specifier)] else { return nil }
        endQuoted()
        result += pattern
      } else {
        quoted += match.output.0 == "%%" ? "%" : match.output.0
      }
      rest = rest[match.range.upperBound...]
    }
    endQuoted()
    return result
  }

  /// Returns whether a format of strftime is that of RFC 3339.
  static func isInternet(_ format: String) -> Bool {
    ["%Y-%m-%dT%H:%M:%S", "%FT%T"].contains { start in
      guard format.hasPrefix(start) else { return false }
      return ["Z", "%.fZ", "%.3fZ", "%.6fZ", "%.9fZ", "%:z", "%z", "%.f%:z", "%.3f%:z", "%.6f%:z"]
        .contains(format.dropFirst(start.count))
    }
  }

  private static let specifiers = [
    ".3f": ".SSS", ".6f": ".SSSSSS", ".9f": ".SSSSSSSSS", "3f": "SSS", "6f": "SSSSSS", "9f": "SSSSSSSSS", ":z": "XXX",
    "Y": "yyyy", "y": "yy", "m": "MM", "d": "dd", "e": "d", "H": "HH", "M": "mm", "S": "ss", "b": "MMM", "h": "MMM",
    "B": "MMMM", "a": "EEE", "A": "EEEE", "z": "Z", "F": "yyyy-MM-dd", "T": "HH:mm:ss", "D": "MM/dd/yy", "R": "HH:mm",
  ]
}

// Made once; a regular expression is not marked as Sendable.
nonisolated(unsafe) private let formatPiece = /%((?:\.?[369]f|:z)|[A-Za-z])|%%|[^%]+/
