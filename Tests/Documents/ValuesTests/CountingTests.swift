import Testing
import Values

@Suite("Counted nouns")
struct CountingTests {
  @Test(
    "a noun follows its number",
    arguments: [
      (0, "item", "0 items"), (1, "item", "1 item"), (2, "item", "2 items"), (1, "property", "1 property"),
      (2, "property", "2 properties"), (3, "key", "3 keys"), (2, "more assertion", "2 more assertions"),
    ])
  func counting(_ number: Int, _ noun: String, _ text: String) {
    #expect(counted(number, noun) == text)
  }
}
