/// The distribution of files among the shards of a run: each shard computes it for itself, and all get the same.
package enum Sharding {
  /// The shard of each file, counted from 1, such that all have about as much: the heaviest file first, each to the
  /// shard that has the least so far. A file without a known weight counts as the median of the others.
  ///
  /// - Parameter weight: the file's duration or, without any, the number of its requests as seconds.
  package static func shards(of files: [(key: String, weight: Duration?)], count: Int) -> [Int] {
    let known = files.compactMap(\.weight).sorted()
    let median = known.isEmpty ? Duration.seconds(1) : known[known.count / 2]
    let weighted = files.indices.map { (index: $0, key: files[$0].key, weight: files[$0].weight ?? median) }
    var loads = [Duration](repeating: .zero, count: max(1, count))
    var result = [Int](repeating: 1, count: files.count)
    for file in weighted.sorted(by: { ($1.weight, $0.key) < ($0.weight, $1.key) }) {
      let least = loads.indices.min { loads[$0] < loads[$1] } ?? 0
      loads[least] += file.weight
      result[file.index] = least + 1
    }
    return result
  }
}
