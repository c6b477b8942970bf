import Cryptography
import DocumentQueries
import Values

extension TemplateFunction {
  static let tokenFunctions = [
    TemplateFunction(
      "jwt", ["text"], takes: "a text", yields: "`{header, claims}` of a signed token, which is not verified",
      fails: "a text that is not a token", result: .always(.mapping), .whole(jwt)),
    TemplateFunction(
      "jwt_sign", ["claims", "key", "options?"], takes: "a mapping; a text or data is signed as it is",
      yields: "a signed token (RFC 7519). The key is PEM, a JWK or a shared secret; `{algorithm, kid}` are by default "
        + "those of the key: HS256, RS256, ES256, ES384, ES512 or EdDSA",
      fails: "an algorithm that is not for the key, a public key", result: .always(.text), .whole(jwtSign)),
    TemplateFunction(
      "jwt_verify", ["text", "key", "algorithms?"], takes: "a text",
      yields: "`{header, claims}`, if the signature is that of the key. The key decides on the algorithms: HS for a "
        + "shared secret, RS and PS, ES or EdDSA for PEM or a JWK; a name or a list of them restricts them. Times "
        + "such as `exp` are not compared", fails: "any other signature or algorithm, `none`",
      result: .always(.mapping), .whole(jwtVerify),
      prepare: prepareAlgorithm),
    TemplateFunction(
      "totp", ["secret"], takes: "a text in base32",
      yields: "the one-time password of now (RFC 6238) as text: 6 digits, 30 s, SHA-1", fails: "another text",
      result: .always(.text), isRepeatable: false, .whole(totp)),
  ]
}

private func prepareAlgorithm(_ texts: [String?]) throws(TemplateFunction.ArgumentProblem) -> (any Sendable)? {
  if texts.count > 2, let name = texts[2] {
    do throws(SignatureProblem) {
      _ = try SignatureAlgorithm(named: name)
    } catch {
      throw TemplateFunction.ArgumentProblem(message: error.message, index: 2, help: error.help)
    }
  }
  return nil
}

/// Performs a part of a call; a problem of keys and signatures is one of the argument that it is about.
private func refusing<Result>(
  _ call: FunctionCall, _ work: () throws(SignatureProblem) -> Result
) throws(TemplateError) -> Result {
  do throws(SignatureProblem) {
    return try work()
  } catch {
    let index =
      switch error.part {
      case .text: 0
      case .key: 1
      case .algorithm: call.count > 2 ? 2 : 1
      }
    throw call.problem(error.message, at: index, help: error.help)
  }
}

private func token(_ call: FunctionCall) throws(TemplateError) -> JSONWebSignature {
  let text = try call.text(0).string
  return try refusing(call) { () throws(SignatureProblem) in try JSONWebSignature(reading: text) }
}

private func key(_ call: FunctionCall) throws(TemplateError) -> SigningKey {
  try refusing(call) { () throws(SignatureProblem) in try SigningKey.reading(call.value(1)) }
}

private func named(_ name: String, _ call: FunctionCall) throws(TemplateError) -> SignatureAlgorithm {
  try refusing(call) { () throws(SignatureProblem) in try SignatureAlgorithm(named: name) }
}

/// Header and claims; a payload that is not JSON is a text, or data.
private func contents(_ token: JSONWebSignature, _ call: FunctionCall) throws(TemplateError) -> Value {
  try ResultLimit.check(
    size: JSONFootprint(of: token.payload).nodes * MemoryLayout<Value>.stride, at: call.range)
  let claims = (try? JSONDocument(parsing: token.payload))?.root.value ?? textOrData(token.payload)
  return .mapping(Mapping([("header", .mapping(token.header)), ("claims", claims)]))
}

private func jwt(_ call: FunctionCall) throws(TemplateError) -> Value { try contents(try token(call), call) }

private func jwtVerify(_ call: FunctionCall) throws(TemplateError) -> Value {
  let token = try token(call)
  let key = try key(call)
  var algorithms: [SignatureAlgorithm]?
  if call.count > 2 {
    let names: [Value] = if case .list(let names) = call.value(2) { names } else { [call.value(2)] }
    var allowed: [SignatureAlgorithm] = []
    for name in names {
      guard case .text(let name) = name else { throw call.wrongKind(2, "a name or a list of names") }
      allowed.append(try named(name.string, call))
    }
    algorithms = allowed
  }
  try refusing(call) { () throws(SignatureProblem) in try token.verify(with: key, algorithms: algorithms) }
  return try contents(token, call)
}

private func jwtSign(_ call: FunctionCall) throws(TemplateError) -> Value {
  let payload: [UInt8]
  switch call.value(0) {
  case .mapping: payload = Array(call.value(0).jsonText().string.utf8)
  case .text, .data: payload = try call.bytes(0)
  case .null, .bool, .number, .date, .list: throw call.wrongKind(0, "a mapping, a text or data")
  }
  let key = try key(call)
  var (algorithm, identifier): (SignatureAlgorithm?, String?)
  if call.count > 2 {
    if case .text(let name) = call.value(2), !name.isSecret {
      let known = try named(name.string, call)
      throw call.problem(
        "the options of `jwt_sign` are a mapping, not a text", at: 2,
        help: "write `{algorithm: \"\(known.rawValue)\"}`")
    }
    for member in try call.mapping(2).members {
      guard case .text(let text) = member.value else {
        throw call.problem("`\(member.key.masked)` is a text, not \(member.value.kind.phrase)", at: 2)
      }
      switch member.key.string {
      case "algorithm": algorithm = try named(text.string, call)
      case "kid": identifier = text.string
      default:
        throw call.problem(
          "`jwt_sign` has no option `\(member.key.masked)`", at: 2, help: "there are `algorithm` and `kid`")
      }
    }
  }
  return try refusing(call) { () throws(SignatureProblem) in
    .text(try JSONWebSignature.sign(payload, with: key, algorithm: algorithm, identifier: identifier))
  }
}

/// The time-based one-time password (RFC 6238; RFC 4226, section 5.3).
private func totp(_ call: FunctionCall) throws(TemplateError) -> Value {
  guard let key = base32Decoded(try call.text(0).string), !key.isEmpty else {
    throw call.problem("this secret is not base32", at: 0, help: "its letters are A to Z, its digits 2 to 7")
  }
  let counter = UInt64(clamping: call.scope.now().seconds) / 30
  let message = (0..<8).map { UInt8(truncatingIfNeeded: counter >> (56 - 8 * $0)) }
  let hash = DigestAlgorithm.sha1.hmac(key: key, message: message)
  let offset = Int(hash[hash.count - 1] & 15)
  let number = hash[offset..<offset + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
  return .text(Text(padded(Int(number % 1_000_000), 6)))
}

/// The bytes of base32 (RFC 4648, section 6) in either case; blanks, hyphens and padding are ignored.
private func base32Decoded(_ text: String) -> [UInt8]? {
  var bytes: [UInt8] = []
  var (bits, count): (UInt32, Int) = (0, 0)
  for byte in text.utf8 where !isSpace(byte) && byte != UInt8(ascii: "-") && byte != UInt8(ascii: "=") {
    let value: UInt8
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): value = byte & 31 - 1
    case UInt8(ascii: "2")...UInt8(ascii: "7"): value = byte - UInt8(ascii: "2") + 26
    default: return nil
    }
    bits = (bits << 5 | UInt32(value)) & 0xFFF
    count += 5
    if count >= 8 {
      count -= 8
      bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
    }
  }
  return bytes
}
