import RequestSpecs
import Testing
import Values

@Suite("Shards") struct ShardingTests {
  private static let files = (0..<200).map { "tests/area-\($0 % 7)/file-\($0).yaml" }

  @Test(
    "the shard of a file is the same in each version",
    arguments: [("a.yaml", 4, 4), ("b.yaml", 4, 3), ("tests/users.yaml", 3, 1), ("", 5, 3), ("ä.yaml", 2, 1)])
  func stable(_ key: String, _ count: Int, _ shard: Int) {
    #expect(Sharding.shard(of: key, count: count) == shard)
  }

  @Test("all shards get files, by the hash alone", arguments: [1, 2, 4, 7])
  func spread(_ count: Int) {
    let sizes = Self.files.reduce(into: [Int: Int]()) { $0[Sharding.shard(of: $1, count: count), default: 0] += 1 }
    #expect(Set(sizes.keys) == Set(1...count))
    #expect(sizes.values.allSatisfy { $0 > 200 / count / 2 && $0 < 200 / count * 2 }, "\(sizes)")
  }

  @Test("few files move to a new shard, and none among the others", arguments: [1, 3, 4, 9])
  func fewMove(_ count: Int) {
    let moved = Self.files.filter { Sharding.shard(of: $0, count: count) != Sharding.shard(of: $0, count: count + 1) }
    #expect(moved.allSatisfy { Sharding.shard(of: $0, count: count + 1) == count + 1 })
    #expect(moved.count < 2 * 200 / (count + 1), "\(moved.count)")
  }

  @Test("durations balance the shards within 20 %", arguments: [2, 3, 4, 8])
  func balance(_ count: Int) {
    var random = SplitMix64(seed: 3)
    // Most are quick, some slow.
    let files = Self.files.map { path in
      let base = Int.random(in: 1...100, using: &random)
      return (key: path, duration: Optional(Duration.milliseconds(base * (base % 10 == 0 ? 20 : 1))))
    }
    let places = Sharding.shards(of: files, count: count)
    var loads: [Int: Duration] = [:]
    for (place, file) in zip(places, files) { loads[place, default: .zero] += file.duration ?? .zero }
    #expect(loads.count == count)
    let (least, most) = (loads.values.min() ?? .zero, loads.values.max() ?? .zero)
    #expect(most - least <= most / 5, "\(loads)")
  }

  @Test("the order of the files doesn't matter")
  func order() {
    let files = Self.files.enumerated().map { ($1, $0 % 3 == 0 ? nil : Optional(Duration.seconds($0 % 5))) }
    let places = Dictionary(
      uniqueKeysWithValues: zip(files.map(\.0), Sharding.shards(of: files.map { (key: $0, duration: $1) }, count: 5)))
    let reversed = Array(files.reversed())
    let others = Sharding.shards(of: reversed.map { (key: $0, duration: $1) }, count: 5)
    #expect(zip(reversed, others).allSatisfy { places[$0.0] == $1 })
  }

  @Test("a new file counts as the median")
  func median() {
    let files: [(key: String, duration: Duration?)] = [
      ("a", .seconds(1)), ("b", .seconds(4)), ("c", .seconds(10)), ("new", nil),
    ]
    // 10, then 4 + 4, then the rest where there is less.
    #expect(Sharding.shards(of: files, count: 2) == [2, 2, 1, 2])
  }

  @Test("without any duration all count alike")
  func unknown() {
    let files = Self.files.map { (key: $0, duration: Duration?.none) }
    let sizes = Sharding.shards(of: files, count: 4).reduce(into: [Int: Int]()) { $0[$1, default: 0] += 1 }
    #expect(sizes.values.allSatisfy { $0 == 50 }, "\(sizes)")
  }
}
