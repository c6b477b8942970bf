import Foundation
import TestSupport

/// Tokens that only a token endpoint tells, and that servers then repeat in every encoding.
enum IssuedTokens {
  private static let names = ["access_token", "refresh_token", "id_token"]
  static let all = ["qT7/wXcv8+zX9=kVbQ", "rF4.hJk3Ls~mB2_wNdZ", "iD8-yBn5Gx!pL5yHcQv"]

  static let steps: [String: [FaultScript.Step]] = {
    let members = zip(names, all).map { "\"\($0)\":\"\($1)\"" }.joined(separator: ",")
    var steps = ["/issued/token": step("{\(members),\"token_type\":\"Bearer\"}", type: "application/json")]
    for (index, token) in all.enumerated() {
      for encoding in HuntedEncoding.all {
        steps["/issued/\(index)/\(encoding.name)"] = step("it is \(encoding.encode(token)) there", type: "text/plain")
      }
    }
    return steps
  }()

  /// Requests with the token, which expect another response.
  static let spec: String = {
    var text = """
      defaults:
        base_url: "${{ env.SERVER }}"
        timeout: 5s
        continue_on_failure: true
        auth: {oauth2: {grant_type: client_credentials, token_url: "${{ env.SERVER }}/issued/token", client_id: a, client_secret: b}}
      requests:

      """
    for path in steps.keys.sorted() {
      text += "  - {url: \(path), headers: {X-A: b}, expect: {status: 500, body: {equals: one, contains: two}}}\n"
    }
    return text
  }()

  private static func step(_ body: String, type: String) -> [FaultScript.Step] {
    [
      .send(
        Array("HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8)),
      .close,
    ]
  }
}
