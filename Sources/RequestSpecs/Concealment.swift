import Diagnostics
import HTTPMessages
import YAMLNodes

extension YAMLNode {
  /// Keeps the userinfo of a URL out of every drawing of its line.
  func concealUserinfo() {
    guard let text = plainText, text.contains("://"), let userinfo = Proxy.userinfo(of: text) else { return }
    range(ofText: userinfo).conceal()
  }
}

extension YAMLMember {
  /// Where the key is none that anybody knows: keeps what looks like a secret out of every drawing of its line.
  func concealSecrets() {
    let key = key.lowercased()
    if ["pass", "pwd", "secret", "token"].contains(where: key.contains) {
      value.range.conceal()
    } else {
      value.concealUserinfo()
    }
  }
}
