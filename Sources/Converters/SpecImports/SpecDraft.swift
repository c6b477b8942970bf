import RequestSpecs
import Values
import YAMLNodes

/// A request of a draft.
struct DraftRequest {
  var node: YAMLNode
  /// The item of `requests`, once it is written; empty if no spec can say the request.
  private(set) var text: [UInt8] = []
  /// The names that it captures.
  private(set) var captures: [String]
  /// Indicates whether it stands in `setup`, as all before it.
  let isSetup: Bool
  /// Indicates whether it stands in `teardown`, as all behind it.
  let isTeardown: Bool
  let comments: [String]
  private(set) var untranslated: [Untranslated]

  init(node: YAMLNode, isSetup: Bool = false, isTeardown: Bool, comments: [String], untranslated: [Untranslated]) {
    self.node = node
    captures = node["capture"]?.members?.map(\.key) ?? []
    self.isSetup = isSetup
    self.isTeardown = isTeardown
    self.comments = comments
    self.untranslated = untranslated
  }

  /// Makes the text of the node, which is then gone: large files are not in memory twice.
  mutating func write() {
    text = Array(YAMLWriter.text(of: .list([node.requestInKeyOrder]), indent: 2).utf8)
    node = .null
  }

  /// Makes a comment of the request, which has an error.
  mutating func leaveOut(_ problem: Diagnostic) {
    let lines = text.split(separator: 0x0A).map { String(decoding: $0.dropFirst(4), as: UTF8.self) }
    untranslated.remark("requests that are not valid", "\(problem.message)\n\(lines.joined(separator: "\n"))")
    (text, captures) = ([], [])
  }

  /// The words of its text, among which are the names that it reads.
  var words: [ArraySlice<UInt8>] {
    text.split { byte in
      byte < 0x80 && !(0x30...0x39).contains(byte) && !(0x61...0x7A).contains(byte | 0x20)
        && byte != UInt8(ascii: "_")
    }
  }
}

/// A spec while it is composed.
struct SpecDraft {
  let path: String
  /// The names in the source that have a value here, and whether it is a text.
  let declared: [String: Bool]
  /// The names in the source that the current request alone declares, and whether it is a text.
  var own: [String: Bool] = [:]
  /// The names in the source that requests capture, up to the current one.
  var captured: Set<String> = []
  /// The names among them whose values are certainly texts.
  var capturedTexts: Set<String> = []
  /// The names in the source that earlier files capture, with their paths.
  var earlierCaptures: [String: [String]] = [:]
  /// The paths of needed files, by the names of the needs.
  var needs: [(name: String, path: String)] = []

  var comments: [String] = []
  var members: [(key: String, value: YAMLNode)] = []
  var variables: [(key: String, value: YAMLNode)] = []
  var secrets: [String] = []
  /// The names that parts of the source set which aren't translated: without them, requests run nevertheless.
  private let lost: Set<String>
  /// The names without a value, which are read from the environment.
  var missing: [String] = []
  /// The secrets that hold credentials found in the source.
  var credentials: [String] = []
  private var knownCredentials: Set<String> = []
  var defaults: [(key: String, value: YAMLNode)] = []
  var requests: [DraftRequest] = []
  /// The parts of the file, not of a request, that could not be translated.
  private(set) var untranslated: [Untranslated] = []
  /// The parts that could not be translated, since they were last taken.
  var remarks: [Untranslated] = []

  init(path: String, declared: [String: Bool], lost: Set<String> = []) {
    self.path = path
    self.declared = declared
    self.lost = lost
  }

  mutating func declare(credential name: String) {
    if knownCredentials.insert(name).inserted { credentials.append(name) }
  }

  mutating func takeRemarks() -> [Untranslated] {
    defer { remarks = [] }
    return remarks
  }

  /// Takes the remarks so far as those of the file.
  mutating func endComments() {
    untranslated += takeRemarks()
  }

  /// Makes comments of the requests with errors; returns whether there are any.
  ///
  /// - Parameter places: the places of these requests in the text that has the errors.
  mutating func leaveOut(_ problems: [Diagnostic], of piece: Range<Int>, at places: [Range<Int>]) -> Bool {
    var captures: [String] = []
    var isChanged = false
    for problem in problems {
      guard let start = problem.range?.bytes.lowerBound else { continue }
      var (index, end) = (0, places.count)
      while index < end {
        let middle = (index + end) / 2
        if places[middle].upperBound <= start { index = middle + 1 } else { end = middle }
      }
      guard index < places.count, places[index].contains(start) else { continue }
      let request = piece.lowerBound + index
      guard !requests[request].text.isEmpty else { continue }
      isChanged = true
      captures += requests[request].captures
      requests[request].leaveOut(problem)
    }
    // Requests that read them get them from the environment.
    if captures.isEmpty { return isChanged }
    let words = Set(requests.flatMap(\.words))
    missing += captures.filter { !missing.contains($0) && words.contains(Array($0.utf8)[...]) }
    return isChanged
  }

  // MARK: text

  /// The text of the spec with these requests as the formatter would write it, and their places.
  ///
  /// - Parameter secrets: what must not stand in comments.
  func text(
    of piece: Range<Int>, environments: [(key: String, value: YAMLNode)] = [], secrets: KnownSecrets
  ) -> (bytes: [UInt8], requests: [Range<Int>]) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(requests[piece].reduce(4096) { $0 + $1.text.count + 1 })
    func add(_ lines: [String], indent: String = "") {
      for line in lines {
        bytes += "\(indent)# \(line)".utf8
        while let last = bytes.last, last == 0x20 || last == 0x09 { bytes.removeLast() }
        bytes.append(0x0A)
      }
    }
    add(commentLines(comments, untranslated, secrets))
    if !bytes.isEmpty { bytes.append(0x0A) }
    let last = requests[piece].lastIndex { !$0.text.isEmpty }
    var heading = members + declarations + environmentMembers(environments)
    // A file of comments alone would be empty.
    if heading.isEmpty, last == nil { heading = [("name", .text(path))] }
    if !heading.isEmpty { bytes += YAMLWriter.text(of: YAMLNode.mapping(heading).inKeyOrder).utf8 }
    let firstOfTeardown = requests[piece].firstIndex { $0.isTeardown && !$0.text.isEmpty }
    // A setup of nothing would be an error.
    let firstBehindSetup = requests[piece].firstIndex { !$0.isSetup && !$0.isTeardown && !$0.text.isEmpty }
    let hasSetup = firstBehindSetup != nil && requests[piece].first { !$0.text.isEmpty }?.isSetup ?? false
    if last != nil, firstOfTeardown != requests[piece].firstIndex(where: { !$0.text.isEmpty }) {
      bytes += (hasSetup ? "setup:\n" : "requests:\n").utf8
    }
    var places: [Range<Int>] = []
    for index in piece {
      let request = requests[index]
      if index == firstOfTeardown { bytes += "\nteardown:\n".utf8 }
      if hasSetup, index == firstBehindSetup { bytes += "\nrequests:\n".utf8 }
      // A blank line after a text that ends with one would be part of it.
      if index != firstOfTeardown, !hasSetup || index != firstBehindSetup, index > piece.lowerBound || last == nil,
        !bytes.suffix(2).elementsEqual([0x0A, 0x0A])
      {
        bytes.append(0x0A)
      }
      let isBeforeLast = last.map { index <= $0 } ?? false
      add(commentLines(request.comments, request.untranslated, secrets), indent: isBeforeLast ? "  " : "")
      places.append(bytes.count..<bytes.count + request.text.count)
      bytes += request.text
    }
    return (bytes, places)
  }

  private var declarations: [(key: String, value: YAMLNode)] {
    var result: [(key: String, value: YAMLNode)] = []
    if !needs.isEmpty { result.append(("needs", .mapping(needs.map { ($0.name, .text(relativePath(of: $0.path))) }))) }
    let secretNames = missing.filter(isSecretName) + secrets + credentials
    func value(_ name: String) -> (key: String, value: YAMLNode) {
      (name, .text("${{ env.\(name)\(lost.contains(name) ? " | default('<\(name)>')" : "") }}"))
    }
    let values = variables + missing.filter { !isSecretName($0) }.map(value)
    if !values.isEmpty { result.append(("variables", .mapping(values))) }
    if !secretNames.isEmpty {
      let isList = lost.isDisjoint(with: secretNames)
      result.append(("secrets", isList ? .list(secretNames.map { .text($0) }) : .mapping(secretNames.map(value))))
    }
    if !defaults.isEmpty { result.append(("defaults", .mapping(defaults))) }
    return result
  }

  private func environmentMembers(
    _ environments: [(key: String, value: YAMLNode)]
  ) -> [(key: String, value: YAMLNode)] {
    guard let first = environments.first else { return [] }
    return [("environments", .mapping(environments)), ("default_environment", .text(first.key))]
  }

  /// The path of another spec, relative to this one.
  private func relativePath(of other: String) -> String {
    let own = path.split(separator: "/").dropLast()
    let parts = other.split(separator: "/")
    let common = zip(own, parts.dropLast()).prefix { $0 == $1 }.count
    return (own.dropFirst(common).map { _ in ".." } + parts.dropFirst(common)).joined(separator: "/")
  }
}

private func commentLines(
  _ comments: [String], _ untranslated: [Untranslated], _ secrets: KnownSecrets
) -> [String] {
  var lines = comments.flatMap { secrets.masked($0).split(whereSeparator: \.isNewline).map(String.init) }
  for part in untranslated {
    let source = secrets.masked(part.source).split(whereSeparator: \.isNewline)
    if source.count < 2 {
      lines.append("not translated (\(part.reason)): \(source.first ?? "")")
    } else {
      lines.append("not translated (\(part.reason)):")
      lines += source.map { "  \($0)" }
    }
  }
  return lines.map { sanitizedForTerminal($0) }
}
