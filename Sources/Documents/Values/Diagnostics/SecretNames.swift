/// Headers whose values are always masked, whoever sent them.
private let maskedHeaders = ["authorization", "proxy-authorization", "cookie", "set-cookie", "x-amz-security-token"]

/// Returns whether a header's value is masked wherever it would be shown.
package func isMaskedHeader(_ name: String) -> Bool {
  guard (6...20).contains(name.utf8.count) else { return false }
  return maskedHeaders.contains(name.lowercased())
}

/// A header's value with what is secret by the header's name marked; nil if that is nothing.
///
/// Of a `Set-Cookie`, the cookie's value and anything but a known attribute are secret: a value may go on behind a `;`.
package func markedHeader(_ name: String, _ value: String) -> Text? {
  guard isMaskedHeader(name) else { return nil }
  guard name.lowercased() == "set-cookie" else { return Text(secret: value) }
  var result = Text("")
  for (index, part) in value.split(separator: ";", omittingEmptySubsequences: false).enumerated() {
    let key = part.prefix { $0 != "=" }
    let rest = part.dropFirst(key.count)
    let isAttribute = index > 0 && cookieAttributes.contains(trimmingBlanks(key).lowercased())
    if index > 0 { result.append(";") }
    if isAttribute, !rest.dropFirst().contains("=") {
      result.append(String(part))
    } else if index == 0, !rest.isEmpty {
      result.append("\(key)=")
      result.append(Text(secret: String(rest.dropFirst())))
    } else {
      result.append(Text(secret: String(part)))
    }
  }
  return result
}

/// The names of a cookie's attributes (RFC 6265, 5.2), in lower case.
package let cookieAttributes: Set<String> = [
  "domain", "expires", "httponly", "max-age", "partitioned", "path", "priority", "samesite", "secure",
]

/// Returns whether a file of that name is for one person: all its values are secrets.
package func isPrivateName(_ path: String) -> Bool {
  let name = path.lowercased()
  return [".private.yaml", ".private.yml", ".private.env.json"].contains(where: name.hasSuffix)
}

/// Returns whether a value is presumably secret by its name: `password`, `X-Api-Key`, `clientSecret`.
package func isSecretName(_ name: String) -> Bool {
  let words = nameWords(name)
  guard let last = words.last, !plainEndings.contains(last) else { return false }
  if words.contains(where: secretWords.contains) { return true }
  if keyWords.contains(last), words.dropLast().last.map(keyKinds.contains) ?? false { return true }
  if last == "id", words.dropLast().last == "session" { return true }
  let joined = words.joined()
  let utf8 = Array(joined.utf8)
  return secretParts.contains { occurs($0, in: utf8) } || secretEndings.contains(where: joined.hasSuffix)
}

/// The name of a variable for a secret of that name, such as `X_API_KEY` for `X-Api-Key`.
package func secretVariable(for name: String) -> String {
  var words = ""
  var isAfterLower = false
  for scalar in name.unicodeScalars {
    let isUpper = ("A"..."Z").contains(scalar)
    if isUpper, isAfterLower { words += "_" }
    isAfterLower = ("a"..."z").contains(scalar) || ("0"..."9").contains(scalar)
    words += isUpper || isAfterLower ? String(scalar).uppercased() : words.hasSuffix("_") ? "" : "_"
  }
  while words.hasSuffix("_") { words.removeLast() }
  while words.hasPrefix("_") { words.removeFirst() }
  return words.first.map(\.isNumber) ?? true ? "SECRET" + words : words
}

/// Returns whether a value is a credential by its form, whatever its name: a key of a known service, or a signed token.
package func isCredentialValue(_ value: String) -> Bool {
  guard value.utf8.count >= 16, value.utf8.count < 4096 else { return false }
  if value.hasPrefix("eyJ") { return value.utf8.count { $0 == UInt8(ascii: ".") } == 2 }
  return credentialPrefixes.contains(where: value.hasPrefix)
    && value.utf8.allSatisfy { isAlphanumeric($0) || "-_.".utf8.contains($0) }
}

/// The beginnings of credentials, as services make them so that they can be found in texts.
private let credentialPrefixes = [
  "sk_live_", "sk_test_", "rk_live_", "rk_test_", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-",
  "xoxb-", "xoxp-", "xoxa-", "xapp-", "AKIA", "ASIA", "AIza", "SG.", "sk-", "npm_", "pypi-", "dop_v1_", "shpat_", "hf_",
]

private func occurs(_ part: [UInt8], in text: [UInt8]) -> Bool {
  text.count >= part.count
    && (0...text.count - part.count).contains { text[$0] == part[0] && text[$0...].starts(with: part) }
}

private let secretWords: Set<String> = [
  "auth", "authentication", "cookie", "cookies", "credential", "credentials", "creds", "csrf", "jsessionid", "jwt",
  "jwts", "otp", "pass", "passcode", "phpsessid", "pin", "psw", "pw", "sas", "sid", "sig", "signature", "totp", "xsrf",
]
/// The parts that make any name that of a secret.
private let secretParts = [
  "apikey", "authori", "bearer", "credential", "passphrase", "passwd", "password", "passwort", "privatekey", "pwd",
  "secret", "sessionid", "token",
].map { Array($0.utf8) }
private let secretEndings = ["dbpass", "userpass", "mypass"]
private let keyWords: Set<String> = ["key", "keys"]
/// Words before `key` that make it secret.
private let keyKinds: Set<String> = [
  "access", "account", "api", "app", "auth", "client", "encryption", "hmac", "license", "master", "private", "secret",
  "service", "shared", "signing", "storage", "subscription",
]
/// The endings of names such as `token_url` and `password_file`.
private let plainEndings: Set<String> = [
  "age", "authority", "directory", "endpoint", "expires", "expiry", "field", "file", "header", "jar", "length", "name",
  "path",
  "prefix", "type", "uri", "url", "urls",
]

/// The words of a name in lower case: `X-Api-Key`, `api_key` and `apiKey` have the same two at their end.
private func nameWords(_ name: String) -> [String] {
  var words: [String] = []
  var word = ""
  var isAfterLower = false
  for character in name {
    let ascii = character.asciiValue
    guard ascii.map(isAlphanumeric) ?? (character.isLetter || character.isNumber) else {
      if !word.isEmpty { words.append(word) }
      word = ""
      isAfterLower = false
      continue
    }
    let isUppercase = ascii.map { isLetter($0) && $0 & 0x20 == 0 } ?? character.isUppercase
    if isUppercase, isAfterLower {
      words.append(word)
      word = ""
    }
    isAfterLower = ascii.map { _ in !isUppercase } ?? (character.isLowercase || character.isNumber)
    if let ascii {
      word.unicodeScalars.append(Unicode.Scalar(lowercasedASCII(ascii)))
    } else {
      word += character.lowercased()
    }
  }
  if !word.isEmpty { words.append(word) }
  return words
}
