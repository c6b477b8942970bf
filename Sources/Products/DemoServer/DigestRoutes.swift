import LocalServer
import Cryptography
import HTTPSemantics
import Values

/// Digest credentials (RFC 7616), verified as a server does.
let digestRoutes: [Route] = ["", "/{algorithm}", "/{algorithm}/{stale_after}"].map { rest in
  Route(RouteTable.everyMethod, "/digest-auth/{qop}/{user}/{passwd}\(rest)", digestSummaries[rest] ?? "") { call in
    digestAuthentication(call)
  }
}

private let digestSummaries = [
  "": "200 with Digest credentials of that user and password, 401 otherwise; the qop auth, auth-int or none",
  "/{algorithm}": "The same by MD5, SHA-256 or SHA-512-256, also with -sess",
  "/{algorithm}/{stale_after}": "The same, each nonce valid for N uses (never: for all)",
]

private func digestAuthentication(_ call: RouteCall) -> ServerResponse {
  let name = call["algorithm"].isEmpty ? "MD5" : call["algorithm"]
  let algorithms: [String: DigestAlgorithm] = ["MD5": .md5, "SHA-256": .sha256, "SHA-512-256": .sha512256]
  let base = name.uppercased().hasSuffix("-SESS") ? String(name.dropLast(5)) : name
  guard let algorithm = algorithms[base.uppercased()] else {
    return .problem(400, "the algorithm is MD5, SHA-256 or SHA-512-256, each also with -sess")
  }
  let uses = call["stale_after"].isEmpty || call["stale_after"] == "never" ? Int.max : Int(call["stale_after"])
  guard let uses, uses > 0 else { return .problem(400, "stale_after is a number from 1, or never") }
  let check = DigestCheck(call: call, algorithm: algorithm, isSession: base != name)
  guard let count = check.count, let nonce = check.parameters["nonce"] else {
    return challenge(call, name, "the Authorization header does not hold that user and password")
  }
  let isFresh = call.state.withContents { contents in
    guard let last = contents.digestNonces[nonce], count == nil || count ?? 0 > last, last < uses else { return false }
    contents.digestNonces[nonce] = count ?? last + 1
    return true
  }
  guard isFresh else { return challenge(call, name, "the nonce is not good any more", isStale: true) }
  return .json(.object([("authenticated", .bool(true)), ("user", .text(call["user"]))]))
}

private func challenge(_ call: RouteCall, _ algorithm: String, _ detail: String, isStale: Bool = false)
  -> ServerResponse
{
  let nonce = hexEncoded((0..<16).map { _ in UInt8.random(in: .min ... .max) })
  call.state.withContents { contents in
    if contents.digestNonces.count >= 10_000 { contents.digestNonces = [:] }
    contents.digestNonces[nonce] = 0
  }
  var parts = ["realm=\"demo\"", "nonce=\"\(nonce)\"", "opaque=\"\(algorithm)\"", "algorithm=\(algorithm)"]
  if call["qop"] != "none" { parts.insert("qop=\"\(call["qop"])\"", at: 1) }
  parts.append("charset=UTF-8")
  if isStale { parts.append("stale=true") }
  return ServerResponse.problem(401, detail).with("WWW-Authenticate", "Digest " + parts.joined(separator: ", "))
}

/// Computes the right credentials and compares them.
private struct DigestCheck {
  let call: RouteCall
  let algorithm: DigestAlgorithm
  let isSession: Bool
  let parameters: [String: String]

  init(call: RouteCall, algorithm: DigestAlgorithm, isSession: Bool) {
    self.call = call
    self.algorithm = algorithm
    self.isSession = isSession
    parameters = credentials(call.request, scheme: "digest").map(listParameters) ?? [:]
  }

  /// The nonce count that the client sent; the inner optional is nil without a count, the outer one for wrong
  /// credentials.
  var count: Int?? {
    let user =
      parameters["username"] ?? parameters["username*"].map { percentDecoded($0.dropFirst("UTF-8''".utf8.count)) }
    guard user == call["user"], parameters["realm"] == "demo", parameters["uri"] == call.request.target,
      let nonce = parameters["nonce"], let response = parameters["response"]
    else { return nil }
    let clientNonce = parameters["cnonce"] ?? ""
    var secret = hash([call["user"], "demo", call["passwd"]])
    if isSession { secret = hash([secret, nonce, clientNonce]) }
    guard call["qop"] != "none" else {
      let expected = hash([secret, nonce, hash([call.request.method, call.request.target])])
      return response == expected ? .some(nil) : nil
    }
    guard let quality = parameters["qop"], quality == call["qop"], let countText = parameters["nc"],
      countText.utf8.count == 8, let count = Int(countText, radix: 16)
    else { return nil }
    var request = [call.request.method, call.request.target]
    if quality == "auth-int" { request.append(hexEncoded(algorithm.digest(of: call.request.body))) }
    let expected = hash([secret, nonce, countText, clientNonce, quality, hash(request)])
    return response == expected ? .some(count) : nil
  }

  private func hash(_ parts: [String]) -> String {
    hexEncoded(algorithm.digest(of: parts.joined(separator: ":")))
  }
}

/// The parameters of a list such as `a="x, y", b=z`, without quotes.
private func listParameters(_ text: String) -> [String: String] {
  var result: [String: String] = [:]
  var rest = text[...]
  while let equals = rest.firstIndex(of: "=") {
    let name = rest[..<equals].filter { $0 != " " && $0 != "," }.lowercased()
    rest = rest[rest.index(after: equals)...]
    var value = ""
    if rest.first == "\"" {
      rest = rest.dropFirst()
      while let character = rest.popFirst(), character != "\"" {
        value.append(character == "\\" ? rest.popFirst() ?? "\\" : character)
      }
    } else {
      value = String(rest.prefix { $0 != "," })
      rest = rest.dropFirst(value.count)
    }
    result[name] = value
  }
  return result
}
