import Synchronization

/// Maps a long list in parallel pieces, as many as there are processors; the results are in the order of the pieces.
///
/// - Parameter minimum: the minimum number of items for a thread.
package func mapPieces<Item: Sendable, Output: Sendable>(
  of items: [Item], minimum: Int, _ transform: @escaping @Sendable (ArraySlice<Item>) -> Output
) -> [Output] {
  let count = min(processorCount, items.count / max(1, minimum))
  guard count > 1 else { return [transform(items[...])] }
  let bounds = (0...count).map { items.count * $0 / count }
  let results = PieceResults<Output>(count: count)
  // The calling thread processes the last piece, and those for which no thread could be started.
  mapPieces(0, bounds, results) { transform(items[$0]) }
  return results.all
}

private func mapPieces<Output: Sendable>(
  _ index: Int, _ bounds: [Int], _ results: PieceResults<Output>,
  _ transform: @escaping @Sendable (Range<Int>) -> Output
) {
  let range = bounds[index]..<bounds[index + 1]
  guard index + 2 < bounds.count, let thread = JoinableThread({ results.set(index, transform(range)) }) else {
    results.set(index, transform(range))
    if index + 2 < bounds.count { mapPieces(index + 1, bounds, results, transform) }
    return
  }
  mapPieces(index + 1, bounds, results, transform)
  thread.join()
}

private final class PieceResults<Output: Sendable>: Sendable {
  private let outputs: Mutex<[Output?]>

  init(count: Int) { outputs = Mutex(Array(repeating: nil, count: count)) }

  var all: [Output] { outputs.withLock { $0.compactMap { $0 } } }

  func set(_ index: Int, _ output: Output) {
    outputs.withLock { $0[index] = output }
  }
}
