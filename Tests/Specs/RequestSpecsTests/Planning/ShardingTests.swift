import RequestSpecs
import Testing
import Values

@Suite("Shards") struct ShardingTests {
  private static let files = (0..<200).map { "tests/area-\($0 % 7)/file-\($0).yaml" }

  @Test(
    "few files are evenly divided",
    arguments: [
      ([1, 1, 1, 1], 3, [1, 2, 3, 1]), ([1, 1], 3, [1, 2]), ([1, 1, 1, 1, 1], 2, [1, 2, 1, 2, 1]),
      ([9, 1, 1, 1], 3, [1, 2, 3, 2]), ([2, 3, 5], 2, [2, 2, 1]),
      // What has no requests stays together.
      ([0, 4, 0, 4, 0], 2, [1, 1, 1, 2, 1]),
    ])
  func few(_ requests: [Int], _ count: Int, _ expected: [Int]) {
    let files = requests.enumerated().map { (key: "\($0).yaml", weight: Optional(Duration.seconds($1))) }
    #expect(Sharding.shards(of: files, count: count) == expected)
  }

  @Test("durations balance the shards within 20 %", arguments: [2, 3, 4, 8])
  func balance(_ count: Int) {
    var random = SplitMix64(seed: 3)
    // Most are quick, some slow.
    let files = Self.files.map { path in
      let base = Int.random(in: 1...100, using: &random)
      return (key: path, weight: Optional(Duration.milliseconds(base * (base % 10 == 0 ? 20 : 1))))
    }
    let places = Sharding.shards(of: files, count: count)
    var loads: [Int: Duration] = [:]
    for (place, file) in zip(places, files) { loads[place, default: .zero] += file.weight ?? .zero }
    #expect(loads.count == count)
    let (least, most) = (loads.values.min() ?? .zero, loads.values.max() ?? .zero)
    #expect(most - least <= most / 5, "\(loads)")
  }

  @Test("the order of the files doesn't matter")
  func order() {
    let files = Self.files.enumerated().map { ($1, $0 % 3 == 0 ? nil : Optional(Duration.seconds($0 % 5))) }
    let places = Dictionary(
      uniqueKeysWithValues: zip(files.map(\.0), Sharding.shards(of: files.map { (key: $0, weight: $1) }, count: 5)))
    let reversed = Array(files.reversed())
    let others = Sharding.shards(of: reversed.map { (key: $0, weight: $1) }, count: 5)
    #expect(zip(reversed, others).allSatisfy { places[$0.0] == $1 })
  }

  @Test("a new file counts as the median")
  func median() {
    let files: [(key: String, weight: Duration?)] = [
      ("a", .seconds(1)), ("b", .seconds(4)), ("c", .seconds(10)), ("new", nil),
    ]
    // 10, then 4 + 4, then the rest where there is less.
    #expect(Sharding.shards(of: files, count: 2) == [2, 2, 1, 2])
  }

  @Test("without any duration all count alike")
  func unknown() {
    let files = Self.files.map { (key: $0, weight: Duration?.none) }
    let sizes = Sharding.shards(of: files, count: 4).reduce(into: [Int: Int]()) { $0[$1, default: 0] += 1 }
    #expect(sizes.values.allSatisfy { $0 == 50 }, "\(sizes)")
  }
}
