import Synchronization

/// Decides, in the order of the output, which failures are drawn: one that many files have is drawn for the first three,
/// and has a line for the others.
///
/// Both forms of a failure are in the output that files write side by side, between bytes that text never contains.
final class FailureFolding: Sendable {
  private struct Kind {
    /// The files that drew it.
    var files = 1
    var lastFile: Substring
  }

  private struct State {
    /// The parts of a failure whose end is still to come: its kind, its file, and its first form.
    var parts: [[UInt8]] = []
    /// The beginning of the next part.
    var part: [UInt8] = []
    var isInside = false
    var kinds: [Substring: Kind] = [:]
    var folded = 0
  }

  private static let drawnFiles = 3
  private static let kindLimit = 10_000
  private static let separator: UInt8 = 0

  private let state = Mutex(State())
  /// Indicates whether there was a failure.
  private let isNeeded = Atomic(false)

  /// The number of failures in one line.
  var count: Int { state.withLock { $0.folded } }

  /// A failure in both forms.
  ///
  /// - Parameters:
  ///   - kind: the text that failures of one kind share.
  ///   - file: the position of the file.
  func both(_ kind: String, in file: Int, drawn: String, line: String) -> String {
    isNeeded.store(true, ordering: .releasing)
    return "\0\(UInt(bitPattern: kind.hashValue)) \(file)\0\(drawn)\0\(line)\0"
  }

  /// Notes failures that have one line anyway.
  func add(_ count: Int) { state.withLock { $0.folded += count } }

  /// Replaces failures by one of their forms, in the next piece of the output.
  func resolve(_ bytes: [UInt8]) -> [UInt8] {
    guard isNeeded.load(ordering: .acquiring) else { return bytes }
    return state.withLock { state in
      if !state.isInside, !bytes.contains(Self.separator) { return bytes }
      var result: [UInt8] = []
      var rest = bytes[...]
      while let end = rest.firstIndex(of: Self.separator) {
        Self.take(rest[..<end], &state, &result)
        rest = rest[(end + 1)...]
        Self.separate(&state, &result)
      }
      Self.take(rest, &state, &result)
      return result
    }
  }

  private static func take(_ bytes: ArraySlice<UInt8>, _ state: inout State, _ result: inout [UInt8]) {
    if state.isInside { state.part += bytes } else { result += bytes }
  }

  private static func separate(_ state: inout State, _ result: inout [UInt8]) {
    guard state.isInside else { return state.isInside = true }
    state.parts.append(state.part)
    state.part = []
    guard state.parts.count == 3 else { return }
    let isDrawn = draws(String(decoding: state.parts[0], as: UTF8.self), &state)
    result += state.parts[isDrawn ? 1 : 2]
    if !isDrawn { state.folded += 1 }
    state.parts = []
    state.isInside = false
  }

  /// - Parameter key: the kind and the file.
  private static func draws(_ key: String, _ state: inout State) -> Bool {
    let words = key.split(separator: " ")
    guard words.count == 2 else { return true }
    guard let kind = state.kinds[words[0]] else {
      if state.kinds.count < kindLimit { state.kinds[words[0]] = Kind(lastFile: words[1]) }
      return true
    }
    if kind.lastFile == words[1] { return true }
    guard kind.files < drawnFiles else { return false }
    state.kinds[words[0]] = Kind(files: kind.files + 1, lastFile: words[1])
    return true
  }
}
