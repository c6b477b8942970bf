import DocumentQueries
import Values

extension HARExchange {
  /// A name as a person would give it, such as `Create order`; nil where the path has no word for it.
  var name: String? {
    let path = request.url.parts.map { part in if case .text(let text) = part { text } else { "0" } }.joined()
    let start = path.firstRange(of: "://").map { path[$0.upperBound...].drop { $0 != "/" } } ?? path[...]
    let segments = start.prefix { $0 != "?" }.split(separator: "/").map { HARNames.withoutFormat(String($0)) }
    let words = segments.filter { !$0.isEmpty && !HARNames.isIdentifying($0) && !HARNames.isVersion($0) }
    guard let last = words.last, let end = segments.last else { return nil }
    let one = HARNames.singular(last)
    let owner = words.dropLast().last.map { (word: $0, one: HARNames.singular($0)) }
    let verbs = ["GET": "get", "PUT": "replace", "PATCH": "change", "DELETE": "delete"]
    let isPlural = one != last
    // What is done with a thing: `/orders/7/cancel`; one thing of many: `/users/me`.
    let isVerb = method == "POST" || ["add", "change", "create", "delete", "edit", "new", "update"].contains(last)
    let isAction = isVerb && method != "POST" || segments.dropLast().last.map(HARNames.isIdentifying) ?? false
    let ofOwner = owner.map { isAction && isVerb ? "\(last) \($0.one)" : "\($0.one) \(last)" } ?? last
    let isOwned = isAction || owner.map { $0.one != $0.word } ?? false
    let name: String
    if hasPassword, isSuccess, method == "POST" {
      name = "log in"
    } else if HARNames.isIdentifying(end) {
      guard let verb = verbs[method] else { return nil }
      name = "\(verb) \(one)"
    } else if method == "POST" {
      name = isPlural ? "create \(one)" : isAction ? ofOwner : last
    } else {
      guard let verb = verbs[method] else { return nil }
      let isPage = response.responseType.contains("html")
      let shown = method == "GET" ? (isPage ? "open" : isPlural ? "list" : verb) : verb
      name = "\(shown) \(isOwned && !isPlural ? ofOwner : last)"
    }
    let text = String(name.map { "-_.".contains($0) ? " " : $0 }).trimmed
    guard let first = text.first else { return nil }
    let status = response.status ?? 0
    return first.uppercased() + text.dropFirst() + (status < 400 ? "" : " (\(status))")
  }

  private var isSuccess: Bool { response.status.map { (200..<400).contains($0) } ?? false }

  /// Indicates that the request sends a password.
  private var hasPassword: Bool {
    func isPassword(_ name: String) -> Bool {
      let name = name.lowercased()
      return name.contains("passw") || name == "pwd" || name == "client_secret"
    }
    switch request.body {
    case .form(let pairs)?: return pairs.contains { isPassword($0.name.literal ?? "") }
    case .json(let text)?:
      let root = text.literal.flatMap { try? JSONDocument(parsing: $0) }?.root
      return root?.members.contains { isPassword($0.key) } ?? false
    default: return false
    }
  }

  /// Indicates that the request logs in: it sends a password, and gets a cookie or a token that later requests send.
  var isLogin: Bool {
    hasPassword && isSuccess && (!setCookies.isEmpty || request.captures.contains { isSecretName($0.key) })
  }
}

extension HARNames {
  /// Returns whether a segment of a path identifies a thing, as far as its form shows.
  static func isIdentifying(_ segment: String) -> Bool { segment.utf8.contains(where: isDigit) && !isVersion(segment) }

  /// The segment of a path without the ending of a format, such as `.json`.
  static func withoutFormat(_ segment: String) -> String {
    guard let dot = segment.lastIndex(of: "."), (2...5).contains(segment[dot...].count) else { return segment }
    return String(segment[..<dot])
  }

  /// Returns whether a segment says nothing of the subject of a request.
  static func isVersion(_ segment: String) -> Bool {
    segment == "api"
      || segment.hasPrefix("v") && segment.count > 1
        && segment.dropFirst().utf8.allSatisfy { isDigit($0) || $0 == 0x2E }
  }
}
