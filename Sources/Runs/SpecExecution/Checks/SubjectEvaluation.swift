import DocumentQueries
import HTTPSemantics
import Matching
import RequestSpecs
import Templates
import Values

/// Finds subjects in a response, for captures and assertions.
package struct SubjectEvaluation {
  package let response: Response
  package let scope: FileScope

  /// The value of a subject for predicates.
  package func value(of subject: ResponseSubject) throws -> MatchSubject {
    switch subject {
    case .snapshot, .schema: return .missing
    case .value(let expression): return .value(try expression.resolve(in: scope))
    case .status: return .value(.integer(response.head.status))
    case .contentType:
      return response.head.headers.first("Content-Type").map { text(response.filtered($0)) } ?? .missing
    case .header(let name): return lines(of: try name.resolve(in: scope).string, in: response.head.headers)
    case .trailer(let name): return lines(of: try name.resolve(in: scope).string, in: response.result.trailers)
    case .cookie(let name, let attribute):
      return cookieSubject(response.cookie(try name.resolve(in: scope).string), attribute)
    case .json, .events, .calls, .csv:
      guard let (path, document) = try query(subject) else { return .missing }
      return response.subject(of: try response.selection(of: path, in: document), path)
    case .link(let relation):
      let target = linkTarget(response.head.headers.values("Link"), relation: try relation.resolve(in: scope).string)
      return target.map { target in
        text(response.filtered((try? HTTPURL.resolve(target, against: response.result.finalURL).string) ?? target))
      } ?? .missing
    case .file: return response.file.map { text($0) } ?? .missing
    case .xpath(let spec): return try response.subject(of: try spec.resolve(in: scope))
    case .body: return text(try response.body())
    case .bytes(.content): return .lazy(BodyBytes(length: response.bodyCount))
    case .bytes(.wire):
      return response.result.summary.wireBodyBytes.map { .lazy(BodyBytes(length: $0)) } ?? .missing
    case .bytes(let aspect): return text(response.digest(aspect))
    case .duration: return .value(response.durationMilliseconds)
    case .certificate(let attribute):
      return response.certificates.isEmpty
        ? .missing : .value(response.filtered(try response.certificate(attribute, now: scope.now())))
    case .timing(let phase): return response.timing(phase).map { .value($0) } ?? .missing
    case .redirects: return .value(.list(response.redirects))
    case .url: return text(response.finalURL)
    case .address(let end): return connection(end).map { text(Text($0.host)) } ?? .missing
    case .port(let end): return connection(end).map { .value(.integer($0.port)) } ?? .missing
    case .cache: return response.result.summary.cache.map { .value(.text(Text($0.word.rawValue))) } ?? .missing
    case .httpVersion:
      return response.head.httpVersion.isEmpty ? .missing : text(Text(response.head.httpVersion))
    }
  }

  /// The subject's value, made as a whole, and the first duplicate name on the way of its path.
  ///
  /// - Parameter reserve: reserves memory for the value.
  func wholeValue(
    of subject: ResponseSubject, reserving reserve: (Int) throws(Response.Unreadable) -> Void
  ) throws -> (value: Value?, repeated: JSONRepeatedMember?) {
    if let (path, document) = try query(subject) {
      let selection = try response.selection(of: path, in: document)
      try reserve(selection.nodes.valueMemory)
      let values = selection.nodes.map { response.filtered($0.value) }
      return (path.isSingular ? values.first : .list(values), selection.ambiguity)
    }
    switch subject {
    case .xpath(let spec): return (try response.captured(try spec.resolve(in: scope)), nil)
    case .bytes(.content): return (.integer(response.bodyCount), nil)
    case .body: try reserve(Int(clamping: response.bodyCount))
    default: break
    }
    switch try value(of: subject) {
    case .missing: return (nil, nil)
    case .value(let value): return (value, nil)
    case .lazy(let value): return (value.value, nil)
    case .list(let values): return (values.value, nil)
    case .lines(let lines):
      var joined = Text("")
      for (index, line) in lines.enumerated() { joined.append(index == 0 ? line : ", " + line) }
      return (.text(joined), nil)
    }
  }

  private func connection(_ end: ConnectionEnd) -> (host: String, port: Int)? {
    let summary = response.result.summary
    return (end == .remote ? summary.remoteAddress : summary.localAddress).flatMap(splitHostAndPort)
  }

  /// A subject that can only be text.
  private func text(_ text: Text) -> MatchSubject { .lazy(UntypedText(text)) }

  /// The path of a subject in a JSON document, with that document; nil for any other.
  package func query(_ subject: ResponseSubject) throws -> (path: JSONPath, document: JSONDocument)? {
    switch subject {
    case .json(let path): (try path.resolve(in: scope), try response.json())
    case .events(let path): (try path.resolve(in: scope), try response.eventList())
    case .calls(let path): (try path.resolve(in: scope), try response.calls(of: scope.mock))
    case .csv(let path): (try path.resolve(in: scope), try response.csv())
    default: nil
    }
  }

  private func lines(of name: String, in fields: HeaderFields) -> MatchSubject {
    let lines = fields.values(name)
    guard !lines.isEmpty else { return .missing }
    return .lines(
      lines.map { line in
        let text = response.filtered(line)
        guard let marked = markedHeader(name, line) else { return text }
        return Text(line, secretRanges: marked.secretRanges + text.secretRanges)
      })
  }

  /// The reason why a subject is missing, if one is known.
  package func absence(of subject: ResponseSubject) throws -> String? {
    switch subject {
    case .cache: "there is no cache without `session: {cache: protocol}`"
    case .certificate: response.missingCertificate
    case .json, .events, .calls, .csv: try query(subject).flatMap { path, document in path.absence(in: document) }
    case .xpath(let spec): response.absence(of: try spec.resolve(in: scope))
    case .header(let name): response.absence(ofHeader: try name.resolve(in: scope).string)
    case .trailer(let name): response.absence(ofTrailer: try name.resolve(in: scope).string)
    case .link(let relation):
      response.absence(ofLink: try relation.resolve(in: scope).string) ?? response.absence(ofHeader: "Link")
    case .cookie(let name, let attribute):
      response.absence(ofCookie: try name.resolve(in: scope).string)
        ?? "the response sets the cookie without `\(attribute.rawValue)`"
    default: nil
    }
  }

  private func cookieSubject(_ cookie: SetCookie?, _ attribute: CookieAttribute) -> MatchSubject {
    guard let cookie else { return .missing }
    switch attribute {
    case .value: return text(Text(secret: cookie.value))
    case .domain: return cookie.domain.map { .value(.text($0)) } ?? .missing
    case .path: return cookie.path.map { .value(.text($0)) } ?? .missing
    case .secure: return .value(.bool(cookie.isSecure))
    case .httpOnly: return .value(.bool(cookie.isHTTPOnly))
    case .sameSite: return cookie.sameSite.map { .value(.text($0.rawValue)) } ?? .missing
    case .expires:
      // A cookie to be removed expires before all dates.
      return cookie.expiry(now: scope.now()).map { .value(.date(max($0, Timestamp(seconds: 0)))) } ?? .missing
    case .maxAge: return cookie.maxAge.map { .value(.integer($0 * 1000)) } ?? .missing
    }
  }
}

/// The body's bytes, of which only the count is ever needed.
private struct BodyBytes: LazyValue {
  let length: Int64

  var kind: ValueKind { .data }
  var count: Int? { Int(length) }
  var value: Value { .data(Bytes([])) }
}
