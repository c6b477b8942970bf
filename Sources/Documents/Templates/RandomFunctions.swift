import Values

extension TemplateFunction {
  static let randomFunctions = [
    TemplateFunction(
      "uuid", standsAlone: true, takes: "nothing", yields: "a random UUID; one that begins with the time",
      result: .always(.text), isRepeatable: false, .whole(uuid)),
    TemplateFunction("uuid7", standsAlone: true, result: .always(.text), isRepeatable: false, .whole(uuid7)),
    TemplateFunction(
      "random_int", ["from", "to"], takes: "whole numbers of 64 bits",
      yields: "a random integer; both bounds are included. `--seed` makes the same ones", fails: "`from` above `to`",
      result: .always(.number), isRepeatable: false, .whole(randomInteger)),
    TemplateFunction(
      "random_string", ["length"], takes: "a whole number", yields: "random letters and digits, as repeatable",
      fails: "a length beyond 1,000,000", result: .always(.text), isRepeatable: false, .whole(randomString)),
    TemplateFunction(
      "fake", ["kind"], takes: "`name`, `email`, `word` or `sentence`",
      yields: "an invented one in English, as repeatable; addresses are at `example.com`, `.net` and `.org`",
      fails: "another kind", result: .always(.text), isRepeatable: false, .whole(fake), prepare: prepareFake),
  ]
}

/// A random UUID (RFC 9562, version 4) in lower case.
private func uuid(_ call: FunctionCall) throws(TemplateError) -> Value {
  var bytes: [UInt8] = []
  for _ in 0..<2 {
    let number = call.scope.nextRandom()
    for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: number >> shift)) }
  }
  return .text(uuidText(bytes, version: 4))
}

/// A UUID of the current millisecond and random bits (RFC 9562, version 7) in lower case.
private func uuid7(_ call: FunctionCall) throws(TemplateError) -> Value {
  let now = call.scope.now()
  let milliseconds = UInt64(clamping: Int128(now.seconds) * 1000 + Int128(now.nanoseconds / 1_000_000))
  var bytes: [UInt8] = []
  for shift in stride(from: 40, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: milliseconds >> shift)) }
  for size in [2, 8] {
    let number = call.scope.nextRandom()
    for index in 0..<size { bytes.append(UInt8(truncatingIfNeeded: number >> (56 - 8 * index))) }
  }
  return .text(uuidText(bytes, version: 7))
}

private func uuidText(_ bytes: [UInt8], version: UInt8) -> String {
  var bytes = bytes
  bytes[6] = bytes[6] & 0x0F | version << 4
  bytes[8] = bytes[8] & 0x3F | 0x80
  let groups = [0..<4, 4..<6, 6..<8, 8..<10, 10..<16]
  return groups.map { hexEncoded(bytes[$0]) }.joined(separator: "-")
}

/// A random integer within two inclusive bounds.
private func randomInteger(_ call: FunctionCall) throws(TemplateError) -> Value {
  let low = try call.integer(0)
  let high = try call.integer(1)
  guard low <= high else {
    throw call.problem("`random_int` takes the smaller number first", help: "write `random_int(\(high), \(low))`")
  }
  let span = UInt64(bitPattern: Int64(high)) &- UInt64(bitPattern: Int64(low))
  let offset = span == .max ? call.scope.nextRandom() : call.scope.random(below: span + 1)
  return .integer(Int64(bitPattern: UInt64(bitPattern: Int64(low)) &+ offset))
}

/// Random letters and digits.
private func randomString(_ call: FunctionCall) throws(TemplateError) -> Value {
  let length = try call.integer(0)
  guard (0...1_000_000).contains(length) else {
    throw call.problem("`random_string` makes at most 1,000,000 characters, and not fewer than none", at: 0)
  }
  let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
  let characters = (0..<length).map { _ in alphabet[Int(call.scope.random(below: UInt64(alphabet.count)))] }
  return .text(String(decoding: characters, as: UTF8.self))
}

extension TemplateScope {
  /// A random number below the bound, uniformly distributed; implemented here so that a seed gives the same on every
  /// platform.
  func random(below bound: UInt64) -> UInt64 {
    let usable = UInt64.max - UInt64.max % bound
    var number = nextRandom()
    while number >= usable { number = nextRandom() }
    return number % bound
  }
}
