import Values

/// Texts and numbers that a schema allows.
enum ScalarExample {
  private static let lengthLimit = 4_000

  // MARK: texts

  private static let formats: [String: String] = [
    "date-time": "2026-01-31T12:00:00Z", "date": "2026-01-31", "time": "12:00:00Z", "duration": "P1D",
    "email": "ann@example.com", "idn-email": "ann@example.com", "hostname": "example.com",
    "idn-hostname": "example.com", "ipv4": "192.0.2.1", "ipv6": "2001:db8::1", "uri": "https://example.com",
    "url": "https://example.com", "uri-reference": "/path", "iri": "https://example.com", "iri-reference": "/path",
    "uri-template": "/users/{id}", "json-pointer": "/name", "relative-json-pointer": "0/name", "regex": "^a+$",
    "byte": "aGVsbG8=", "base64": "aGVsbG8=", "int64": "1", "int32": "1", "decimal": "1.5",
  ]

  /// Nil if the bounds cannot be met.
  static func text(_ layers: SchemaLayers, name: String, item: Int) -> String? {
    let least = layers.values("minLength").compactMap { $0.node.value.integer }.max() ?? 0
    let most = layers.values("maxLength").compactMap { $0.node.value.integer }.min() ?? Int.max
    guard least <= lengthLimit else { return nil }
    let format = layers.first("format")?.string
    let fixed: String? =
      switch format {
      case "uuid", "guid": uuid(item)
      case let format?: formats[format]
      case nil: layers.first("contentEncoding")?.string == "base64" ? "aGVsbG8=" : nil
      }
    let patterns = layers.values("pattern").compactMap(\.string)
    if let fixed, patterns.isEmpty, least...max(least, most) ~= fixed.unicodeScalars.count {
      return fixed
    }
    if let pattern = patterns.first, let made = PatternExample.text(matching: pattern, item: item) {
      // A pattern without anchors and quantifiers may be met by a longer text.
      return made.unicodeScalars.count < least ? padded(made, to: least) : made
    }
    var text = fixed ?? usual(name)
    if item > 0, fixed == nil { text += String(item + 1) }
    if text.unicodeScalars.count < least { text = padded(text, to: least) }
    return text.unicodeScalars.count > most ? String(text.prefix(max(0, most))) : text
  }

  /// The text of a property whose schema says no more than that it is a text.
  private static func usual(_ name: String) -> String {
    let word = name.lowercased()
    if word.hasSuffix("email") { return "ann@example.com" }
    if word == "url" || word.hasSuffix("_url") || word.hasSuffix("uri") { return "https://example.com" }
    return "string"
  }

  private static func padded(_ text: String, to count: Int) -> String {
    let base = text.isEmpty ? "a" : text
    let times = count / max(1, base.unicodeScalars.count) + 1
    var result = String.UnicodeScalarView()
    for scalar in String(repeating: base, count: times).unicodeScalars.prefix(count) { result.append(scalar) }
    return String(result)
  }

  /// A UUID of version 4, another one for each item.
  private static func uuid(_ item: Int) -> String {
    let digits = String(item % 0x10000, radix: 16)
    return "3fa85f64-5717-4562-b3fc-2c963f66" + String(repeating: "0", count: 4 - digits.count) + digits
  }

  // MARK: numbers

  /// Nil if the bounds cannot be met.
  static func number(_ layers: SchemaLayers, isInteger: Bool, item: Int) -> Number? {
    var low: (value: Double, isOpen: Bool)?
    var high: (value: Double, isOpen: Bool)?
    for node in layers.all {
      if let value = double(node["minimum"]) {
        let bound = (value, node["exclusiveMinimum"]?.isTrue ?? false)
        if low.map({ value > $0.value }) ?? true { low = bound }
      }
      if let value = double(node["exclusiveMinimum"]), low.map({ value >= $0.value }) ?? true { low = (value, true) }
      if let value = double(node["maximum"]) {
        let bound = (value, node["exclusiveMaximum"]?.isTrue ?? false)
        if high.map({ value < $0.value }) ?? true { high = bound }
      }
      if let value = double(node["exclusiveMaximum"]), high.map({ value <= $0.value }) ?? true { high = (value, true) }
    }
    let step = layers.values("multipleOf").compactMap { double($0) }.filter { $0 > 0 }.max() ?? (isInteger ? 1 : nil)
    var result = isInteger ? 1 : step ?? 1.5
    if let low, low.isOpen ? result <= low.value : result < low.value {
      result = low.isOpen ? low.value + (step ?? gap(low.value, high?.value)) : low.value
    }
    if let high, high.isOpen ? result >= high.value : result > high.value {
      result = high.isOpen ? high.value - (step ?? gap(low?.value, high.value)) : high.value
    }
    if let step {
      // The next multiple above, or below where that is too much.
      let multiple = (result / step).rounded(.up) * step
      result = high.map { multiple > $0.value } ?? false ? (result / step).rounded(.down) * step : multiple
    }
    // Items differ where the bounds let them.
    let distance = Double(item) * (step ?? 1)
    if high.map({ result + distance < $0.value }) ?? true {
      result += distance
    } else if low.map({ result - distance > $0.value }) ?? true {
      result -= distance
    }
    guard result.isFinite, abs(result) < 9e15 else { return low.flatMap { Number($0.value) } }
    if result == result.rounded(), let whole = Int(exactly: result) { return Number(whole) }
    return Number(result)
  }

  /// Half of the distance between two bounds; 1 without them.
  private static func gap(_ low: Double?, _ high: Double?) -> Double {
    guard let low, let high, high > low else { return 1 }
    return (high - low) / 2
  }

  private static func double(_ node: DocumentNode?) -> Double? {
    guard let node, case .number(let number) = node.node.value else { return nil }
    return number.double
  }
}
