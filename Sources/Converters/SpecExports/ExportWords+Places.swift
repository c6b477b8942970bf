extension ExportWords {
  // MARK: reading

  /// A part of a text: as it is, or a word's value.
  enum Piece {
    case text(String)
    case value(ExportedValue)
  }

  func pieces(of text: String) -> [Piece] {
    guard ExportWords.hasWord(text[...]) else { return text.isEmpty ? [] : [.text(text)] }
    var result: [Piece] = []
    var rest = text[...]
    // A URL that ends with a value has no slash of its own behind it.
    if text.wholeMatch(of: /https?:\/\/[^\/?#]*reqrunvalue\d+x\//) != nil { rest = rest.dropLast() }
    let word = /(?:http(?::\/\/|%3[Aa]%2[Ff]%2[Ff])reqrunurl|reqrunvalue)(\d+)x|http:\/\/reqrunlink(\d+)x\/?/
    while let match = rest.firstMatch(of: word) {
      let before = rest[..<match.range.lowerBound]
      if !before.isEmpty { result.append(.text(String(before))) }
      if let number = Int(match.output.1 ?? match.output.2 ?? ""), let value = value(number) {
        result.append(.value(value))
      } else {
        result.append(.text(String(match.output.0)))
      }
      rest = rest[match.range.upperBound...]
    }
    if !rest.isEmpty { result.append(.text(String(rest))) }
    return result
  }

  /// The only value of a text; nil if there is anything else in it.
  func value(of text: String) -> ExportedValue? {
    let pieces = pieces(of: text)
    if pieces.count == 1, case .value(let value) = pieces[0] { return value }
    return nil
  }

  /// A text for people: with the names of values.
  func named(_ text: String) -> String {
    pieces(of: text).map { piece in
      switch piece {
      case .text(let text): text
      case .value(let value): "{{\(value.name)}}"
      }
    }.joined()
  }

  func values(in text: String) -> [ExportedValue] {
    pieces(of: text).flatMap { piece -> [ExportedValue] in
      guard case .value(let value) = piece else { return [] }
      if case .placed(_, .link(let base?)) = value { return values(in: base) + [value.plain] }
      return [value.plain]
    }
  }

  /// The text with something in place of each value.
  ///
  /// - Parameter escape: what is done to the text around them.
  func rendered(
    _ text: String, escaping escape: (String) -> String = { $0 }, _ value: (ExportedValue) -> String
  ) -> String {
    pieces(of: text).map { piece in
      switch piece {
      case .text(let text): escape(text)
      case .value(let found): value(found)
      }
    }.joined()
  }

  // MARK: places

  /// The URL that a capture gives as a whole; nil for any other.
  ///
  /// - Parameter fallback: the base of a URL that stands alone.
  func placingLink(_ url: String, base fallback: String?) -> String? {
    let (base, word): (String?, String)
    if let match = url.wholeMatch(of: /(https?:\/\/[^\/?#]+)\/(reqrunvalue\d+x)/) {
      (base, word) = (String(match.output.1), String(match.output.2))
    } else if let match = url.wholeMatch(of: /(http:\/\/reqrunurl\d+x)\/?/) {
      (base, word) = (fallback, String(match.output.1))
    } else {
      return nil
    }
    guard case .capture(let name)? = value(of: word), names.links.contains(name) else { return nil }
    return wordForValue(.placed(.capture(name), .link(base: base))).replacing("reqrunvalue", with: "http://reqrunlink")
  }

  /// The text of parameters, whose values know their place.
  func placingParameters(_ text: String) -> String {
    rendered(text) { wordForValue(.placed($0, .parameter)) }
  }

  /// The JSON text with values of their own without quotes where they aren't texts.
  func placingJSON(_ text: String) -> String {
    text.replacing(/"(reqrunvalue\d+x)"/) { match in
      guard let value = value(of: String(match.output.1)) else { return String(match.output.0) }
      switch isText(value) {
      case true?: return String(match.output.0)
      case false?: return String(match.output.1)
      case nil: return wordForValue(.placed(value, .json))
      }
    }
  }

  /// Indicates whether a value is a text; nil if only a run knows.
  private func isText(_ value: ExportedValue) -> Bool? {
    switch value {
    case .variable(let name): if case .text? = names.variables[name] { true } else { false }
    case .environment: true
    case .capture(let name): names.captureTypes[name]
    case .function(let function, _): function.isText
    case .placed(let value, _): isText(value)
    }
  }
}
