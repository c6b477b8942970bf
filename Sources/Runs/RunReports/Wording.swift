import Diagnostics

/// Seconds with six places, as reports for machines have them.
package func secondsText(_ duration: Duration) -> String {
  let (seconds, attoseconds) = duration.components
  let digits = String(attoseconds / 1_000_000_000_000)
  return "\(seconds)." + String(repeating: "0", count: max(0, 6 - digits.utf8.count)) + digits
}

/// A text cut to so many columns, with an ellipsis for what is left out.
package func elided(_ text: String, to columns: Int) -> String {
  guard displayWidth(of: text) > columns else { return text }
  var result = ""
  var width = 1
  for character in text {
    width += displayWidth(of: character)
    if width > columns { break }
    result.append(character)
  }
  return result + "…"
}
