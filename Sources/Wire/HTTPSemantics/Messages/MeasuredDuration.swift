/// A duration for people: `0.4 ms`, `12 ms`, `1.23 s`, `2 min 3 s`.
package func roundedDurationText(_ duration: Duration) -> String {
  let (seconds, attoseconds) = duration.components
  let microseconds = Double(seconds) * 1e6 + Double(attoseconds) / 1e12
  if microseconds < 9_950 { return "\(decimal(microseconds / 1000, places: 1)) ms" }
  if microseconds < 999_500 { return "\(Int((microseconds / 1000).rounded())) ms" }
  if microseconds < 59_995_000 { return "\(decimal(microseconds / 1e6, places: 2)) s" }
  let whole = Int((microseconds / 1e6).rounded())
  return "\(whole / 60) min \(whole % 60) s"
}

private func decimal(_ value: Double, places: Int) -> String {
  let scale = places == 1 ? 10 : 100
  let scaled = Int((value * Double(scale)).rounded())
  let digits = String(scaled % scale)
  return "\(scaled / scale)." + String(repeating: "0", count: places - digits.utf8.count) + digits
}
