import Cryptography
import OperatingSystem
import Values

/// Cached responses on disk, each in its own file that only its owner may read.
///
/// Names are hashes. Of the request, only hashes of its URL and of the fields that select the response are written.
/// Files that are broken, truncated or of another version are skipped.
package struct CacheDirectory: Sendable {
  private let path: String
  private static let signature = "reqrun-cache 1"
  private static let suffix = ".cache"

  /// - Parameter path: an existing directory.
  package init(_ path: String) {
    self.path = path
  }

  private func file(key: CacheKey, selection: String) -> String {
    "\(path)/\(key.hash.prefix(32))-\(selection.prefix(32))\(CacheDirectory.suffix)"
  }

  // MARK: writing

  /// Writes a response; if that fails, it is kept only for this run.
  func write(_ response: StoredResponse, key: CacheKey) {
    guard let content = CacheDirectory.content(response, key: key),
      let file = try? ReplacementFile(of: file(key: key, selection: response.selection), isPrivate: true)
    else { return }
    file.write(content)
    try? file.commit()
  }

  func remove(key: CacheKey, selection: String) {
    removeFile(file(key: key, selection: selection))
  }

  /// The header as lines of text, as in a message, followed by the body; nil if a field contains a line break.
  private static func content(_ response: StoredResponse, key: CacheKey) -> [UInt8]? {
    var lines = [
      "key \(key.hash)", "selection \(response.selection)", "requested \(text(response.requestTime))",
      "received \(text(response.responseTime))",
      "status \(response.head.status) \(response.head.httpVersion) \(response.head.reason)",
    ]
    lines += response.head.headers.fields.map { "header \($0.name): \($0.value)" }
    lines += (response.trailers?.fields ?? []).map { "trailer \($0.name): \($0.value)" }
    guard !lines.contains(where: { $0.utf8.contains(0x0A) || $0.utf8.contains(0x0D) }) else { return nil }
    let rest = Array((lines.joined(separator: "\n") + "\n\n").utf8) + response.body
    return Array("\(signature)\n\(checksum(rest))\n".utf8) + rest
  }

  private static func checksum(_ bytes: [UInt8]) -> String {
    hexEncoded(DigestAlgorithm.sha256.digest(of: bytes))
  }

  private static func text(_ time: Timestamp) -> String { "\(time.seconds) \(time.nanoseconds)" }

  // MARK: reading

  /// All responses, the least recently used first.
  func load(limit: ExchangeCache.Limits) -> [(key: CacheKey, response: StoredResponse)] {
    var found: [(key: CacheKey, response: StoredResponse)] = []
    let names = directoryEntries(path)
    removeLeftovers(names)
    for name in names where name.hasSuffix(CacheDirectory.suffix) {
      guard isRegularFile("\(path)/\(name)"),
        case .success(let bytes) = readFile("\(path)/\(name)", limit: limit.entry + (1 << 20)),
        let entry = CacheDirectory.entry(bytes), entry.response.size <= limit.entry,
        file(key: entry.key, selection: entry.response.selection) == "\(path)/\(name)"
      else { continue }
      found.append(entry)
    }
    return found.sorted { $0.response.responseTime < $1.response.responseTime }
  }

  /// Removes temporary files of processes that were killed while writing.
  private func removeLeftovers(_ names: [String]) {
    for name in names {
      guard ReplacementFile.finalName(of: name)?.hasSuffix(CacheDirectory.suffix) == true,
        let age = ageOfOwnFile("\(path)/\(name)"), age > 86_400
      else { continue }
      removeFile("\(path)/\(name)")
    }
  }

  private static func entry(_ bytes: [UInt8]) -> (key: CacheKey, response: StoredResponse)? {
    var rest = bytes[...]
    func nextLine() -> String? {
      guard let end = rest.firstIndex(of: 0x0A) else { return nil }
      defer { rest = rest[(end + 1)...] }
      return String(decoding: rest[..<end], as: UTF8.self)
    }
    guard nextLine() == signature, let sum = nextLine(), checksum(Array(rest)) == sum else { return nil }
    var values: [String: String] = [:]
    var headers = HeaderFields()
    var trailers = HeaderFields()
    while let line = nextLine(), !line.isEmpty {
      let name = line.prefix { $0 != " " }
      let value = String(line.dropFirst(name.count + 1))
      guard name == "header" || name == "trailer" else {
        values[String(name)] = value
        continue
      }
      guard let colon = value.firstRange(of: ": ") else { return nil }
      let field = HeaderFields.Field(
        name: String(value[..<colon.lowerBound]), value: String(value[colon.upperBound...]))
      if name == "header" { headers.fields.append(field) } else { trailers.fields.append(field) }
    }
    let status = (values["status"] ?? "").split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    guard let key = values["key"], let selection = values["selection"], let code = status.first.flatMap({ Int($0) }),
      status.count == 3, (100...999).contains(code), let requested = values["requested"].flatMap(timestamp),
      let received = values["received"].flatMap(timestamp)
    else { return nil }
    let head = ResponseHead(
      status: code, reason: String(status[2]), httpVersion: String(status[1]), headers: headers)
    return (
      CacheKey(hash: key),
      StoredResponse(
        head: head, body: Array(rest), trailers: trailers.fields.isEmpty ? nil : trailers, requestTime: requested,
        responseTime: received, selection: selection)
    )
  }

  private static func timestamp(_ text: String) -> Timestamp? {
    let parts = text.split(separator: " ")
    guard parts.count == 2, let seconds = Int64(parts[0]), let nanoseconds = Int32(parts[1]),
      (0...(1 << 40)).contains(seconds), (0..<1_000_000_000).contains(nanoseconds)
    else { return nil }
    return Timestamp(seconds: seconds, nanoseconds: nanoseconds)
  }
}
