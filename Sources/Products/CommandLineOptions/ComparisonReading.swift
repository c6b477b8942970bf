import ReqrunKit

extension ParsedCommand {
  /// The ratio of times above which a request is slower, and the kinds of differences that fail.
  package func comparisonOptions() throws(UsageError) -> (ratio: Double, kinds: Set<RunComparison.Kind>) {
    var ratio = 2.0
    if let text = value(of: "slower") {
      guard let number = Double(text.hasSuffix("x") ? text.dropLast() : text[...]), (1...1_000_000).contains(number)
      else { throw UsageError("--slower \(text) is not a ratio", help: "write a number from 1, such as 1.5x") }
      ratio = number
    }
    var kinds: Set<RunComparison.Kind> = []
    for part in values(of: "fail-on").joined(separator: ",").split(separator: ",") {
      let word = part.filter { $0 != " " }
      guard let kind = RunComparison.Kind(rawValue: word) else {
        let words = RunComparison.Kind.allCases.map(\.rawValue).joined(separator: ", ")
        throw UsageError("--fail-on \(word) is not a kind of difference", help: "write some of \(words)")
      }
      kinds.insert(kind)
    }
    return (ratio, kinds)
  }
}
