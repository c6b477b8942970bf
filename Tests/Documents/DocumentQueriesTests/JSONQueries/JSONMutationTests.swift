import DocumentQueries
import Testing
import Values

/// Documents with random damage: an outcome in every case, and accepted documents survive a round trip.
@Suite struct JSONMutationTests {
  private static let seeds = [
    #"{"users": [{"id": 1, "name": "Zoë \ud83d\ude00", "tags": ["a", "b\n"]}, {"id": -2.50e+3}], "next": null}"#,
    #"[[[[]]], {"a": {"b": {"c": [true, false, null]}}}, "", 0, -0, 1E400, "\u0000\\"]"#,
    "\u{FEFF}[\"größe\", \"東京\", {\"\": {}}]",
  ]

  @Test(arguments: seeds)
  func damageNeverCrashes(seed: String) throws {
    var random = SplitMix64(seed: 42)
    let alphabet = Array(#"[]{},:"\u/eE+-.0129tfn "#.utf8) + [0x00, 0x0A, 0x7F, 0x80, 0xC3, 0xED, 0xF0, 0xFF]
    var accepted = 0
    var rejected = 0
    for _ in 0..<3000 {
      var bytes = Array(seed.utf8)
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let position = Int.random(in: 0..<bytes.count, using: &random)
        let byte = alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[position] = byte
        case 1: bytes.insert(byte, at: position)
        case 2: bytes.remove(at: position)
        default: bytes = Array(bytes[..<position]) + (Bool.random(using: &random) ? bytes[position...] : [])
        }
        if bytes.isEmpty { bytes = [0x20] }
      }
      let value: Value
      do {
        value = try JSONDocument(parsing: bytes).root.value
      } catch {
        #expect((0...bytes.count).contains(error.offset) && !error.message.isEmpty)
        rejected += 1
        continue
      }
      let written = value.jsonText().string
      #expect(try JSONDocument(parsing: written).root.value.jsonText().string == written)
      accepted += 1
    }
    #expect(accepted > 0 && rejected > 0)
  }
}
