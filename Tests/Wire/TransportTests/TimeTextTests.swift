import HTTPSemantics
import Testing

/// Durations in messages read as specs write them.
struct TimeTextTests {
  @Test(
    "durations",
    arguments: [
      (.milliseconds(300), "300ms"), (.seconds(5), "5s"), (.milliseconds(1500), "1.5s"), (.milliseconds(1050), "1.05s"),
      (.seconds(120), "2m"), (.seconds(90), "90s"), (.microseconds(20), "20µs"),
    ] as [(Duration, String)])
  func text(_ duration: Duration, _ expected: String) {
    #expect(durationText(duration) == expected)
  }
}
