import HTTPSemantics
import Values

extension Response {
  /// The names of the existing headers if one is missing; nil if it exists.
  package func absence(ofHeader name: String) -> String? { absence(of: name, in: head.headers, "header") }

  /// The names of the existing trailers if one is missing; nil if it exists.
  func absence(ofTrailer name: String) -> String? {
    let reason = absence(of: name, in: result.trailers, "trailer")
    guard result.trailers.fields.isEmpty, !request.headers.contains(where: { equalsIgnoringCase($0.name.string, "TE") })
    else { return reason }
    return reason.map { "\($0): many servers send them only to requests with the header `TE: trailers`" }
  }

  /// The relations of the existing links if one is missing; nil without any.
  func absence(ofLink relation: String) -> String? {
    let relations = linkRelations(head.headers.values("Link"))
    if relations.isEmpty { return nil }
    let near = nearestName(to: relation, among: relations).map { "; did you mean `\($0)`?" }
    return "the response has \(listed(relations, "link"))" + (near ?? "")
  }

  private func absence(of name: String, in fields: HeaderFields, _ noun: String) -> String? {
    var names: [String] = []
    for field in fields.fields where !names.contains(where: { equalsIgnoringCase($0, field.name) }) {
      names.append(field.name)
    }
    if names.contains(where: { equalsIgnoringCase($0, name) }) { return nil }
    guard let near = nearestName(to: name, among: names) else { return "the response has \(listed(names, noun))" }
    return "the response has no \(noun) `\(name)`; did you mean `\(near)`?"
  }

  /// The names of the cookies that the response sets if one is missing; nil if it sets it.
  package func absence(ofCookie name: String) -> String? {
    let names = cookieNames
    if names.contains(name) { return nil }
    guard let near = nearestName(to: name, among: names) else { return "the response sets \(listed(names, "cookie"))" }
    return "the response sets no cookie `\(name)`; did you mean `\(near)`?"
  }

  /// The names of the cookies that it and the redirects before it set.
  var cookieNames: [String] {
    var names: [String] = []
    for hop in result.hops {
      for line in hop.head.headers.values("Set-Cookie") {
        if let cookie = SetCookie(parsing: line), !names.contains(cookie.name) { names.append(cookie.name) }
      }
    }
    return names
  }

  private func listed(_ names: [String], _ noun: String) -> String {
    guard !names.isEmpty else { return "no \(noun)s" }
    let shown = names.prefix(12).map { "`\($0)`" }.joined(separator: ", ")
    let more = names.count > 12 ? " and \(names.count - 12) more" : ""
    return "the \(noun)\(names.count == 1 ? "" : "s") \(shown)\(more)"
  }
}
