import Foundation

/// Finds secrets, whole or in part, in whatever encoding, in what was written.
struct LeakSearch {
  /// How many characters of a long secret are too many.
  static let longestPart = 8
  /// The fewest bytes of a secret of which parts are searched for.
  static let longSecret = 16

  struct Leak: CustomStringConvertible {
    let secret: String
    let encoding: String
    let shown: String
    var description: String { "\(secret.prefix(24).debugDescription) as \(encoding): …\(shown.debugDescription)…" }
  }

  private struct Piece {
    let secret: Int
    let encoding: String
    let bytes: [UInt8]
    var data: Data { Data(bytes) }
  }

  private let secrets: [String]
  /// By their first eight bytes.
  private var pieces: [UInt64: [Piece]] = [:]
  /// Indicates for each hash of eight bytes whether pieces may begin with them: looking that up is far quicker.
  private var mayBegin = [Bool](repeating: false, count: 1 << 20)
  private var short: [Piece] = []

  init(_ secrets: [String]) {
    self.secrets = secrets
    for (index, secret) in secrets.enumerated() {
      for encoding in HuntedEncoding.all { add(secret, index, encoding) }
    }
  }

  private mutating func add(_ secret: String, _ index: Int, _ encoding: HuntedEncoding) {
    let whole = Array(encoding.encode(secret).utf8)
    guard secret.utf8.count >= LeakSearch.longSecret else {
      keep(Piece(secret: index, encoding: encoding.name, bytes: whole))
      return
    }
    // So much of the encoded text says as much as so many characters of the secret.
    let length = max(8, LeakSearch.longestPart * whole.count / secret.utf8.count)
    let hasBoundary = secret.contains("-----")
    var start = 0
    while start + length <= whole.count {
      let part = Array(whole[start..<start + length])
      if !hasBoundary || !LeakSearch.isBoundary(part) {
        keep(Piece(secret: index, encoding: encoding.name, bytes: part))
      }
      start += 1
    }
  }

  /// The lines that all keys begin and end with, in each encoding.
  private static let boundaries = ["-----BEGIN PRIVATE KEY-----\n", "\n-----END PRIVATE KEY-----\n"].flatMap { line in
    HuntedEncoding.all.map { Data($0.encode(line).utf8) }
  }

  private static func isBoundary(_ part: [UInt8]) -> Bool {
    let part = Data(part)
    return boundaries.contains { $0.range(of: part) != nil }
  }

  private mutating func keep(_ piece: Piece) {
    if piece.bytes.count < 8 { return short.append(piece) }
    let key = LeakSearch.key(piece.bytes[0..<8])
    let known = pieces[key, default: []]
    if known.contains(where: { $0.bytes == piece.bytes }) { return }
    mayBegin[LeakSearch.hash(key)] = true
    pieces[key] = known + [piece]
  }

  private static func key(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }

  private static func hash(_ key: UInt64) -> Int { Int(truncatingIfNeeded: (key &* 0x9E37_79B9_7F4A_7C15) >> 44) }

  /// The first leak of each secret in each encoding.
  func leaks(in output: [UInt8]) -> [(leak: Leak, offset: Int)] {
    var found: [(leak: Leak, offset: Int)] = []
    var seen: Set<String> = []
    func note(_ piece: Piece, at offset: Int) {
      guard seen.insert("\(piece.secret) \(piece.encoding) \(offset / 4096)").inserted else { return }
      let shown = output[max(0, offset - 20)..<min(output.count, offset + 60)]
      found.append(
        (
          Leak(secret: secrets[piece.secret], encoding: piece.encoding, shown: String(decoding: shown, as: UTF8.self)),
          offset
        ))
    }
    output.withUnsafeBufferPointer { bytes in
      var key: UInt64 = 0
      var offset = -1
      while offset + 1 < bytes.count {
        offset += 1
        key = key << 8 | UInt64(bytes[offset])
        guard offset >= 7, mayBegin[LeakSearch.hash(key)], let candidates = pieces[key] else { continue }
        let start = offset - 7
        for piece in candidates
        where start + piece.bytes.count <= bytes.count
          && piece.bytes.elementsEqual(bytes[start..<start + piece.bytes.count])
        {
          note(piece, at: start)
        }
      }
    }
    let data = Data(output)
    for piece in short {
      if let range = data.range(of: piece.data) { note(piece, at: range.lowerBound) }
    }
    return found
  }
}
