/// The limit that a value exceeds.
package enum ValueExcess: Error, Sendable, Hashable {
  case tooLarge
  case tooDeep
}

extension Value {
  /// The rest of an allowance in bytes after the value has taken its share.
  ///
  /// The share is about what the value alone would take: parts shared with others count each time.
  ///
  /// - Parameter levels: the maximum nesting depth.
  package func remainder(of allowance: Int, levels: Int) -> Result<Int, ValueExcess> {
    do throws(ValueExcess) {
      var left = allowance
      try take(from: &left, levels: levels)
      return .success(left)
    } catch {
      return .failure(error)
    }
  }

  private func take(from left: inout Int, levels: Int) throws(ValueExcess) {
    left -= MemoryLayout<Value>.stride
    switch self {
    case .null, .bool, .date: break
    case .number(let number): left -= number.lexeme.utf8.count
    case .text(let text): left -= text.string.utf8.count
    case .data(let data): left -= data.bytes.count
    case .list(let items):
      guard levels > 0 else { throw .tooDeep }
      for item in items { try item.take(from: &left, levels: levels - 1) }
    case .mapping(let mapping):
      guard levels > 0 else { throw .tooDeep }
      for member in mapping.members {
        left -= MemoryLayout<Text>.stride + member.key.string.utf8.count
        try member.value.take(from: &left, levels: levels - 1)
      }
    }
    if left < 0 { throw .tooLarge }
  }
}
