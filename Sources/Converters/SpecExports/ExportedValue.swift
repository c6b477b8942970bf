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
    let plain = expression.filter { !$0.isWhitespace }.replacing("'", with: "\"")
    switch plain {
    case "uuid", "uuid()": self = .uuid
    case "now", "now()": self = .now
    case "now|format(\"unix\")", "format(now,\"unix\")": self = .timestamp
    default:
      if let match = plain.wholeMatch(of: /random_int\((-?\d{1,15}),(-?\d{1,15})\)/), let low = Int(match.1),
        let high = Int(match.2), low <= high
      {
        self = .randomInteger(low, high)
      } else if let match = plain.wholeMatch(of: /random_string\((\d{1,3})\)/), let count = Int(match.1) {
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

/// The names that the specs of an export read.
package struct ExportNames: Sendable {
  /// Names that requests capture, by the path of the file that reads them.
  package var captures: [String: Set<String>] = [:]
  /// The members of named needs, such as `admin.token`.
  package var members: Set<String> = []
  package var secrets: Set<String> = []
  /// The variables with one value that is not a list or mapping.
  package var variables: [String: Value] = [:]
  /// The names that the expressions of a file compute with, and those that they read in turn, by its path.
  package var computed: [String: Set<String>] = [:]
  /// The names that those of all files compute with, and those of files that others use or need.
  package var allComputed: Set<String> = []
  package var reusedComputed: Set<String> = []
  /// The captures that are URLs, maybe relative ones.
  package var links: Set<String> = []
  /// The captures among them that reqrun makes absolute.
  package var addresses: Set<String> = []
  /// Indicates for captures whose type is known whether they are text.
  package var captureTypes: [String: Bool] = [:]

  package init() {}

  /// The names whose values an export must know for the file of a template.
  func computed(_ template: WrittenTemplate) -> Set<String> {
    // A layer below files, and a value for another file, are for several.
    template.keys.contains("with") ? reusedComputed : computed[template.path] ?? allComputed
  }
}

/// A name of letters, digits and `_`.
package func exportedName(_ text: String) -> String {
  let words = text.split { !($0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_")) }
  let name = words.joined(separator: "_")
  return name.first?.isNumber ?? true ? "_\(name)" : name
}

/// A part of a spec that another tool can't say.
package struct ExportRemark: Sendable, Hashable {
  /// The place, such as `a.yaml:3`.
  package let place: String
  /// The reason, the same for all parts of its kind.
  package let reason: String
  /// The part, such as the name of the request.
  package let detail: String

  package init(place: String, reason: String, detail: String) {
    (self.place, self.reason, self.detail) = (place, reason, detail)
  }
}
