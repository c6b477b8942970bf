import Synchronization
import Values

/// The known secrets of a file's run, and the filter that finds them in foreign text.
package final class SecretRegistry: Sendable {
  private struct State {
    var secrets: Set<String> = []
    /// Secrets too short to search for in foreign text.
    var shortSecrets: Set<String> = []
    /// Secrets that the filter doesn't contain yet: they are added when it is needed.
    var fresh: [String] = []
    var filter = SecretFilter(secrets: [])
  }

  private let state: Mutex<State>

  package init() {
    state = Mutex(State())
  }

  /// Starts with the secrets of another registry.
  package init(copying other: SecretRegistry) {
    _ = other.filter
    state = Mutex(other.state.withLock { $0 })
  }

  package func add(_ secret: String) {
    guard !secret.isEmpty else { return }
    state.withLock { state in
      if secret.utf8.count < SecretFilter.shortestSecret {
        state.shortSecrets.insert(secret)
      } else if state.secrets.insert(secret).inserted {
        state.fresh.append(secret)
      }
    }
  }

  /// Adds the secrets of another registry.
  package func add(_ other: SecretRegistry) {
    let (long, short) = other.state.withLock { ($0.secrets, $0.shortSecrets) }
    for secret in long { add(secret) }
    for secret in short { add(secret) }
  }

  /// Adds a part of a secret, if it is long enough to be searched for.
  package func add(searched part: String) {
    if part.utf8.count >= SecretFilter.shortestSecret { add(part) }
  }

  /// Adds every secret part of a value.
  package func add(_ value: Value) {
    guard value.isSecret else { return }
    switch value {
    case .text(let text): add(text)
    case .number, .date: add(value.asText)
    case .data(let data):
      add(value.asText)
      add(String(decoding: data.bytes, as: UTF8.self))
    case .list(let items): for item in items { add(item) }
    case .mapping(let mapping):
      for member in mapping.members {
        add(member.key)
        add(member.value)
      }
    case .null, .bool: break
    }
  }

  package func add(_ text: Text) {
    guard text.isSecret else { return }
    for run in text.runs where run.isSecret { add(run.text) }
  }

  /// Foreign text, or a message, with its secrets masked and its excerpts cut.
  package func masked(_ text: String) -> String {
    shown(filtered(text))
  }

  /// A header's value with its secrets masked, and what is secret by the header's name.
  package func masked(header name: String, _ value: String) -> String {
    masked(markedHeader(name, value)?.masked ?? value)
  }

  /// Text with marked secrets in its displayed form: first they are masked, then excerpts are cut.
  package func shown(_ text: Text) -> String {
    let places = Excerpt.places(in: text.string)
    if places.isEmpty { return text.masked }
    var ranges = text.secretRanges
    for place in places {
      let inner = text[utf8: place.text].string
      let found = place.isCut ? filter?.mask(beginning: inner) : filter?.mask(inner)
      for range in found?.secretRanges ?? [] {
        ranges.append(range.lowerBound + place.text.lowerBound..<range.upperBound + place.text.lowerBound)
      }
    }
    return Excerpt.shown(Text(text.string, secretRanges: ranges)).masked
  }

  /// The beginning of foreign bytes with its secrets masked; a secret that the cut may have split is left out.
  package func masked(prefix bytes: [UInt8]) -> [UInt8] {
    guard let filter else { return bytes }
    var stream = filter.stream()
    return stream.push(bytes)
  }

  /// Foreign bytes with their secrets masked.
  package func masked(_ bytes: [UInt8]) -> [UInt8] { filter?.masked(bytes) ?? bytes }

  /// A foreign value with the secrets in its texts marked.
  package func filtered(_ value: Value) -> Value {
    guard let filter else { return value }
    return filtered(value, by: filter)
  }

  private func filtered(_ value: Value, by filter: SecretFilter) -> Value {
    switch value {
    case .text(let text): return .text(filter.mask(text))
    case .number(let number):
      return filter.mask(number.lexeme).isSecret ? .number(Number(lexeme: number.lexeme, isSecret: true)) : value
    case .list(let items): return .list(items.map { filtered($0, by: filter) })
    case .mapping(let mapping):
      return .mapping(
        Mapping(
          mapping.members.map { Mapping.Member(key: filter.mask($0.key), value: filtered($0.value, by: filter)) }))
    case .null, .bool, .date, .data: return value
    }
  }

  /// Foreign text with its secrets marked.
  package func filtered(_ text: String) -> Text {
    filter?.mask(text) ?? Text(text)
  }

  /// A message of ours with the secrets in its quotes masked, the short ones where they are words, but none of our own
  /// words.
  package func masked(message: String) -> String {
    let bytes = Array(message.utf8)
    let found = filtered(message).secretRanges.filter { range in
      // Our own text consists of letters and spaces.
      bytes[range].contains { !($0 == 0x20 || (0x61...0x7A).contains($0 | 0x20)) }
    }
    return mask(Text(message, secretRanges: found), between: ["\"", "`"])
  }

  /// A predicate's wording, which contains patterns between slashes and without marks.
  package func masked(wording text: Text) -> String {
    mask(quotedSecretsMarked(text), between: ["/"])
  }

  /// The description of a value, whose own words are outside of quotes.
  package func masked(value text: Text) -> String {
    shown(quotedSecretsMarked(text))
  }

  private func quotedSecretsMarked(_ text: Text) -> Text {
    guard let quoted = outermost(["\""], in: text.string) else { return text }
    let found = filtered(text.string).secretRanges.filter { quoted.contains($0.lowerBound) }
    return Text(text.string, secretRanges: text.secretRanges + found)
  }

  /// Masks marked parts, and the secrets between the first and the last of the delimiters.
  private func mask(_ text: Text, between delimiters: Set<Character>) -> String {
    let string = text.string
    guard let inside = outermost(delimiters, in: string) else { return shown(text) }
    let found = filtered(string).secretRanges.filter { inside.contains($0.lowerBound) }
    let short = state.withLock { $0.shortSecrets }
    // A slash may stand in a pattern.
    let quotes = delimiters == ["/"] ? nil : Set(delimiters.compactMap(\.asciiValue))
    let places = short.isEmpty ? [] : words(short, of: Array(string.utf8), within: inside, quotes: quotes)
    return shown(Text(string, secretRanges: text.secretRanges + found + places))
  }

  /// The places where secrets stand as words between quotes; parts of other words match by chance.
  private func words(
    _ secrets: Set<String>, of bytes: [UInt8], within inside: Range<Int>, quotes: Set<UInt8>?
  ) -> [Range<Int>] {
    let quoted = quotes.flatMap { self.quoted(in: bytes, by: $0) } ?? [inside]
    func isInWord(_ index: Int) -> Bool {
      bytes.indices.contains(index) && (isAlphanumeric(bytes[index]) || bytes[index] >= 0x80)
    }
    return secrets.flatMap { secret in
      let secret = Array(secret.utf8)
      return quoted.flatMap { quoted in
        (quoted.lowerBound..<max(quoted.lowerBound, quoted.upperBound - secret.count + 1)).compactMap {
          (start: Int) -> Range<Int>? in
          let end = start + secret.count
          guard bytes[start..<end].elementsEqual(secret) else { return nil }
          // A secret of signs has no words around it.
          if isInWord(start), isInWord(start - 1) { return nil }
          if isInWord(end - 1), isInWord(end) { return nil }
          return start..<end
        }
      }
    }
  }

  /// The bytes between quotes; nil if one is never closed.
  private func quoted(in bytes: [UInt8], by quotes: Set<UInt8>) -> [Range<Int>]? {
    var result: [Range<Int>] = []
    var open: Int?
    for (index, byte) in bytes.enumerated() where index == 0 || bytes[index - 1] != UInt8(ascii: "\\") {
      if let start = open {
        guard byte == bytes[start] else { continue }
        result.append(start + 1..<index)
        open = nil
      } else if quotes.contains(byte) {
        open = index
      }
    }
    return open == nil ? result : nil
  }

  /// The bytes between the first and the last of the delimiters.
  private func outermost(_ delimiters: Set<Character>, in string: String) -> Range<Int>? {
    guard let first = string.firstIndex(where: delimiters.contains),
      let last = string.lastIndex(where: delimiters.contains), first < last
    else { return nil }
    let start = string.utf8.distance(from: string.startIndex, to: string.index(after: first))
    return start..<string.utf8.distance(from: string.startIndex, to: last)
  }

  /// Nil while there is nothing to search for.
  private var filter: SecretFilter? {
    state.withLock { state in
      if !state.fresh.isEmpty {
        state.filter.add(state.fresh)
        state.fresh.removeAll()
      }
      return state.filter.isEmpty ? nil : state.filter
    }
  }
}
