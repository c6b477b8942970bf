import Values

/// Alamofire's response validation: the acceptable status codes and content types.
package struct ValidationRules: Sendable, Hashable {
  /// The acceptable status; nil accepts any.
  package var status: StatusSet?
  /// Media ranges, as in an `Accept` header; nil accepts any content type.
  package var contentTypes: [String]?

  package init(status: StatusSet?, contentTypes: [String]?) {
    self.status = status
    self.contentTypes = contentTypes
  }

  /// `validate: none`
  package static let none = ValidationRules(status: nil, contentTypes: nil)

  /// `validate: auto`: 200..<300, and the types in `Accept` if it is sent. A type with a suffix accepts what that stands
  /// for (RFC 6839): `application/vnd.github+json` also `application/json`.
  package static func automatic(accept: String?) -> ValidationRules {
    guard let accept else { return ValidationRules(status: .success, contentTypes: nil) }
    var types =
      accept.contains(byte: UInt8(ascii: ","))
      ? accept.split(separator: ",", omittingEmptySubsequences: false).map(String.init) : [accept]
    if accept.contains(byte: UInt8(ascii: "+")) { types += types.compactMap(typeOfSuffix) }
    return ValidationRules(status: .success, contentTypes: types)
  }

  private static func typeOfSuffix(_ type: String) -> String? {
    guard let range = MediaRange(parsing: type), let plus = range.subtype.lastIndex(of: "+") else { return nil }
    return "\(range.type)/\(range.subtype[range.subtype.index(after: plus)...])"
  }

  /// The reasons why a response isn't acceptable, the status first.
  ///
  /// - Parameter contentType: the `Content-Type` as received; an empty body needs none.
  package func failures(status: Int, contentType: String?, bodyIsEmpty: Bool) -> [ValidationFailure] {
    var failures: [ValidationFailure] = []
    if let acceptable = self.status, !acceptable.contains(status) {
      failures.append(.unacceptableStatus(status, acceptable: acceptable))
    }
    guard let acceptable = contentTypes, !bodyIsEmpty else { return failures }
    if let contentType, let type = MediaRange(parsing: contentType) {
      if !acceptable.contains(where: { MediaRange(parsing: $0)?.contains(type) ?? false }) {
        failures.append(.unacceptableContentType(contentType, acceptable: acceptable))
      }
    } else if !acceptable.contains(where: { MediaRange(parsing: $0)?.isWildcard ?? false }) {
      failures.append(.missingContentType(contentType, acceptable: acceptable))
    }
    return failures
  }
}

/// The reason why a response isn't acceptable.
package enum ValidationFailure: Error, Sendable, Hashable {
  case unacceptableStatus(Int, acceptable: StatusSet)
  /// The content type is missing or invalid.
  case missingContentType(String?, acceptable: [String])
  case unacceptableContentType(String, acceptable: [String])

  package var matchFailure: MatchFailure {
    switch self {
    case .unacceptableStatus(let status, let acceptable):
      return MatchFailure(
        predicate: Text("validate status"), expected: Text("status \(acceptable)"), actual: Text("status \(status)"))
    case .missingContentType(let type, let acceptable):
      return MatchFailure(
        predicate: Text("validate content_type"), expected: ValidationFailure.phrase(acceptable),
        actual: type.map { Text("\(quoted($0)), which is not a media type") } ?? Text("no content type"))
    case .unacceptableContentType(let type, let acceptable):
      return MatchFailure(
        predicate: Text("validate content_type"), expected: ValidationFailure.phrase(acceptable),
        actual: Text("content type \(quoted(type))"))
    }
  }

  private static func phrase(_ acceptable: [String]) -> Text {
    let types = acceptable.map { String($0.trimming(while: \.isWhitespace)) }.filter { !$0.isEmpty }
    return Text(types.isEmpty ? "no content type is acceptable" : "content type " + types.joined(separator: " or "))
  }
}
