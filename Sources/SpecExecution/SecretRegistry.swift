import SecretMasking
import Synchronization
import Values

/// The secrets that a file's run has met, and the filter that finds them in foreign text.
final class SecretRegistry: Sendable {
  private struct State {
    var secrets: Set<String> = []
    /// Those that foreign text is not searched for.
    var shortSecrets: Set<String> = []
    /// Made when it is needed.
    var filter: SecretFilter?
  }

  private let state: Mutex<State>

  init() {
    state = Mutex(State())
  }

  /// Begins with the secrets of another registry.
  init(copying other: SecretRegistry) {
    _ = other.filter
    state = Mutex(other.state.withLock { $0 })
  }

  func add(_ secret: String) {
    guard !secret.isEmpty else { return }
    state.withLock { state in
      if secret.utf8.count < SecretFilter.shortestSecret {
        state.shortSecrets.insert(secret)
      } else if state.secrets.insert(secret).inserted {
        state.filter = nil
      }
    }
  }

  /// Takes every secret part of a value.
  func add(_ value: Value) {
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

  func add(_ text: Text) {
    guard text.isSecret else { return }
    for run in text.runs where run.isSecret { add(run.text) }
  }

  /// Foreign text with its secrets masked.
  func masked(_ text: String) -> String {
    filtered(text).masked
  }

  /// The beginning of foreign bytes with its secrets masked; what the cut may have left of one is left out.
  func masked(prefix bytes: [UInt8]) -> [UInt8] {
    guard let filter else { return bytes }
    var stream = filter.stream()
    return stream.push(bytes)
  }

  /// A foreign value with the secrets in its texts marked.
  func filtered(_ value: Value) -> Value {
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
  func filtered(_ text: String) -> Text {
    filter?.mask(text) ?? Text(text)
  }

  /// A message of ours with the secrets masked that it quotes, however short, but none of our own words.
  func masked(message: String) -> String {
    let bytes = Array(message.utf8)
    let found = filtered(message).secretRanges.filter { range in
      // All that we say ourselves is letters and spaces.
      bytes[range].contains { !($0 == 0x20 || (0x61...0x7A).contains($0 | 0x20)) }
    }
    return mask(Text(message, secretRanges: found), between: ["\"", "`"])
  }

  /// A predicate's wording, in which patterns stand between slashes and without marks.
  func masked(wording text: Text) -> String {
    mask(text, between: ["/"])
  }

  /// Masks what is marked, and the secrets that lie between the first and the last of the delimiters.
  private func mask(_ text: Text, between delimiters: Set<Character>) -> String {
    let string = text.string
    guard let first = string.firstIndex(where: delimiters.contains),
      let last = string.lastIndex(where: delimiters.contains), first < last
    else { return text.masked }
    func offset(_ index: String.Index) -> Int { string.utf8.distance(from: string.utf8.startIndex, to: index) }
    let inside = offset(first) + 1..<offset(last)
    var ranges = text.secretRanges + filtered(string).secretRanges.filter { inside.contains($0.lowerBound) }
    for secret in state.withLock({ $0.shortSecrets }) {
      for range in string[string.index(after: first)..<last].ranges(of: secret) {
        ranges.append(offset(range.lowerBound)..<offset(range.upperBound))
      }
    }
    return Text(string, secretRanges: ranges).masked
  }

  /// Nil while there is nothing to search for.
  private var filter: SecretFilter? {
    state.withLock { state in
      if state.secrets.isEmpty { return nil }
      if state.filter == nil { state.filter = SecretFilter(secrets: state.secrets) }
      return state.filter
    }
  }
}
