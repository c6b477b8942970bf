import ReqrunKit

extension JSONValue {
  /// The size of a result in bytes of JSON: what is longer takes the room of an agent's context.
  private static let limit = 20_000
  /// The longest text in a result.
  static let longestText = 8_000

  fileprivate var size: Int { description.utf8.count }

  /// The value with the beginnings of long texts alone.
  func withTexts(upTo limit: Int) -> JSONValue {
    switch self {
    case .string(let text):
      guard text.utf8.count > limit else { return self }
      var end = text.utf8.index(text.startIndex, offsetBy: limit)
      while text.utf8[end] & 0xC0 == 0x80 { end = text.utf8.index(before: end) }
      return .string("\(text[..<end])… (cut: \(text.utf8.count) bytes)")
    case .array(let items): return .array(items.map { $0.withTexts(upTo: limit) })
    case .object(let members): return .object(members.mapValues { $0.withTexts(upTo: limit) })
    case .null, .bool, .number: return self
    }
  }

  /// The value in that size, with the longest texts of these limits; nil if none is short enough.
  private func fitting(_ size: Int, texts: [Int]) -> JSONValue? {
    for limit in texts {
      let cut = withTexts(upTo: limit)
      if cut.size <= size { return cut }
    }
    return nil
  }

  fileprivate static func cut(_ members: [String: JSONValue], _ lists: [String], cutsTexts: Bool) -> JSONValue {
    let others = JSONValue.object(members.filter { !lists.contains($0.key) })
    guard case .object(var result)? = others.fitting(limit / 2, texts: [500, 100, 30, 10]) else {
      return ["note": .string("the result is longer than 20 KB")]
    }
    let texts = cutsTexts ? [longestText, 2_000, 500, 100] : [Int.max]
    var left = limit - JSONValue.object(result).size
    var omitted = 0
    for list in lists {
      guard case .array(let items)? = members[list] else { continue }
      var kept: [JSONValue] = []
      for (index, item) in items.enumerated() {
        // Of several, one doesn't take the room of all.
        let share = min(left, max(2_000, left / (items.count - index)))
        guard let item = item.fitting(share, texts: texts) ?? item.fitting(left, texts: texts) else { break }
        kept.append(item)
        left -= item.size + 1
      }
      omitted += items.count - kept.count
      result[list] = .array(kept)
    }
    if omitted > 0 {
      result["omitted"] = .number(String(omitted))
      result["note"] = .string("cut to 20 KB, without \(omitted) items: select fewer")
    }
    return .object(result)
  }
}

extension [String: JSONValue] {
  /// The object within the limit of a result.
  ///
  /// - Parameters:
  ///   - lists: the members that are lists, of which the last items are left out.
  ///   - cutsTexts: whether long texts in their items are cut.
  func cut(_ lists: String..., cutsTexts: Bool = true) -> JSONValue {
    JSONValue.cut(self, lists, cutsTexts: cutsTexts)
  }
}
