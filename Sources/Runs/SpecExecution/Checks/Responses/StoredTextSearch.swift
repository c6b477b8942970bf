import DocumentQueries
import Matching

/// A search for what a body must contain, or must not, that needs only a part of the text at a time.
enum StoredTextSearch {
  case part([UInt8])
  case absence(of: [UInt8])
  case pattern(RegularExpression)

  /// The number of bytes that are searched at a time, and that two neighbors share.
  fileprivate static let windowLength = 1 << 20
  fileprivate static let overlap = 1 << 16

  /// Nil for a predicate that may need the whole text.
  init?(_ predicate: Predicate) {
    switch predicate.operand {
    case .value(.text(let text)) where (1...StoredTextSearch.overlap).contains(text.string.utf8.count):
      let part = Array(text.string.utf8)
      if predicate.kind === PredicateKind.contains {
        self = .part(part)
      } else if predicate.kind === PredicateKind.notContains, !text.string.contains("{{") {
        self = .absence(of: part)
      } else {
        return nil
      }
    case .pattern(let pattern) where predicate.kind === PredicateKind.matches: self = .pattern(pattern)
    default: return nil
    }
  }

  fileprivate var isAbsence: Bool { if case .absence = self { true } else { false } }

  /// Returns whether a window certainly has it; false leaves a pattern open.
  ///
  /// - Parameter start: the offset to search from, behind a context of the text before; 0 at the text's beginning.
  fileprivate func isIn(_ window: String, from start: Int, isEnd: Bool) -> Bool {
    switch self {
    case .part(let part), .absence(let part): occurs(part, in: window.utf8)
    case .pattern(let pattern):
      (try? pattern.certainlyMatches(inPart: window, from: start, isEnd: isEnd)) ?? false
    }
  }
}

extension BodyContent {
  /// Returns whether a text on disk certainly has each, and nothing that is denied; it is read once, and never whole in memory.
  func hasEach(_ searches: [StoredTextSearch]) -> Bool {
    guard charset.encoding == .utf8 else { return false }
    var missing = searches.filter { !$0.isAbsence }
    let denied = searches.filter(\.isAbsence)
    var window: [UInt8] = []
    var (isStart, isOpen) = (true, false)
    func search(isEnd: Bool) {
      // The last character may be incomplete.
      let end = isEnd ? window.count : window.characterStart(window.count - 1)
      guard let text = String(validating: window[..<end], as: UTF8.self) else {
        isOpen = true
        return
      }
      let body = isStart && text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
      let start = isStart ? 0 : window.characterStart(RegularExpression.contextLength)
      missing.removeAll { $0.isIn(body, from: start, isEnd: isEnd) }
      isOpen = denied.contains { $0.isIn(body, from: start, isEnd: isEnd) }
      isStart = false
      window.removeFirst(window.characterStart(end - StoredTextSearch.overlap))
    }
    let isRead = collector.read { piece in
      guard !isOpen else { return }
      window += piece
      if window.count >= StoredTextSearch.windowLength { search(isEnd: false) }
    }
    if isRead, !isOpen { search(isEnd: true) }
    return isRead && !isOpen && missing.isEmpty
  }
}

extension [UInt8] {
  /// The start of the character at an index, in UTF-8.
  fileprivate func characterStart(_ index: Int) -> Int {
    var index = Swift.max(0, Swift.min(index, count - 1))
    while index > 0, self[index] & 0xC0 == 0x80 { index -= 1 }
    return Swift.max(0, index)
  }
}
