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
    return (ratio, try failOnKinds(values(of: "fail-on"), of: "difference"))
  }
}

/// The kinds of a `--fail-on`.
func failOnKinds<Kind: RawRepresentable<String> & CaseIterable & Hashable>(
  _ values: [String], of noun: String
) throws(UsageError) -> Set<Kind> {
  var kinds: Set<Kind> = []
  for part in values.joined(separator: ",").split(separator: ",") {
    let word = part.filter { $0 != " " }
    guard let kind = Kind(rawValue: word) else {
      throw UsageError("--fail-on \(word) is not a kind of \(noun)", help: "write some of \(words(of: Kind.self))")
    }
    kinds.insert(kind)
  }
  return kinds
}

/// The kinds of a `--fail-on` in words.
func words<Kind: RawRepresentable<String> & CaseIterable>(of kind: Kind.Type) -> String {
  kind.allCases.map(\.rawValue).joined(separator: ", ")
}
