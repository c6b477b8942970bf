import HTTPSemantics
import RunReports
import Testing

@Suite("Wording of reports")
struct WordingTests {
  @Test(
    "durations for people",
    arguments: [
      (Duration.microseconds(0), "0.0 ms"), (.microseconds(440), "0.4 ms"), (.microseconds(9_940), "9.9 ms"),
      (.microseconds(9_990), "10 ms"), (.milliseconds(12), "12 ms"), (.milliseconds(999), "999 ms"),
      (.microseconds(999_600), "1.00 s"), (.milliseconds(1234), "1.23 s"), (.milliseconds(59_994), "59.99 s"),
      (.milliseconds(59_999), "1 min 0 s"), (.seconds(60), "1 min 0 s"), (.seconds(123), "2 min 3 s"),
    ] as [(Duration, String)])
  func durations(_ duration: Duration, _ text: String) {
    #expect(roundedDurationText(duration) == text)
  }

  @Test(
    "durations for machines",
    arguments: [(Duration.zero, "0.000000"), (.microseconds(1), "0.000001"), (.milliseconds(61_500), "61.500000")]
      as [(Duration, String)])
  func seconds(_ duration: Duration, _ text: String) {
    #expect(secondsText(duration) == text)
  }

  @Test(
    "names are cut to the columns there are",
    arguments: [("short", 5, "short"), ("longer", 5, "long…"), ("日本語", 5, "日本…"), ("日本語", 6, "日本語")])
  func elision(_ text: String, _ columns: Int, _ shown: String) {
    #expect(elided(text, to: columns) == shown)
  }
}
