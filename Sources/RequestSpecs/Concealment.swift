import Diagnostics
import HTTPMessages
import YAMLNodes

extension YAMLNode {
  /// Keeps the userinfo of a URL out of every drawing of its line.
  func concealUserinfo() {
    guard let text = plainText, text.contains("://"), let userinfo = Proxy.userinfo(of: text) else { return }
    range(ofText: userinfo).conceal()
  }

  /// Where a header or a cookie stands in a shape of its own: keeps what looks like a secret out of every drawing.
  func concealCredentials() {
    let text = range.text.lowercased()
    if secretWords.contains(where: text.contains)
      || ["auth", "cookie", "session", "key"].contains(where: text.contains)
    {
      range.conceal()
    }
  }
}

extension YAMLMember {
  /// Where the key is none that anybody knows: keeps what looks like a secret out of every drawing of its line.
  func concealSecrets() {
    let key = key.lowercased()
    // `user: ann:password`, as curl has it.
    let isPair = ["user", "auth", "login"].contains(where: key.contains) && value.plainText?.contains(":") == true
    if isPair || secretWords.contains(where: key.contains) {
      value.range.conceal()
    } else {
      value.concealUserinfo()
    }
  }
}

private let secretWords = ["pass", "pwd", "secret", "token", "bearer", "credential", "api_key", "api-key", "apikey"]
