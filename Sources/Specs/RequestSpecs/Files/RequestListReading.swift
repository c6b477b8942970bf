import OperatingSystem
import Templates
import Values
import YAMLNodes

extension SpecReader {
  /// The defaults as a request that others build on.
  mutating func sharedRequest(_ node: YAMLNode) -> RequestDraft {
    var shared = RequestDraft(range: node.range)
    readRequest(node, as: "`defaults`", keys: defaultsKeys, into: &shared)
    return shared
  }

  private mutating func readRequest(
    _ node: YAMLNode, as what: String, keys: Keys<RequestDraft>, into request: inout RequestDraft
  ) {
    request.isWhole = visitRequest(node, as: what, keys: keys, into: &request)
    checkRequest(request, members: node.members ?? [])
  }

  /// Visits a request's keys.
  ///
  /// - Returns: whether those are right without which others look wrong.
  mutating func visitRequest<Owner>(
    _ node: YAMLNode, as what: String, keys: Keys<Owner>, into owner: inout Owner
  ) -> Bool {
    let missedBefore = missedKeys
    missedKeys = []
    let hadExpect = hasExpect
    hasExpect = node.members?.contains { $0.key == "expect" } ?? false
    defer { hasExpect = hadExpect }
    var isWhole = !node.hasError
    visitPlaces(node, as: what, keys: keys.names) { reader, member, place in
      let errorsBefore = reader.bag.errorCount
      keys.all[place].read(&reader, member, &owner)
      let isRight = reader.bag.errorCount == errorsBefore && !member.value.hasError
      if !isRight, keysThatOthersNeed.contains(member.key) { isWhole = false }
    }
    isWhole = isWhole && missedKeys.isDisjoint(with: keysThatOthersNeed)
    missedKeys.formUnion(missedBefore)
    return isWhole
  }

  mutating func requests(_ node: YAMLNode, key: String) -> [RequestSpec] {
    guard isUsable(node) else { return [] }
    guard let items = node.items else {
      if let member = node.members?.first, let dash = member.key.unicodeScalars.first, dash.value > 0x7F,
        plainLooking(String(dash)) == "-"
      {
        bag.error(
          .yamlStructure, "\(characterName(dash)) is not the `-` of a list item", at: member.keyRange,
          help: "write `-` and a space")
        return []
      }
      if let member = node.members?.first, member.key.hasPrefix("-"), member.key.utf8.count > 1 {
        bag.error(
          .yamlStructure, "a space is missing after `-`", at: member.keyRange,
          help: "write `- \(jsonEscaped(String(member.key.dropFirst()))): …`")
        return []
      }
      report(
        .wrongType, "`\(key)` is a list of requests, found \(node.kindPhrase)", at: node, help: listInstead(of: node))
      return []
    }
    return requestsSideBySide(items) ?? items.compactMap { request($0) }
  }

  /// Warns of requests that are all commented out: without any, a file is one that others extend.
  mutating func checkCommentedRequests(_ members: [YAMLMember], _ source: SourceText) {
    if members.contains(where: { ["requests", "flows"].contains($0.key) }) || !missedKeys.isEmpty { return }
    for line in 0...source.lineIndex(at: source.utf8.count) {
      let bytes = source.lineBytes(line)
      guard source.utf8[bytes].first == UInt8(ascii: "#") else { continue }
      let text = source.text(in: bytes).drop { $0 == "#" || $0 == " " }
      let key = text.prefix { $0 != ":" }
      let isAlone = text.dropFirst(key.count).allSatisfy { $0 == ":" || $0.isWhitespace }
      guard key == "url" || isAlone && (key == "requests" || key == "flows") else { continue }
      bag.warning(
        .nothingToRun, "the file has no requests: `\(key)` stands in a comment", at: SourceRange(source, bytes),
        help: "remove the `#`; a file that others extend needs none")
      return
    }
  }

  /// The correct form of requests that are a mapping.
  private func listInstead(of node: YAMLNode) -> String {
    guard let first = node.members?.first, first.value.members != nil else { return "begin each request with `- `" }
    return "write `- name: \(jsonEscaped(first.key))`, and below it the keys of the request"
  }

  /// Reports a text that was meant as a key and its value.
  mutating func reportUnseparated(_ node: YAMLNode) -> Bool {
    guard let text = node.plainText else { return false }
    if let sign = text.unicodeScalars.first(where: { $0.value > 0x7F }), plainLooking(String(sign)) == ":" {
      bag.error(
        .yamlStructure, "\(characterName(sign)) is not the `:` after a key", at: node.range,
        help: "write `:` and a space")
      return true
    }
    guard let colon = text.firstIndex(of: ":"), singleRequestKeys.names.contains(String(text[..<colon])) else {
      return false
    }
    let value = text[text.index(after: colon)...]
    let blank = value.unicodeScalars.first.flatMap { $0.properties.isWhitespace ? $0 : nil }
    bag.error(
      .yamlStructure,
      blank.map { "\(characterName($0)) is not the space after `\(text[...colon])`" }
        ?? "a space is missing after `\(text[...colon])`",
      at: node.range, help: "write `\(text[...colon]) \(value.drop { $0.isWhitespace })`")
    return true
  }

  mutating func request(_ item: YAMLNode) -> RequestSpec? {
    guard isUsable(item) else { return nil }
    if reportUnseparated(item) { return nil }
    guard item.members != nil else {
      return reject(
        .wrongType, "a request is a mapping, found \(item.kindPhrase)", at: item,
        help: item.plainText.flatMap { MigrationHints.requestLine($0) }
          ?? "write `url: …`, and below it what else belongs to the request")
    }
    let lacksUse = isIncomplete(item) && missing?.words.contains("use") == true
    if lacksUse || item.members?.contains(where: { $0.key == "use" }) == true { return use(item) }
    var request = RequestDraft(range: item.range)
    readRequest(item, as: "a request", keys: requestKeys, into: &request)
    return RequestSpec(consume request)
  }

  /// The requests of a long list, read on all processors; nil if the list is short or has problems: those depend on
  /// what was reported before.
  private mutating func requestsSideBySide(_ items: [YAMLNode]) -> [RequestSpec]? {
    let least = 64
    guard items.count >= 2 * least, missing == nil else { return nil }
    let (isWithinDuring, isWithinWebSocket) = (isWithinDuring, isWithinWebSocket)
    let pieces = mapPieces(of: items, minimum: least) { piece -> ([RequestSpec], [ForeignTemplate])? in
      var reader = SpecReader()
      (reader.isWithinDuring, reader.isWithinWebSocket) = (isWithinDuring, isWithinWebSocket)
      let requests = piece.compactMap { reader.request($0) }
      return reader.bag.diagnostics.isEmpty && reader.missedKeys.isEmpty
        ? (requests, reader.foreignTemplates) : nil
    }
    let sound = pieces.compactMap(\.self)
    guard sound.count == pieces.count else { return nil }
    foreignTemplates += sound.flatMap(\.1)
    return sound.flatMap(\.0)
  }
}
