/// A part of a run's files: each file is in exactly one of the shards of a run.
public struct Shard: Sendable, Hashable, Codable, CustomStringConvertible {
  /// The number of the shard, counted from 1.
  public let number: Int
  /// The number of shards.
  public let count: Int

  /// Creates the shard that a text such as `2/4` names; nil if it names none.
  public init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let number = parts[0], let count = parts[1], (1...10_000).contains(count),
      (1...count).contains(number)
    else { return nil }
    (self.number, self.count) = (number, count)
  }

  /// The shard as `2/4`.
  public var description: String { "\(number)/\(count)" }
}
