import Values

/// A value that stays open in what is exported.
package enum ExportedValue: Sendable, Hashable {
  /// A variable of the spec.
  case variable(String)
  /// A secret or a variable of the environment.
  case environment(String)
  case capture(String)
  /// A random value or a time; with a name, it is computed once and kept under that name.
  case function(ExportFunction, name: String?)
  /// A value at a place whose syntax may want it in another form.
  indirect case placed(ExportedValue, ExportedPlace)

  /// The name by which people know the value.
  var name: String {
    switch self {
    case .variable(let name), .environment(let name), .capture(let name): name
    case .function(_, let name): name ?? "value"
    case .placed(let value, _): value.name
    }
  }

  /// The name of a capture that is a JSON value of its own.
  var captureAsJSON: String? { if case .placed(.capture(let name), .json) = self { name } else { nil } }

  /// The value wherever it stands.
  var plain: ExportedValue { if case .placed(let value, _) = self { value } else { self } }
}

/// The place of a value that is part of a larger text.
package enum ExportedPlace: Sendable, Hashable {
  /// The value of a parameter, percent-encoded.
  case parameter
  /// A JSON value of its own, whose type only a run knows.
  case json
  /// The URL of a request: absolute, or relative to a base, if there is one.
  case link(base: String?)
}

/// A function that other tools have, too.
package enum ExportFunction: Sendable, Hashable {
  case uuid
  case now
  /// The time in seconds since 1970.
  case timestamp
  case randomInteger(Int, Int)
  case randomText(Int)

  init?(_ expression: String) {
    guard
      expression.hasPrefix("uuid") || expression.hasPrefix("now") || expression.hasPrefix("format(")
        || expression.hasPrefix("random_")
    else { return nil }
    let plain = expression.filter { !$0.isWhitespace }.replacing("'", with: "\"")
    switch plain {
    case "uuid", "uuid()": self = .uuid
    case "now", "now()": self = .now
    case "now|format(\"unix\")", "format(now,\"unix\")": self = .timestamp
    default:
      if let match = plain.wholeMatch(of: randomIntegerCall), let low = Int(match.1),
        let high = Int(match.2), low <= high
      {
        self = .randomInteger(low, high)
      } else if let match = plain.wholeMatch(of: randomStringCall), let count = Int(match.1) {
        self = .randomText(count)
      } else {
        return nil
      }
    }
  }

  /// Indicates whether its value is a text, not a number.
  var isText: Bool {
    switch self {
    case .uuid, .now, .randomText: true
    case .timestamp, .randomInteger: false
    }
  }
}

/// The names of an export, as far as they are known before its requests are resolved.
package struct ExportNames: Sendable {
  /// All names of variables, secrets and captures.
  package var taken: Set<String> = []
  /// The captures that are URLs, maybe relative ones.
  package var links: Set<String> = []
  /// Indicates for captures whose type is known whether they are text.
  package var captureTypes: [String: Bool] = [:]
  /// The names that credentials read.
  package var credentials: Set<String> = []

  package init() {}
}

extension UInt8 {
  /// Indicates whether it is a letter, a digit or `_`.
  var isNameByte: Bool {
    (0x30...0x39).contains(self) || (0x61...0x7A).contains(self | 0x20) || self == UInt8(ascii: "_")
  }
}

/// Returns whether a text is a name of letters, digits and `_` that begins with no digit.
func isPlainName(_ text: String) -> Bool {
  guard let first = text.utf8.first else { return false }
  return !(0x30...0x39).contains(first) && text.utf8.allSatisfy(\.isNameByte)
}

/// Returns whether a text is the same in a URL wherever it stands.
func isUnreserved(_ text: String) -> Bool { text.utf8.allSatisfy { $0.isNameByte || "-.~".utf8.contains($0) } }

/// A text on one line of a comment.
func commented(_ text: String) -> String { sanitizedForTerminal(text).replacing("\n", with: " ") }

/// A name of letters, digits and `_`.
package func exportedName(_ text: String) -> String {
  let words = text.split { !($0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_")) }
  let name = words.joined(separator: "_")
  return name.first?.isNumber ?? true ? "_\(name)" : name
}

// Made once; a regular expression is not marked as Sendable.
nonisolated(unsafe) private let randomIntegerCall = /random_int\((-?\d{1,15}),(-?\d{1,15})\)/
nonisolated(unsafe) private let randomStringCall = /random_string\((\d{1,3})\)/
