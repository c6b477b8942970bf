internal import CLibXML2

/// The functions of the core library.
extension XPathEvaluator {
  mutating func call(
    _ function: XPathFunction, _ arguments: [XPathExpression], _ context: Context
  ) throws(XPathError) -> XPathValue {
    try spend()
    switch function {
    case .last: return .number(Double(context.size))
    case .position: return .number(Double(context.position))
    case .true: return .boolean(true)
    case .false: return .boolean(false)
    case .count: return .number(Double(try nodes(of: arguments[0], context).count))
    case .sum:
      var sum = 0.0
      for node in try nodes(of: arguments[0], context) { sum += xpathNumber(try text(of: node)) }
      return .number(sum)
    case .id: return .nodes(try identified(by: try value(of: arguments[0], context)))
    case .localName: return .string(try named(arguments, context)?.localName ?? "")
    case .namespaceURI: return .string(try named(arguments, context)?.namespaceURI ?? "")
    case .name: return .string(try named(arguments, context)?.name ?? "")
    case .boolean: return .boolean(try boolean(arguments[0], context))
    case .not: return .boolean(try !boolean(arguments[0], context))
    case .lang: return .boolean(isInLanguage(try string(try value(of: arguments[0], context)), context.node))
    case .floor: return .number(try number(try value(of: arguments[0], context)).rounded(.down))
    case .ceiling: return .number(try number(try value(of: arguments[0], context)).rounded(.up))
    case .round:
      let number = try number(try value(of: arguments[0], context))
      return .number(rounded(number))
    case .string: return .string(try text(arguments.first, context))
    case .number:
      guard let argument = arguments.first else { return .number(xpathNumber(try text(nil, context))) }
      return .number(try number(try value(of: argument, context)))
    case .stringLength: return .number(Double(try text(arguments.first, context).unicodeScalars.count))
    case .normalizeSpace:
      let words = try text(arguments.first, context).utf8.split(whereSeparator: isXMLSpace)
      return .string(words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " "))
    case .concat:
      var result = ""
      for argument in arguments {
        let part = try text(argument, context)
        try spend(1 + part.utf8.count >> 4)
        try checkSize(result.utf8.count + part.utf8.count)
        result += part
      }
      return .string(result)
    case .startsWith:
      return .boolean(try text(arguments[0], context).utf8.starts(with: try text(arguments[1], context).utf8))
    case .contains: return .boolean(try separated(arguments, context) != nil)
    case .substringBefore: return .string(try separated(arguments, context)?.before ?? "")
    case .substringAfter: return .string(try separated(arguments, context)?.after ?? "")
    case .substring: return .string(try substring(arguments, context))
    case .translate: return .string(try translated(arguments, context))
    }
  }

  /// The text of an argument, or of the context node.
  private mutating func text(_ argument: XPathExpression?, _ context: Context) throws(XPathError) -> String {
    guard let argument else { return try text(of: context.node) }
    let text = try string(try value(of: argument, context))
    try spend(1 + text.utf8.count >> 4)
    return text
  }

  private mutating func named(_ arguments: [XPathExpression], _ context: Context) throws(XPathError) -> XPathNode? {
    guard let argument = arguments.first else { return context.node }
    return try nodes(of: argument, context).first
  }

  private func rounded(_ number: Double) -> Double {
    guard number.isFinite, abs(number) < 0x1p52 else { return number }
    // Halves are rounded up, also those below zero; what is above -0.5 becomes the negative zero.
    let floor = number.rounded(.down)
    let result = number - floor < 0.5 ? floor : floor + 1
    return result == 0 && number.sign == .minus ? -0.0 : result
  }

  private mutating func identified(by value: XPathValue) throws(XPathError) -> [XPathNode] {
    var texts: [String] = []
    if case .nodes(let nodes) = value {
      for node in nodes { texts.append(try text(of: node)) }
    } else {
      texts = [try string(value)]
    }
    var found: [XPathNode] = []
    for text in texts {
      for word in text.utf8.split(whereSeparator: isXMLSpace) {
        try spend()
        guard let attribute = document.xml.xmlGetID(document.document, String(decoding: word, as: UTF8.self)),
          let element = attribute.pointee.parent
        else { continue }
        found.append(XPathNode(element))
      }
    }
    return try sorted(found)
  }

  /// Returns whether the nearest `xml:lang` is a language, or a variety of it.
  private func isInLanguage(_ wanted: String, _ start: XPathNode) -> Bool {
    var next: XPathNode? = start
    while let node = next {
      var attribute = node.namespace == nil ? node.pointer.firstAttribute : nil
      while let current = attribute {
        let candidate = XPathNode(current)
        if candidate.localName == "lang", candidate.own.map({ DocumentQueries.text($0.pointee.prefix) }) == "xml" {
          let found = DocumentQueries.text(current.pointee.children?.pointee.content).lowercased()
          return found == wanted.lowercased() || found.hasPrefix(wanted.lowercased() + "-")
        }
        attribute = current.pointee.next
      }
      next = node.parent
    }
    return false
  }

  /// The texts before and after the first occurrence of a text; nil if it doesn't occur.
  private mutating func separated(
    _ arguments: [XPathExpression], _ context: Context
  ) throws(XPathError) -> (before: String, after: String)? {
    let whole = Array(try text(arguments[0], context).utf8)
    let part = Array(try text(arguments[1], context).utf8)
    guard let first = part.first else { return ("", String(decoding: whole, as: UTF8.self)) }
    var start = 0
    while start + part.count <= whole.count {
      var length = 0
      if whole[start] == first {
        length = 1
        while length < part.count, whole[start + length] == part[length] { length += 1 }
        try spend(1 + length >> 4)
      }
      if length == part.count {
        return (
          String(decoding: whole[..<start], as: UTF8.self),
          String(decoding: whole[(start + length)...], as: UTF8.self)
        )
      }
      start += 1
    }
    return nil
  }

  /// A part of a string: characters count from 1, bounds are rounded (section 4.2).
  private mutating func substring(_ arguments: [XPathExpression], _ context: Context) throws(XPathError) -> String {
    let text = try text(arguments[0], context)
    let start = rounded(try number(try value(of: arguments[1], context)))
    var end = Double.infinity
    if arguments.count > 2 { end = start + rounded(try number(try value(of: arguments[2], context))) }
    var result = String.UnicodeScalarView()
    var position = 0.0
    for scalar in text.unicodeScalars {
      position += 1
      if position >= end { break }
      if position >= start, position < end { result.append(scalar) }
    }
    return String(result)
  }

  private mutating func translated(_ arguments: [XPathExpression], _ context: Context) throws(XPathError) -> String {
    let text = try text(arguments[0], context)
    let from = Array(try self.text(arguments[1], context).unicodeScalars)
    let to = Array(try self.text(arguments[2], context).unicodeScalars)
    // The first of two that are the same counts; nil drops the character.
    var table: [Unicode.Scalar: Unicode.Scalar?] = [:]
    for (index, scalar) in from.enumerated() where table[scalar] == nil {
      table[scalar] = .some(index < to.count ? to[index] : nil)
    }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if let replacement = table[scalar] ?? .some(scalar) { result.append(replacement) }
    }
    return String(result)
  }
}
