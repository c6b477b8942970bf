import HTTPSemantics
import Matching
import Templates
import Values
import YAMLNodes

extension SpecReader {
  mutating func headers(_ node: YAMLNode) -> KeyedSettings<ValueTemplate> {
    var seen: [String: SourceRange] = [:]
    for member in node.members ?? [] where member.value.isNull { checkNearHeader(member) }
    return keyed(node, as: "headers") { reader, member in
      if let first = seen.updateValue(member.keyRange, forKey: member.key.lowercased()) {
        reader.reportHeaderTwice(member, first: first)
        return nil
      }
      guard reader.checkHeaderName(member), reader.checkHeaderValue(member) else { return nil }
      reader.checkNearHeader(member)
      return reader.valueTemplate(member.value, nonFinite: .text)
    }
  }

  mutating func reportHeaderTwice(_ member: YAMLMember, first: SourceRange, _ section: String = "header") {
    bag.error(
      .duplicateKey, "the \(section) \(jsonEscaped(member.key)) stands twice: names match without case",
      at: member.keyRange, notes: [Diagnostic.Note("first here", at: first)], help: "write one, with a list of values")
  }

  /// Returns whether a key is `x-…`; warns if it was meant as a header: beside assertions, or with the name of one.
  mutating func isOwnKey(_ member: YAMLMember, besides keys: KeyTable) -> Bool {
    guard member.key.hasPrefix("x-") else { return false }
    guard member.value.scalar != nil, !member.value.isNull, keys.contains("headers") else { return true }
    let isExpectation = keys.contains("content_type")
    if !isExpectation, !keys.contains("url") || knownHeaders[member.key.lowercased()] == nil { return true }
    bag.warning(
      .suspiciousHeader,
      "`\(jsonEscaped(member.key))` is a key of your own here, and \(isExpectation ? "checks" : "sends") nothing",
      at: member.keyRange, help: "write `headers: {\(jsonEscaped(member.key)): …}`")
    return true
  }

  mutating func checkHeaderName(_ member: YAMLMember, _ section: String = "header") -> Bool {
    let isPath = member.key.hasPrefix("$.")
    if Template.isTemplate(member.key) || isToken(member.key) && !isPath { return true }
    bag.error(
      .invalidHeader, "\"\(jsonEscaped(member.key))\" is not a \(section) name", at: member.keyRange,
      help: isPath
        ? "write a JSONPath under `json:`"
        : "\(section) names are letters, digits and hyphens, without spaces or colons")
    return false
  }

  private mutating func checkHeaderValue(_ member: YAMLMember) -> Bool {
    var isRight = true
    for node in member.value.items ?? [member.value] where isUsable(node) {
      if node.members != nil, requestKeys.names.contains(member.key) {
        bag.error(
          .misplacedKey, "`\(member.key)` stands under `headers`, where it is the name of a header",
          at: member.keyRange, help: "indent `\(member.key):` and what is below it as `headers:`")
        miss(member.key, node)
        isRight = false
        continue
      }
      guard let scalar = node.scalar, !node.isNull else {
        report(.wrongType, "a header's value is text or a list of texts, found \(node.kindPhrase)", at: node)
        isRight = false
        continue
      }
      if scalar.text.unicodeScalars.contains(where: { $0 == "\r" || $0 == "\n" || $0 == "\0" }) {
        let isBlock = scalar.style == .literal || scalar.style == .folded
        report(
          .invalidHeader, "a header's value cannot hold a line break or NUL", at: node,
          help: isBlock ? "a block text ends with a line break: write the value on one line" : nil)
        isRight = false
      }
      checkForeignTemplate(node)
      checkSettingAsHeader(member, scalar)
      checkHeaderMeaning(member.key.lowercased(), scalar.text, node)
      if checkExpectHeader(member, node) || checkBearer(member, node) { isRight = false }
      if ["if-none-match", "if-match"].contains(member.key.lowercased()) { checkEntityTag(node, isSent: true) }
    }
    return isRight
  }

  /// Warns of a setting of the request with a value of its kind, which is sent as a header of that name.
  private mutating func checkSettingAsHeader(_ member: YAMLMember, _ scalar: YAMLScalar) {
    let (name, text) = (member.key, scalar.text)
    guard knownHeaders[name] == nil, name == name.lowercased() else { return }
    let isFlag = ["true", "false"].contains(text)
    let isSetting =
      switch name {
      case "method": standardMethods.contains(text)
      case "url", "base_url", "proxy": isAbsoluteURL(text)
      case "retry": isFlag || Int(text) != nil
      case "redirects": isFlag || ["follow", "none"].contains(text)
      case "delay", "timeout": parseDuration(text) != nil
      default: isFlag && (name.contains("_") || name == "compressed")
      }
    let keys = requestKeys.names
    guard isSetting,
      let help = keys.contains(name)
        ? "indent `\(name):` as `headers:`"
        : keys.advice[name].map({ "\($0), beside `headers:`" })
    else { return }
    bag.warning(
      .suspiciousHeader, "`\(name)` stands under `headers`, and is sent as a header", at: member.keyRange,
      help: help)
  }

  /// Reports a status as the header Expect, whose only value is `100-continue` (RFC 9110, section 10.1.1).
  private mutating func checkExpectHeader(_ member: YAMLMember, _ node: YAMLNode) -> Bool {
    guard member.key.utf8.count == 6, member.key.lowercased() == "expect", let text = node.scalar?.text.namedStatus
    else { return false }
    report(
      .invalidHeader, "the header Expect has one value, 100-continue", at: node,
      help: "write `expect: {status: \(text)}` beside `headers:` for the status of the response")
    return true
  }

  /// Warns once of a name that is near that of a header which servers know, or of one that only they send; names with
  /// `X-` are everybody's own.
  private mutating func checkNearHeader(_ member: YAMLMember) {
    let name = member.key.lowercased()
    if let help = headersOfResponses[name], !member.value.isNull {
      guard headerNames.insert(name).inserted else { return }
      return bag.warning(
        .suspiciousHeader, "\(member.key) is a header of responses, and servers don't read it", at: member.keyRange,
        help: help)
    }
    guard knownHeaders[name] == nil, !name.hasPrefix("x-"), headerNames.insert(name).inserted,
      !Template.isTemplate(name),
      let near = name == "cookies"
        ? "cookie" : misspelt(name, among: knownHeaders.keys.filter { !$0.hasPrefix("x-") }.sorted()),
      let header = knownHeaders[near]
    else { return }
    bag.warning(
      .suspiciousHeader, "no server knows the header \(jsonEscaped(member.key))", at: member.keyRange,
      help: "did you mean `\(header)`?")
  }

  /// Warns of values that are not what the header is made of.
  ///
  /// - Parameter name: in lower case.
  private mutating func checkHeaderMeaning(_ name: String, _ text: String, _ node: YAMLNode) {
    if text.utf8.dropFirst(name.utf8.count).first == UInt8(ascii: ":"), text.lowercased().hasPrefix(name) {
      return warn(.suspiciousHeader, "the value repeats the name of the header", at: node, help: "leave the name out")
    }
    if let (message, help) = headerDoubt(name, text), !Template.isTemplate(text) {
      return warn(.suspiciousHeader, message, at: node, help: help)
    }
    switch name {
    case "accept", "content-type":
      guard let type = mediaTypes[text.lowercased()] else { return }
      warn(.suspiciousHeader, "`\(text)` is not a media type", at: node, help: "write `\(type)`")
    case "x-api-key": checkPlaceholder(of: text, node)
    case "authorization":
      checkPlaceholder(of: text, node)
      if let quote = text.first, quote == "'" || quote == "\"" {
        warn(.suspiciousHeader, "these quotes are sent, too", at: node, help: "leave out the quotes inside")
      } else if let scheme = ["Basic", "Bearer", "Token"].first(where: {
        text.lowercased().hasPrefix("\($0.lowercased()):")
      }) {
        warn(
          .suspiciousHeader, "a space follows the scheme, not `:`", at: node,
          help: "write `\(scheme) \(text.dropFirst(scheme.count + 1).drop { $0 == " " })`")
      } else if text.contains(":"), !text.contains("base64"), text.lowercased().hasPrefix("basic ") {
        warn(
          .suspiciousHeader, "Basic credentials are sent in base64", at: node,
          help: "write `auth: {basic: {username: …, password: …}}` beside `headers:`")
      }
    case "if-modified-since", "if-unmodified-since":
      if Template.isTemplate(text) || text.hasSuffix(" GMT") { return }
      warn(
        .suspiciousHeader, "this is not a date of HTTP", at: node, help: "write it like `Mon, 23 Nov 2026 13:57:49 GMT`"
      )
    default: break
    }
  }

  private mutating func checkBearer(_ member: YAMLMember, _ node: YAMLNode) -> Bool {
    guard member.key.utf8.count == 13, member.key.lowercased() == "authorization", let text = node.plainText,
      let blank = text.lastIndex(of: " "), text[..<blank].lowercased() == "bearer"
    else { return false }
    noteName(text[text.index(after: blank)...], node)
    return isShellVariable(node, from: text[text.index(after: blank)...])
  }

  /// Warns of credentials such as `<token>`, as documentation has them.
  mutating func checkPlaceholder(of credentials: String, _ node: YAMLNode) {
    guard credentials.hasSuffix(">"), let start = credentials.lastIndex(of: "<") else { return }
    let name = credentials[start...].dropFirst().dropLast()
    let before = credentials[..<start].lowercased()
    guard ["", "bearer ", "basic ", "token "].contains(before), !name.isEmpty,
      name.allSatisfy({ $0.isLetter || $0.isNumber || "_- ".contains($0) })
    else { return }
    warn(
      .suspiciousHeader, "this stands for a token, and would be sent as it is", at: node,
      help: "write `${{ name }}` with the name of a variable")
  }

  /// Warns of an entity tag without quotes: `"abc"` in YAML is `abc`, which isn't one (RFC 9110, section 8.8.3).
  ///
  /// - Parameter isSent: a server's own may lack them.
  mutating func checkEntityTag(_ node: YAMLNode, isSent: Bool = false) {
    guard let scalar = node.scalar, isSent || scalar.style == .doubleQuoted, scalar.text != "*", !scalar.text.isEmpty,
      !scalar.text.contains("\""), !Template.isTemplate(scalar.text)
    else { return }
    bag.warning(
      .suspiciousHeader,
      scalar.style == .doubleQuoted
        ? "YAML takes these quotes away; an entity tag has its own" : "an entity tag stands in double quotes",
      at: node.range,
      help: "write '\"\(scalar.text)\"'")
  }
}

package let mediaTypes = [
  "json": "application/json", "xml": "application/xml", "html": "text/html", "text": "text/plain",
  "plain": "text/plain", "csv": "text/csv", "form": "application/x-www-form-urlencoded",
]

/// Headers of requests, by their names in lower case.
package let knownHeaders = Dictionary(
  uniqueKeysWithValues: """
    Accept Accept-Charset Accept-Encoding Accept-Language Authorization Cache-Control Connection Content-Encoding \
    Content-Language Content-Length Content-Type Cookie Forwarded Idempotency-Key If-Match If-Modified-Since \
    If-None-Match If-Range If-Unmodified-Since Origin Prefer Proxy-Authorization Range Referer Transfer-Encoding \
    Traceparent Upgrade User-Agent X-API-Key X-Correlation-ID X-CSRF-Token X-Forwarded-For X-Forwarded-Host \
    X-Forwarded-Proto X-HTTP-Method-Override X-Request-ID X-Requested-With
    """.split(separator: " ").map { ($0.lowercased(), String($0)) })

extension String {
  /// The status that a text consists of, also behind the word `status`.
  var namedStatus: String? {
    let rest = lowercased().hasPrefix("status") ? dropFirst(6).drop { " :=".contains($0) } : self[...]
    if let number = Int(rest) { return (100..<600).contains(number) ? String(rest) : nil }
    let status = try? ValueDecoder<StatusSet>.status.decode(.text(Text(String(rest))))
    return status == nil ? nil : String(rest)
  }
}
