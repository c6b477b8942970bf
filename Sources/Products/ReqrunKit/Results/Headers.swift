import Values

/// The header lines of a request or a response, in their order. Names are found regardless of case.
public struct Headers: Sendable, Hashable, RandomAccessCollection, ExpressibleByDictionaryLiteral {
  private struct Line: Sendable, Hashable, Codable {
    var name: String
    var value: String
  }

  private var lines: [Line]

  /// Creates headers of these lines.
  public init(_ lines: some Sequence<(name: String, value: String)> = []) {
    self.lines = lines.map { Line(name: $0.name, value: $0.value) }
  }

  /// Creates headers of a literal, in which a name may be repeated.
  public init(dictionaryLiteral lines: (String, String)...) {
    self.lines = lines.map { Line(name: $0.0, value: $0.1) }
  }

  /// The position of the first line.
  public var startIndex: Int { 0 }
  /// The position after the last line.
  public var endIndex: Int { lines.count }
  /// The line at a position.
  public subscript(position: Int) -> (name: String, value: String) { (lines[position].name, lines[position].value) }

  /// The value of the first line of that name; set, it replaces all of them, and nil removes them.
  public subscript(name: String) -> String? {
    get { lines.first { equalsIgnoringCase($0.name, name) }?.value }
    set {
      let place = lines.firstIndex { equalsIgnoringCase($0.name, name) }
      lines.removeAll { equalsIgnoringCase($0.name, name) }
      if let newValue { lines.insert(Line(name: name, value: newValue), at: place ?? lines.count) }
    }
  }

  /// The values of all lines of that name.
  public func values(_ name: String) -> [String] {
    lines.filter { equalsIgnoringCase($0.name, name) }.map(\.value)
  }

  /// Adds a line.
  public mutating func append(_ name: String, _ value: String) { lines.append(Line(name: name, value: value)) }
}

extension Headers: Codable {
  /// Reads the list of lines.
  public init(from decoder: any Decoder) throws { lines = try decoder.singleValueContainer().decode([Line].self) }

  /// Writes the list of lines.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(lines)
  }
}
