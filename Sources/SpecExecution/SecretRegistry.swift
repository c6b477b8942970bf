import SecretMasking
import Synchronization
import Values

/// The secrets that a file's run has met, and the filter that finds them in foreign text.
final class SecretRegistry: Sendable {
  private struct State {
    var secrets: Set<String> = []
    var filter: SecretFilter?
  }

  private let state: Mutex<State>

  init(_ secrets: some Sequence<String>) {
    state = Mutex(State(secrets: Set(secrets.filter { $0.utf8.count >= 6 })))
  }

  func add(_ secret: String) {
    guard secret.utf8.count >= 6 else { return }
    state.withLock { state in
      if state.secrets.insert(secret).inserted { state.filter = nil }
    }
  }

  /// Takes every secret part of a value.
  func add(_ value: Value) {
    guard value.isSecret else { return }
    switch value {
    case .text(let text): add(text)
    case .number, .date, .data: add(value.asText)
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

  /// A foreign value with the secrets in its texts marked.
  func filtered(_ value: Value) -> Value {
    guard state.withLock({ !$0.secrets.isEmpty }) else { return value }
    switch value {
    case .text(let text): return .text(filtered(text.string))
    case .number(let number):
      return filtered(number.lexeme).isSecret ? .number(Number(lexeme: number.lexeme, isSecret: true)) : value
    case .list(let items): return .list(items.map { filtered($0) })
    case .mapping(let mapping):
      return .mapping(
        Mapping(mapping.members.map { Mapping.Member(key: filtered($0.key.string), value: filtered($0.value)) }))
    case .null, .bool, .date, .data: return value
    }
  }

  /// Foreign text with its secrets marked.
  func filtered(_ text: String) -> Text {
    let filter = state.withLock { state in
      if state.secrets.isEmpty { return SecretFilter?.none }
      if state.filter == nil { state.filter = SecretFilter(secrets: state.secrets) }
      return state.filter
    }
    guard let filter else { return Text(text) }
    return filter.mask(text)
  }
}
