import YAMLNodes

extension SendRequest {
  /// The text of a spec that sends the request, whatever its project expects of responses.
  ///
  /// - Parameters:
  ///   - checksStatus: whether a status other than 2xx is a failure.
  ///   - query: a JSONPath or an XPath that must select something; nil for none.
  package func specText(checksStatus: Bool, query: String? = nil) -> String {
    var members = keys
    if !secrets.isEmpty { members.append(("secrets", .list(secrets.map { .text($0.name) }))) }
    members.append(("validate", checksStatus ? .mapping([("status", .text("2xx"))]) : .text("none")))
    members.append(("expect", .null))
    members.append(("openapi", .text("none")))
    if let query {
      let source = query.hasPrefix("$") ? "json" : "xpath"
      members.append(("capture", .mapping([("selected", .mapping([(source, .text(query))]))])))
    }
    return YAMLWriter.text(of: .mapping(members))
  }
}
