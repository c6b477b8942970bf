/// A duration as spec files write it: `250ms`, `1.5s`, `2m`.
func durationText(_ duration: Duration) -> String {
  let (seconds, attoseconds) = duration.components
  let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
  if milliseconds == 0, attoseconds > 0 { return "\(attoseconds / 1_000_000_000_000)µs" }
  if milliseconds < 1000 { return "\(milliseconds)ms" }
  if milliseconds % 60_000 == 0 { return "\(milliseconds / 60_000)m" }
  guard milliseconds % 1000 != 0 else { return "\(milliseconds / 1000)s" }
  var fraction = String(1000 + milliseconds % 1000).dropFirst()
  while fraction.hasSuffix("0") { fraction.removeLast() }
  return "\(milliseconds / 1000).\(fraction)s"
}
