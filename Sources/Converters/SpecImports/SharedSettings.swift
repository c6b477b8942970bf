import RequestSpecs
import Values
import YAMLNodes

/// The settings that all, or most, requests of some files share, and that therefore stand in their `defaults`.
struct SharedSettings {
  private(set) var baseURL: ImportedText?
  private(set) var headers: [ImportedRequest.Header] = []
  private(set) var credentials: ImportedCredentials?
  private(set) var settings: ImportedSettings = []

  /// Keys that are about one request, even if all have the same.
  private static let ownKeys: Set<RequestKey> = [
    .name, .description, .variables, .each, .when, .skip, .poll, .path, .parameters, .query, .download, .stream, .hls,
    .upload, .requestTarget, .retry, .delay, .tags,
  ]

  init() {}

  /// Takes what is shared out of the requests of the files.
  ///
  /// - Parameter own: the names with values of their own in each file.
  init(takingFrom files: inout [ImportedFile], except own: Set<String> = []) {
    let requests = files.flatMap(\.requests)
    guard requests.count > 1, let first = requests.first else { return }
    takeBaseURL(of: requests, from: &files, except: own)
    for header in first.headers
    where own.isDisjoint(with: header.value?.readVariables ?? [])
      && (!header.isTypeOfBodies || !requests.contains(where: \.bringsType))
    {
      let isShared = requests.allSatisfy { request in
        request.headers.count { $0.name == header.name } == 1 && request.headers.contains(header)
      }
      if isShared { headers.append(header) }
    }
    let without = ImportedCredentials.none
    if let shared = requests.lazy.compactMap(\.credentials).first(where: { $0 != without }) ?? first.credentials,
      own.isDisjoint(with: shared.value.readVariables),
      requests.allSatisfy({ $0.credentials == shared || $0.credentials == without })
    {
      credentials = shared
    }
    for (key, value) in first.settings
    where !Self.ownKeys.contains(key) && own.isDisjoint(with: value.readVariables) {
      let isShared = requests.allSatisfy { request in
        request.settings.contains { $0.key == key && $0.value.isSame(as: value) }
      }
      if isShared {
        settings.append((key, value))
      } else if let value = Self.majority(of: key, in: requests) {
        settings.append((key, value))
      }
    }
    files.changeRequests { request in
      request.headers.removeAll { headers.contains($0) }
      if request.credentials == credentials { request.credentials = nil }
      request.settings.removeAll { setting in
        settings.contains { $0.key == setting.key && $0.value.isSame(as: setting.value) }
      }
    }
  }

  /// The value that more than half of the requests have for a key that all of them have. Structures are not among them,
  /// since they would be merged.
  private static func majority(of key: RequestKey, in requests: [ImportedRequest]) -> ImportedValue? {
    let values = requests.compactMap { request in request.settings[key] }
    guard values.count == requests.count, values.allSatisfy(\.isScalar) else { return nil }
    var candidate: ImportedValue?
    var votes = 0
    for value in values {
      if votes == 0 { candidate = value }
      votes += candidate.map(value.isSame) == true ? 1 : -1
    }
    guard let candidate, values.count(where: candidate.isSame) * 2 > values.count else { return nil }
    return candidate
  }

  /// Takes the origin, or the variable, with which the most URLs begin.
  private mutating func takeBaseURL(
    of requests: [ImportedRequest], from files: inout [ImportedFile], except own: Set<String>
  ) {
    var counts: [ImportedText: Int] = [:]
    for request in requests where !request.opensWebSocket {
      // Relative URLs would get it, too.
      guard let base = request.url.divided?.base else { return }
      counts[base, default: 0] += 1
    }
    let most = counts.max { ($0.value, $1.key.source) < ($1.value, $0.key.source) }
    guard let (base, count) = most, count > 1, own.isDisjoint(with: base.readVariables) else { return }
    baseURL = base
    files.changeRequests { request in
      guard let (own, path) = request.url.divided, own == base else { return }
      request.url = path.isEmpty ? ImportedText(base.literal == nil ? "" : "/") : path
    }
  }
}

extension ImportedRequest.Header {
  fileprivate var isTypeOfBodies: Bool { name.literal?.lowercased() == "content-type" }
}

extension ImportedRequest {
  /// Indicates that the key of the body makes a `Content-Type` superfluous.
  fileprivate var bringsType: Bool {
    switch body {
    case .json, .form, .multipart, .graphql: true
    case .text: header("Content-Type")?.literal?.lowercased().hasPrefix("application/x-www-form-urlencoded") ?? false
    case nil, .base64, .file: false
    }
  }
}

extension [ImportedFile] {
  mutating func changeRequests(_ change: (inout ImportedRequest) -> Void) {
    for file in indices {
      for request in self[file].requests.indices { change(&self[file].requests[request]) }
    }
  }
}

extension ImportedText {
  /// The beginning of an absolute URL (scheme, host and port, or a variable that has them) and its path; nil for a
  /// relative URL, and where the end of the host is unknown.
  fileprivate var divided: (base: ImportedText, path: ImportedText)? {
    guard let first = parts.first else { return nil }
    var base = ImportedText()
    var authority = ""
    if case .text(let text) = first {
      guard let scheme = text.firstRange(of: "://"), !text[..<scheme.lowerBound].contains("/") else { return nil }
      base.append(String(text[..<scheme.upperBound]))
      authority = String(text[scheme.upperBound...])
    } else {
      base.append(first)
    }
    var isEnded = false
    var path = ImportedText()
    for part in [.text(authority)] + parts.dropFirst() {
      // A value behind a port is a path.
      if !isEnded, case .text(let known)? = base.parts.last, base.parts.count == 1 {
        let port = known.utf8.reversed().prefix { $0 != UInt8(ascii: ":") }
        if (2...5).contains(port.count), port.count < known.utf8.count, port.allSatisfy(isDigit) { isEnded = true }
      }
      guard !isEnded, case .text(let text) = part else {
        if isEnded { path.append(part) } else { base.append(part) }
        continue
      }
      let end = text.firstIndex { "/?#".contains($0) }
      base.append(String(text[..<(end ?? text.endIndex)]))
      if let end {
        isEnded = true
        path.append(String(text[end...]))
      }
    }
    // Unknown parts and whole URLs in variables have nothing in common.
    if base.hasUnknown { return nil }
    return (base, path)
  }
}

extension ImportedValue {
  fileprivate var isScalar: Bool {
    switch self {
    case .text, .json: true
    case .node(let node): if case .scalar = node.content { true } else { false }
    case .list, .mapping, .keyed: false
    }
  }

  func isSame(as other: ImportedValue) -> Bool {
    switch (self, other) {
    case (.text(let one), .text(let other)): one == other
    case (.json(let one, let isQuoted), .json(let other, let isOtherQuoted)): one == other && isQuoted == isOtherQuoted
    case (.node(let one), .node(let other)): one.isSame(as: other)
    case (.list(let items), .list(let others)):
      items.count == others.count && zip(items, others).allSatisfy { $0.isSame(as: $1) }
    case (.mapping(let members), .mapping(let others)): Self.areSame(members, others)
    case (.keyed(let members), .keyed(let others)): Self.areSame(members, others)
    default: false
    }
  }

  static func areSame<Key: Equatable>(
    _ members: [(key: Key, value: ImportedValue)], _ others: [(key: Key, value: ImportedValue)]
  ) -> Bool {
    members.count == others.count
      && zip(members, others).allSatisfy { $0.key == $1.key && $0.value.isSame(as: $1.value) }
  }
}
