import APIContracts
import LocalServer

extension APIContract {
  /// The reason why a request lacks the credentials that an operation wants; nil if it has those of an alternative.
  func missingCredentials(of operation: Operation, in request: ServerRequest) -> String? {
    let alternatives = security(of: operation)
    if alternatives.isEmpty { return nil }
    let schemes = documents.main.root["components"]?["securitySchemes"]
    let missing = alternatives.map { alternative in
      alternative.members.map(\.key).filter { name in
        guard let scheme = schemes?[name].flatMap({ try? documents.resolved($0) }) else { return false }
        return !request.has(scheme)
      }
    }
    return missing.contains { $0.isEmpty }
      ? nil
      : "the request lacks the credentials of \(missing.map { $0.joined(separator: " and ") }.joined(separator: ", or "))"
  }
}

extension ServerRequest {
  /// Returns whether there are credentials of a kind; they are not checked.
  fileprivate func has(_ scheme: DocumentNode) -> Bool {
    let authorization = header("Authorization")?.lowercased() ?? ""
    let name = scheme["name"]?.string ?? ""
    switch scheme["type"]?.string {
    case "http": return authorization.hasPrefix((scheme["scheme"]?.string?.lowercased() ?? "") + " ")
    case "oauth2", "openIdConnect": return authorization.hasPrefix("bearer ")
    case "apiKey":
      switch scheme["in"]?.string {
      case "query": return parameter(name) != nil
      case "cookie": return cookies.contains { $0.name == name }
      default: return header(name) != nil
      }
    default: return true
    }
  }
}
