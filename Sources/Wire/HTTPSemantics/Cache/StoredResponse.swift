import Cryptography
import Values

/// A cached response, and the metadata needed to reuse it (RFC 9111).
package struct StoredResponse: Sendable {
  package private(set) var head: ResponseHead
  let body: [UInt8]
  let trailers: HeaderFields?
  /// The times at which the head's request was sent and the head was received.
  private(set) var requestTime: Timestamp
  private(set) var responseTime: Timestamp
  /// A hash of the request fields that the response depends on.
  let selection: String

  init(
    head: ResponseHead, body: [UInt8], trailers: HeaderFields? = nil, requestTime: Timestamp, responseTime: Timestamp,
    selection: String
  ) {
    self.head = head
    self.body = body
    self.trailers = trailers
    self.requestTime = requestTime
    self.responseTime = responseTime
    self.selection = selection
  }

  /// The response to a request in its stored form; nil if it must not be stored (section 3).
  init?(
    to request: WireRequest, head: ResponseHead, body: [UInt8], trailers: HeaderFields?, requestTime: Timestamp,
    responseTime: Timestamp
  ) {
    guard StoredResponse.mayStore(head, to: request) else { return nil }
    var kept = head
    kept.headers.removeUnstored()
    self.init(
      head: kept, body: body, trailers: trailers, requestTime: requestTime, responseTime: responseTime,
      selection: StoredResponse.selection(of: request, by: head.headers))
  }

  /// The space that it takes in the cache.
  var size: Int {
    body.count + head.headers.fields.reduce(256) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
  }

  // MARK: storable responses

  /// Statuses whose responses may be reused heuristically (RFC 9110, section 15.1).
  private static let heuristicStatuses: Set<Int> = [200, 203, 204, 300, 301, 308, 404, 405, 410, 414, 501]

  /// Returns whether a private cache may store a response with that head.
  static func mayStore(_ head: ResponseHead, to request: WireRequest) -> Bool {
    guard request.method == .get, head.status >= 200, head.status != 206, head.status != 304,
      !CacheControl(request.headers).has("no-store")
    else { return false }
    let control = CacheControl(head.headers)
    if control.has("no-store") || varyNames(head.headers).contains("*") { return false }
    return heuristicStatuses.contains(head.status) || control.has("public") || control.has("private")
      || control.has("max-age") || head.headers.contains("Expires")
  }

  // MARK: selection

  /// The names that `Vary` lists, in lower case.
  private static func varyNames(_ headers: HeaderFields) -> Set<String> {
    Set(headers.values("Vary").flatMap { $0.split(separator: ",") }.map { trimmingBlanks($0).lowercased() })
  }

  /// A hash of the request fields that a response with these headers depends on (section 4.1).
  ///
  /// `Authorization` always counts: other credentials mean another user, who gets other responses.
  private static func selection(of request: WireRequest, by headers: HeaderFields) -> String {
    let names = varyNames(headers).union(["authorization"]).sorted()
    let lines = names.map { name in
      let values = request.headers.values(name)
      return values.isEmpty ? name : "\(name): " + values.map { trimmingBlanks($0[...]) }.joined(separator: ", ")
    }
    return hexEncoded(DigestAlgorithm.sha256.digest(of: lines.joined(separator: "\n")))
  }

  /// Returns whether the response may be used for the request.
  func fits(_ request: WireRequest) -> Bool {
    selection == StoredResponse.selection(of: request, by: head.headers)
  }

  // MARK: freshness

  var control: CacheControl { CacheControl(head.headers) }

  private var date: Timestamp { self.date(of: "Date") ?? responseTime }

  private func date(of header: String) -> Timestamp? {
    head.headers.first(header).flatMap { Timestamp(httpDate: $0, ignoresCase: true) }
  }

  /// The freshness lifetime in seconds (section 4.2.1); if the server doesn't set it, a tenth of the response's age
  /// when it was sent (section 4.2.2).
  var freshnessLifetime: Int64 {
    let control = control
    if let seconds = control.seconds("max-age") { return seconds }
    if head.headers.first("Expires") != nil {
      // An invalid date, such as 0, is in the past (section 5.3).
      return max(0, (date(of: "Expires") ?? date).seconds - date.seconds)
    }
    guard StoredResponse.heuristicStatuses.contains(head.status) || control.has("public"),
      let modified = date(of: "Last-Modified")
    else { return 0 }
    return max(0, (date.seconds - modified.seconds) / 10)
  }

  /// The seconds since the server generated or validated the response (section 4.2.3).
  func age(at now: Timestamp) -> Int64 {
    let apparent = max(0, responseTime.seconds - date.seconds)
    // The first of a list counts, and an invalid number is ignored (section 5.1).
    let statedAge = head.headers.first("Age").flatMap { deltaSeconds(String($0.prefix { $0 != "," })) } ?? 0
    let corrected = statedAge + wholeSeconds(from: requestTime, to: responseTime)
    return max(apparent, corrected) + wholeSeconds(from: responseTime, to: now)
  }

  /// Returns whether the response may be used without validation (sections 4.2 and 5.2.1).
  func isUsable(_ request: CacheControl, at now: Timestamp) -> Bool {
    let control = control
    if control.has("no-cache") || request.has("no-cache") { return false }
    let age = age(at: now)
    if let limit = request.seconds("max-age"), age > limit { return false }
    let margin = freshnessLifetime - age
    if margin > (request.seconds("min-fresh") ?? 0) { return true }
    guard let stale = request.seconds("max-stale"), !control.has("must-revalidate") else { return false }
    return request.isBare("max-stale") || -margin <= stale
  }

  // MARK: validation

  /// The conditional request that validates the response; nil if it has no validator (section 4.3.1).
  func validation(of request: WireRequest) -> WireRequest? {
    var conditional = request
    if let tag = head.headers.first("ETag") { conditional.headers.append("If-None-Match", tag) }
    if let date = head.headers.first("Last-Modified") { conditional.headers.append("If-Modified-Since", date) }
    return conditional.headers.fields.count > request.headers.fields.count ? conditional : nil
  }

  /// Returns whether a 304 applies to this response (section 4.3.3).
  func isConfirmed(by notModified: ResponseHead) -> Bool {
    guard let tag = notModified.headers.first("ETag"), let own = head.headers.first("ETag") else { return true }
    return opaqueTag(tag) == opaqueTag(own)
  }

  /// Returns whether the head of a response to HEAD matches this response (section 4.3.5).
  func isDescribed(by other: ResponseHead) -> Bool {
    ["ETag", "Last-Modified", "Content-Length"].allSatisfy { name in
      guard let value = other.headers.first(name), let own = head.headers.first(name) else { return true }
      return value == own
    }
  }

  /// The response with the fields of a newer head (section 3.2).
  func updated(by newer: ResponseHead, requestTime: Timestamp, responseTime: Timestamp) -> StoredResponse {
    var result = self
    var fields = newer.headers
    fields.removeUnstored()
    for name in ["Content-Length", "Content-Encoding", "Content-Type", "Content-Range"] { fields.removeAll(name) }
    // An old age doesn't apply to a response that was just validated.
    result.head.headers.removeAll("Age")
    result.head.headers.replace(with: fields)
    result.requestTime = requestTime
    result.responseTime = responseTime
    return result
  }
}

private func wholeSeconds(from start: Timestamp, to end: Timestamp) -> Int64 {
  max(0, end.seconds - start.seconds - (end.nanoseconds < start.nanoseconds ? 1 : 0))
}

/// An entity tag without its weakness indicator.
private func opaqueTag(_ tag: String) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...] }

extension HeaderFields {
  /// Replaces fields by those with the same names, and appends new ones.
  fileprivate mutating func replace(with newer: HeaderFields) {
    var replaced: Set<String> = []
    var result: [Field] = []
    for field in fields {
      let name = field.name.lowercased()
      if !newer.contains(name) {
        result.append(field)
      } else if replaced.insert(name).inserted {
        result += newer.fields.filter { $0.name.lowercased() == name }
      }
    }
    fields = result + newer.fields.filter { !replaced.contains($0.name.lowercased()) }
  }

  /// Removes fields that aren't stored: connection fields (RFC 9111, section 3.1), and `Set-Cookie`, since a cookie is
  /// set once, not with each use of the response.
  fileprivate mutating func removeUnstored() {
    let named = values("Connection").flatMap { $0.split(separator: ",") }.map(trimmingBlanks)
    let fixed = [
      "Connection", "Keep-Alive", "Proxy-Connection", "Proxy-Authenticate", "Proxy-Authentication-Info",
      "Proxy-Authorization", "TE", "Transfer-Encoding", "Upgrade", "Set-Cookie",
    ]
    for name in named + fixed { removeAll(name) }
  }
}
