/// A word for an open value in a text.
struct FoundWord {
  enum Kind: String, CaseIterable {
    case value = "reqrunvalue"
    /// A URL.
    case address = "http://reqrunurl"
    /// The URL of a request that a response gave.
    case link = "http://reqrunlink"

    fileprivate var bytes: [UInt8] { Array(rawValue.utf8) }
  }

  let kind: Kind
  let number: Int
  /// The place in the UTF-8 of the text.
  let range: Range<Int>

  static func text(_ kind: Kind, _ number: Int) -> String { "\(kind.rawValue)\(number)x" }

  private static let kinds = Kind.allCases.map { (kind: $0, bytes: $0.bytes) }

  /// The words of a text, in order.
  static func all(in utf8: some Collection<UInt8>) -> [FoundWord] {
    var words: [FoundWord] = []
    find(in: utf8) { word in
      words.append(word)
      return true
    }
    return words
  }

  /// Returns whether a text has a word.
  static func isPresent(in utf8: some Collection<UInt8>) -> Bool {
    var isFound = false
    find(in: utf8) { _ in
      isFound = true
      return false
    }
    return isFound
  }

  /// Calls a function for each word until it returns false.
  private static func find(in utf8: some Collection<UInt8>, _ take: (FoundWord) -> Bool) {
    if utf8.withContiguousStorageIfAvailable({ find(in: $0, take) }) == nil {
      Array(utf8).withUnsafeBufferPointer { find(in: $0, take) }
    }
  }

  private static func find(in bytes: UnsafeBufferPointer<UInt8>, _ take: (FoundWord) -> Bool) {
    var position = 0
    while position < bytes.count {
      if bytes[position] == UInt8(ascii: "r") || bytes[position] == UInt8(ascii: "h"),
        let word = word(in: bytes, at: position)
      {
        if !take(word) { return }
        position = word.range.upperBound
      } else {
        position += 1
      }
    }
  }

  private static func word(in bytes: UnsafeBufferPointer<UInt8>, at start: Int) -> FoundWord? {
    for (kind, name) in kinds where bytes[start...].starts(with: name) {
      var (end, number) = (start + name.count, 0)
      // A number of the export's own has fewer digits.
      while end < bytes.count, end - start - name.count < 15, (0x30...0x39).contains(bytes[end]) {
        number = number * 10 + Int(bytes[end] - 0x30)
        end += 1
      }
      guard number > 0, end < bytes.count, bytes[end] == UInt8(ascii: "x") else { return nil }
      return FoundWord(kind: kind, number: number, range: start..<end + 1)
    }
    return nil
  }
}

extension ExportWords {
  /// A part of a text: as it is, or a word's value.
  enum Piece {
    case text(String)
    case value(ExportedValue)
  }

  func pieces(of text: String) -> [Piece] {
    let words = FoundWord.all(in: text.utf8)
    if words.isEmpty { return text.isEmpty ? [] : [.text(text)] }
    let bytes = Array(text.utf8)
    var result: [Piece] = []
    var position = 0
    func add(until end: Int) {
      if end > position { result.append(.text(String(decoding: bytes[position..<end], as: UTF8.self))) }
      position = max(position, end)
    }
    for word in words {
      guard let value = value(word.number) else { continue }
      add(until: word.range.lowerBound)
      result.append(.value(value))
      position = word.range.upperBound
      if word.kind == .link, position < bytes.count, bytes[position] == UInt8(ascii: "/") { position += 1 }
    }
    // A URL that ends with a value has no slash of its own behind it.
    let isHost = position == bytes.count - 1 && bytes[position] == UInt8(ascii: "/") && words.last?.kind == .value
    if isHost, ExportWords.isOrigin(bytes[..<position]) { return result }
    add(until: bytes.count)
    return result
  }

  /// Returns whether a URL has nothing behind its host.
  private static func isOrigin(_ url: some Collection<UInt8>) -> Bool {
    let schemes = ["http://", "https://"].map { Array($0.utf8) }
    guard let scheme = schemes.first(where: { url.starts(with: $0) }) else { return false }
    let rest = url.dropFirst(scheme.count)
    return !rest.isEmpty && !rest.contains { "/?#".utf8.contains($0) }
  }

  /// The only value of a text; nil if there is anything else in it.
  func value(of text: String) -> ExportedValue? {
    let pieces = pieces(of: text)
    if pieces.count == 1, case .value(let value) = pieces[0] { return value }
    return nil
  }

  /// A text for people: with the names of values.
  package func named(_ text: String) -> String { rendered(text) { "{{\($0.name)}}" } }

  /// The values of a text, and those of the bases of its links.
  func values(in text: String) -> [ExportedValue] {
    FoundWord.all(in: text.utf8).flatMap { word -> [ExportedValue] in
      guard let value = value(word.number) else { return [] }
      if case .placed(_, .link(let base?)) = value { return values(in: base) + [value] }
      return [value]
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
    let bytes = Array(url.utf8)
    guard let word = FoundWord.all(in: bytes).last, case .capture(let name)? = value(word.number),
      names.links.contains(name)
    else { return nil }
    let rest = bytes[word.range.upperBound...]
    var base = fallback
    if word.kind == .value, rest.isEmpty, bytes[..<word.range.lowerBound].last == UInt8(ascii: "/"),
      ExportWords.isOrigin(bytes[..<(word.range.lowerBound - 1)])
    {
      base = String(decoding: bytes[..<(word.range.lowerBound - 1)], as: UTF8.self)
    } else if word.kind != .address || word.range.lowerBound > 0 || !(rest.isEmpty || rest.elementsEqual("/".utf8)) {
      return nil
    }
    return wordForValue(.placed(.capture(name), .link(base: base)))
      .replacing(FoundWord.Kind.value.rawValue, with: FoundWord.Kind.link.rawValue)
  }

  /// The text of parameters, whose values know their place.
  func placingParameters(_ text: String) -> String {
    rendered(text) { wordForValue(.placed($0, .parameter)) }
  }

  /// The JSON text with values of their own without quotes where they aren't texts.
  func placingJSON(_ text: String) -> String {
    let bytes = Array(text.utf8)
    let quote = UInt8(ascii: "\"")
    var result: [UInt8] = []
    var position = 0
    for word in FoundWord.all(in: bytes) {
      let (start, end) = (word.range.lowerBound, word.range.upperBound)
      guard start > position, end < bytes.count, bytes[start - 1] == quote, bytes[end] == quote,
        let value = value(word.number), isText(word.number) != true
      else { continue }
      result += bytes[position..<start - 1]
      result += isText(word.number) == nil ? Array(wordForValue(.placed(value, .json)).utf8) : Array(bytes[start..<end])
      position = end + 1
    }
    return result.isEmpty ? text : String(decoding: result + bytes[position...], as: UTF8.self)
  }
}
