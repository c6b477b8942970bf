import DocumentQueries
import Templates

/// The subject of an assertion or a capture.
///
/// Indirect, since every check and every layer passes it on.
package indirect enum ResponseSubject: Sendable {
  case status
  case contentType
  case header(TextTemplate)
  /// A field behind the body.
  case trailer(TextTemplate)
  case cookie(TextTemplate, CookieAttribute)
  /// The target of a `Link` header, by its relation.
  case link(TextTemplate)
  case json(JSONPathSpec)
  /// Events of a stream; the path starts at the list of all events.
  case events(JSONPathSpec)
  /// The calls of the project's mock; the path starts at the list of all calls.
  case calls(JSONPathSpec)
  /// Rows of a body in CSV; the path starts at the list of all rows.
  case csv(JSONPathSpec)
  case xpath(XPathSpec)
  case body
  case bytes(BytesAspect)
  case duration
  case timing(TimingPhase)
  case redirects
  case url
  case address(ConnectionEnd)
  case port(ConnectionEnd)
  case httpVersion
  case cache
  /// An attribute of the certificate; nil is all of it.
  case certificate(CertificateAttribute?)
  /// The path of the downloaded file.
  case file
  case snapshot
  case schema
  /// The value of an expression, whatever the response is.
  case value(ValueTemplate)
}

package enum CookieAttribute: String, Sendable, CaseIterable {
  case value, domain, path, expires
  case maxAge = "max_age"
  case secure
  case httpOnly = "http_only"
  case sameSite = "same_site"

  /// The attribute with a name as in RFC 6265, such as `Max-Age`, or as in other tools.
  init?(named name: String) {
    let plain = name.lowercased().filter { $0 != "-" && $0 != "_" }
    guard let found = CookieAttribute.allCases.first(where: { $0.rawValue.filter { $0 != "_" } == plain }) else {
      return nil
    }
    self = found
  }
}

/// The end of a connection whose address or port is meant.
package enum ConnectionEnd: Sendable {
  case remote, local
}

/// An attribute of the server's certificate.
package enum CertificateAttribute: String, Sendable, CaseIterable {
  case subject, issuer, serial, starts, expires
  /// The time for which it remains valid.
  case expiresIn = "expires_in"
  case names, fingerprint
  case keyType = "key_type"
  case keyBits = "key_bits"
  case signatureAlgorithm = "signature_algorithm"
  /// The certificates that the server sent, its own first.
  case chain
}

/// An aspect of the body's bytes.
package enum BytesAspect: String, Sendable, CaseIterable {
  case content, sha256, md5
  /// The body as received, before content decoding.
  case wire
}

package enum TimingPhase: String, Sendable, CaseIterable {
  case nameLookup = "name_lookup"
  case connect, tls
  case firstByte = "first_byte"
  case total
}

extension ResponseSubject {
  package var templates: [Template] {
    switch self {
    case .header(let name), .trailer(let name), .cookie(let name, _), .link(let name): name.templates
    case .json(let path), .events(let path), .calls(let path), .csv(let path): path.template.map { [$0] } ?? []
    case .xpath(let path): path.template.map { [$0] } ?? []
    case .value(let value): value.templates
    case .status, .contentType, .body, .bytes, .duration, .timing, .redirects, .url, .address, .port, .httpVersion,
      .cache, .certificate, .file, .snapshot, .schema:
      []
    }
  }

  var type: SubjectType {
    switch self {
    case .status, .port: .number
    case .duration, .timing, .certificate(.expiresIn), .cookie(_, .maxAge): .duration
    case .certificate(.starts), .certificate(.expires), .cookie(_, .expires): .date
    case .certificate(.keyBits): .number
    case .certificate(.names): .texts
    case .certificate(.chain), .redirects: .list
    case .cookie(_, .secure), .cookie(_, .httpOnly): .boolean
    case .header, .trailer: .lines
    case .certificate(nil): .unknown
    case .cookie, .certificate, .contentType, .body, .url, .link, .address, .httpVersion, .cache, .file: .text
    case .bytes(.sha256), .bytes(.md5): .text
    case .xpath(let spec):
      switch spec.type {
      case .nodeSet: .texts
      case .string: .text
      case .number: .number
      case .boolean: .boolean
      }
    case .json, .events, .calls, .csv, .bytes, .snapshot, .schema, .value: .unknown
    }
  }
}
