import Values

/// The distribution of files among the shards of a run: each shard computes it for itself, and all get the same.
package enum Sharding {
  /// The shard of a file, counted from 1, by rendezvous hashing: it doesn't depend on other files, and few files move
  /// when the number of shards changes.
  package static func shard(of key: String, count: Int) -> Int {
    let hash = stableHash(key)
    var best = (shard: 1, weight: UInt64.min)
    for shard in 1...max(1, count) {
      var mix = SplitMix64(seed: hash ^ UInt64(shard) &* 0xD134_2543_DE82_EF95)
      let weight = mix.next()
      if weight > best.weight || shard == 1 { best = (shard, weight) }
    }
    return best.shard
  }

  /// The shard of each file, counted from 1, such that all take about as long: the longest file first, each to the
  /// shard that has the least so far. A file without a known duration counts as the median of the others.
  package static func shards(of files: [(key: String, duration: Duration?)], count: Int) -> [Int] {
    let known = files.compactMap(\.duration).sorted()
    let median = known.isEmpty ? Duration.seconds(1) : known[known.count / 2]
    let weighted = files.indices.map { (index: $0, key: files[$0].key, duration: files[$0].duration ?? median) }
    var loads = [Duration](repeating: .zero, count: max(1, count))
    var result = [Int](repeating: 1, count: files.count)
    for file in weighted.sorted(by: { ($1.duration, $0.key) < ($0.duration, $1.key) }) {
      let least = loads.indices.min { loads[$0] < loads[$1] } ?? 0
      loads[least] += file.duration
      result[file.index] = least + 1
    }
    return result
  }

  /// FNV-1a, which is the same in each process and on each platform.
  private static func stableHash(_ text: String) -> UInt64 {
    text.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x0000_0100_0000_01B3 }
  }
}
