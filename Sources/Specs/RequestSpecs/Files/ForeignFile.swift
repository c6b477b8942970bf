import Values
import YAMLNodes

extension LoadedFile {
  /// The kind of a document without anything of a spec; nil if it is one, or meant as one.
  ///
  /// - Parameter missing: the words of the parts that could not be read.
  init?(foreign root: YAMLNode, missing: Set<String>) {
    if root.isOpenAPIDocument {
      self = .contract
    } else if let tool = root.foreignTool {
      self = .other("it is a file of another tool", tool: tool)
    } else if !missing.isDisjoint(with: ["requests", "flows", "url"]) {
      return nil
    } else if let members = root.members {
      let names = members.map(\.key).filter { !$0.hasPrefix("x-") }
      if root.localTag != nil || members.contains(where: { isOwn($0) }) { return nil }
      let foreign = names.filter { !sharedKeys.contains($0) }
      let shown = foreign.prefix(3).map { "`\(jsonEscaped(String($0.prefix(40))))`" }.joined(separator: ", ")
      self = .other(
        foreign.isEmpty
          ? "it has neither `url` nor `requests`"
          : "it has neither `url` nor `requests`, but \(shown)" + (foreign.count > 3 ? " …" : ""), tool: nil)
    } else {
      let beginsWithKey = root.scalar.map { text in ownKeys.contains { text.text.hasPrefix("\($0):") } } ?? false
      if root.hasError || beginsWithKey || root.items?.contains(where: { isRequest($0) }) == true { return nil }
      self = .other("it is \(root.kindPhrase), not a mapping with `url` or `requests`", tool: nil)
    }
  }
}

extension YAMLNode {
  /// The tool whose tests these are, by two keys that no spec has together, and the key of its requests.
  var foreignTests: (tool: String, requests: YAMLMember)? {
    guard let members, !members.contains(where: { ["requests", "url"].contains($0.key) }) else { return nil }
    func member(_ key: String) -> YAMLMember? { members.first { $0.key == key } }
    func items(of key: String, have name: String) -> Bool {
      (member(key)?.value.items ?? []).contains { item in item.members?.contains { $0.key == name } ?? false }
    }
    if member("test_name") != nil, let stages = member("stages") { return ("Tavern", stages) }
    if member("runners") != nil, let steps = member("steps") { return ("runn", steps) }
    if items(of: "testcases", have: "steps"), let cases = member("testcases") { return ("Venom", cases) }
    if items(of: "scenarios", have: "flow"), let scenarios = member("scenarios") { return ("Artillery", scenarios) }
    guard member("version") != nil, let tests = member("tests") else { return nil }
    let hasSteps = tests.value.members?.contains { $0.value.members?.contains { $0.key == "steps" } ?? false } ?? false
    return hasSteps ? ("Step CI", tests) : nil
  }

  /// The name of the tool whose document this is, by the keys that only it has.
  fileprivate var foreignTool: String? {
    for member in members ?? [] {
      let inner = { (name: String) in member.value.members?.contains { $0.key == name } ?? false }
      switch member.key {
      case "item" where members?.contains { $0.key == "info" } ?? false: return "postman"
      case "collection" where inner("item"), "_postman_variable_scope": return "postman"
      case "log" where inner("entries"): return "har"
      case "__export_format": return "insomnia"
      case "type" where member.value.scalar?.text.contains(".insomnia.rest/") ?? false: return "insomnia"
      case "opencollection", "brunoConfig": return "bruno"
      default: break
      }
    }
    return nil
  }
}

/// Keys that many kinds of files have.
private let sharedKeys: Set<String> = ["name", "description", "tags"]

private let ownKeys = Set(fileKeys.names.known + requestKeys.names.known + useKeys.names.known).subtracting(sharedKeys)

/// Other tools' names for the list of requests, without words that files of any kind have.
private let wordsForRequests: Set<String> = [
  "request", "steps", "stages", "scenarios", "scenario", "tests", "testcases", "test_cases", "flow", "flows",
  "scenario_outline",
]

private let ownWords = ["requests", "variables", "defaults", "setup", "teardown", "extends", "secrets", "url"]

/// Returns whether a key, or its value, belongs to a spec, even if it is misspelt or another tool's.
private func isOwn(_ member: YAMLMember) -> Bool {
  if ownKeys.contains(member.key) { return true }
  let key = visible(member.key)
  return ownKeys.contains(key) || wordsForRequests.contains(key) || standardMethods.contains(key)
    || requestKeys.names.synonyms[key] == "url" && member.value.plainText.map(isAbsoluteURL) == true
    || nearestWord(to: key, among: ownWords) != nil || (member.value.items ?? []).contains { isRequest($0) }
}

/// Returns whether a list item has the parts of every tool's requests.
private func isRequest(_ item: YAMLNode) -> Bool {
  (item.members ?? []).contains { member in
    ["url", "uri", "request", "requests", "http"].contains(member.key) || standardMethods.contains(member.key)
  }
}

/// A key without invisible characters and without a dash that lacks its space.
private func visible(_ key: String) -> String {
  let seen = String(String.UnicodeScalarView(key.unicodeScalars.filter { !isInvisible($0) }))
  return seen.hasPrefix("-") ? String(seen.dropFirst()) : seen
}

let standardMethods: Set<String> = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"]
