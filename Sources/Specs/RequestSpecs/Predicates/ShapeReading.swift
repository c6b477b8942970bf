import Matching
import Templates
import Values
import YAMLNodes

/// Expected values, in which tags can replace values.
extension SpecReader {
  /// Returns whether a node contains a tag of expectations.
  func hasTags(_ node: YAMLNode) -> Bool {
    if node.localTag != nil { return true }
    switch node.content {
    case .scalar: return false
    case .sequence(let items): return items.contains(where: hasTags)
    case .mapping(let members): return members.contains { hasTags($0.value) }
    }
  }

  /// Warns of a tag in quotes, which is text.
  mutating func warnOfQuotedTags(_ node: YAMLNode) {
    switch node.content {
    case .scalar:
      guard let text = node.plainText, text.hasPrefix("!"), text.utf8.count < 20, node.localTag == nil else { return }
      let name = text.dropFirst()
      guard
        name == "any"
          || name != "empty" && MatchKind(rawValue: String(name.hasSuffix("?") ? name.dropLast() : name)) != nil
      else {
        return
      }
      warn(
        .misplacedTag, "this is text: a tag stands without quotes", at: node,
        help: name == "null" ? "null itself is `null`, without quotes and `!`" : "leave out the quotes around it")
    case .sequence(let items): for item in items { warnOfQuotedTags(item) }
    case .mapping(let members): for member in members { warnOfQuotedTags(member.value) }
    }
  }

  /// An operand with tags inside, or with `unordered: true` beside it.
  mutating func shapedPredicate(
    _ kind: PredicateKind, _ node: YAMLNode, unit: OperandUnit, isUnordered: Bool
  ) -> PredicateSpec? {
    guard let shape = shape(node, unit: unit) else { return nil }
    let operand = ShapedOperand(
      kind: kind, shape: shape, unit: unit, isUnordered: isUnordered, range: node.range)
    guard let literal = shape.literal else { return .shaped(operand) }
    do {
      return .fixed(.shaped(try RequestSpecs.shapedPredicate(kind, literal, isUnordered: isUnordered)))
    } catch {
      return reject(error, at: node)
    }
  }

  /// - Parameter isMember: whether the node is a member's value, which may be optional.
  private mutating func shape(_ node: YAMLNode, unit: OperandUnit = .plain, isMember: Bool = false) -> ShapeTemplate? {
    if node.hasError { return nil }
    guard let tag = node.localTag else { return untaggedShape(node, unit: unit) }
    if !isMember, tag.isOptional || tag.name == "optional" {
      return reject(
        .misplacedTag, "only a member of a mapping can be optional: `\(tag.text)` stands elsewhere", at: tag.range,
        notes: useNote(node),
        help: tag.name == "optional"
          ? "write what is expected, or `!is {one_of: […]}` for several" : "write `!\(tag.name)`")
    }
    switch tag.name {
    case "optional": return optionalShape(node, tag, unit: unit)
    case "each": return eachShape(node, tag)
    case "regex": return patternShape(node, tag)
    case "is": return predicateShape(node, tag, unit: unit)
    default:
      guard checkStandsAlone(node, tag) else { return nil }
      return .fixed(MatchKind(rawValue: tag.name).map { .kind($0) } ?? .anything)
    }
  }

  private mutating func untaggedShape(_ node: YAMLNode, unit: OperandUnit) -> ShapeTemplate? {
    switch node.content {
    case .scalar: return valueShape(node, unit: unit)
    case .sequence(let nodes):
      let items = nodes.compactMap { shape($0, unit: unit) }
      guard items.count == nodes.count else { return nil }
      let literals = items.compactMap(\.literal)
      return literals.count == items.count ? .fixed(.joined(literals)) : .list(items)
    case .mapping(let members): return objectShape(members)
    }
  }

  private mutating func valueShape(_ node: YAMLNode, unit: OperandUnit) -> ShapeTemplate? {
    guard let value = valueTemplate(node) else { return nil }
    guard let literal = value.literal else { return .value(value) }
    do {
      return .fixed(.value(try measured(literal, unit)))
    } catch {
      return reject(error, at: node)
    }
  }

  private mutating func objectShape(_ members: [YAMLMember]) -> ShapeTemplate? {
    var entries: [ShapeTemplate.Member] = []
    for member in members {
      let key = textTemplate(member)
      guard let shape = shape(member.value, isMember: true), let key else { continue }
      let tag = member.value.localTag
      entries.append(
        ShapeTemplate.Member(
          key: key, shape: shape, isOptional: tag.map { $0.isOptional || $0.name == "optional" } ?? false))
    }
    guard entries.count == members.count else { return nil }
    let literals = entries.compactMap { entry -> Shape.Member? in
      guard entry.key.template == nil, let shape = entry.shape.literal else { return nil }
      return Shape.Member(key: Text(entry.key.text), shape: shape, isOptional: entry.isOptional)
    }
    return literals.count == entries.count ? .fixed(.joined(literals)) : .object(entries)
  }

  // MARK: tags

  /// `!optional X`: the shape of a member that may be absent.
  private mutating func optionalShape(_ node: YAMLNode, _ tag: YAMLLocalTag, unit: OperandUnit) -> ShapeTemplate? {
    if isBare(node) {
      return reject(
        .emptyValue, "`!optional` says nothing of the member's value", at: tag.range, notes: useNote(node),
        help: "write the value after it, or a kind as `!uuid?`; `!any?` takes whatever is there")
    }
    return untaggedShape(node.untagged, unit: unit)
  }

  /// `!each X`: a mapping or scalar that each item equals, or a list with one item, which may be a tag.
  private mutating func eachShape(_ node: YAMLNode, _ tag: YAMLLocalTag) -> ShapeTemplate? {
    let item: ShapeTemplate?
    if let items = node.items {
      guard items.count == 1 else {
        return reject(
          .misplacedTag, "`!each` takes what every item matches, found a list of \(items.count)", at: node,
          help: "write a list of one, `!each [!uuid]`, or a mapping, `!each {id: !uuid}`")
      }
      item = shape(items[0])
    } else if isBare(node) {
      return reject(
        .emptyValue, "`!each` says nothing of the items", at: tag.range, notes: useNote(node),
        help: "write what every item matches, `!each [!uuid]` or `!each {id: !uuid}`; `!array` is any list")
    } else {
      item = untaggedShape(node.untagged, unit: .plain)
    }
    guard let item else { return nil }
    return item.literal.map { .fixed(.each($0)) } ?? .each(item)
  }

  private mutating func patternShape(_ node: YAMLNode, _ tag: YAMLLocalTag) -> ShapeTemplate? {
    guard let scalar = node.scalar, !isBare(node) else {
      return reject(
        .misplacedTag, "`!regex` takes a regular expression, found \(isBare(node) ? "nothing" : node.kindPhrase)",
        at: isBare(node) ? tag.range : node.range, notes: useNote(node),
        help: #"write it after the tag: !regex '^\d+$'"#)
    }
    // A pattern is text, even one of digits alone.
    let text = YAMLNode(
      content: .scalar(YAMLScalar(meaning: .text(scalar.text), style: scalar.style, text: scalar.text)),
      range: node.range, useSite: node.useSite)
    guard let value = valueTemplate(text) else { return nil }
    checkPattern(text)
    guard value.literal != nil else { return .pattern(value) }
    do {
      let expression = try compilePattern(Text(scalar.text))
      warnIfMatchingAnything(Predicate(.matches, .pattern(expression)), text)
      return .fixed(.pattern(expression))
    } catch {
      return reject(error, at: text)
    }
  }

  /// `!is {…}`: predicates in place of a value.
  private mutating func predicateShape(_ node: YAMLNode, _ tag: YAMLLocalTag, unit: OperandUnit) -> ShapeTemplate? {
    guard node.members != nil else {
      let word = node.scalar.map(\.text) ?? ""
      return reject(
        .misplacedTag, "`!is` takes a mapping of predicates, found \(isBare(node) ? "nothing" : node.kindPhrase)",
        at: isBare(node) ? tag.range : node.range, notes: useNote(node),
        help: MatchKind(rawValue: word) == nil ? "write such as `!is {at_least: 1}`" : "write `!is {is: \(word)}`")
    }
    guard let specs = predicates(node.untagged, unit: unit) else { return nil }
    var predicates: [Predicate] = []
    for spec in specs {
      guard case .fixed(let predicate) = spec else { return .predicates(specs) }
      predicates.append(predicate)
    }
    return .fixed(.predicates(predicates))
  }

  private mutating func checkStandsAlone(_ node: YAMLNode, _ tag: YAMLLocalTag) -> Bool {
    if isBare(node) { return true }
    let help =
      switch tag.name {
      case "array": "write the list without the tag, or `!each` for what every item matches"
      case "object": "write the mapping without the tag"
      default: "remove what follows the tag, or the tag"
      }
    report(
      .wrongType, "`\(tag.text)` stands for a value itself, found \(node.kindPhrase) after it", at: node, help: help)
    return false
  }

  /// Returns whether a node consists of its tag alone.
  private func isBare(_ node: YAMLNode) -> Bool {
    node.scalar.map { $0.text.isEmpty && $0.style == .plain } ?? false
  }
}

extension YAMLNode {
  /// The node without its tag.
  var untagged: YAMLNode {
    YAMLNode(content: content, range: range, useSite: useSite, hasMapTag: hasMapTag, hasError: hasError)
  }

  /// The place at which the node is used, with its tag.
  var place: SourceRange {
    if let useSite { return useSite }
    guard let tag = localTag, tag.range.bytes.lowerBound < range.bytes.lowerBound else { return range }
    return range.moved(to: tag.range.bytes.lowerBound..<range.bytes.upperBound)
  }
}
