import Synchronization

/// Hands out the positions of a run's order: needs as soon as they can run, files in their order once all that they
/// need is there, up to a limit beyond the first that isn't finished.
package final class PositionQueue: Sendable {
  private struct State {
    /// The first position that was not looked at.
    var next = 0
    var handedOut = 0
    var firstOpen = 0
    /// Finished positions beyond the first open one.
    var finished: Set<Int> = []
    var waiting: [CheckedContinuation<Int?, Never>] = []
    /// Needs and teardowns that can run now, whatever their position.
    var urgent: ArraySlice<Int> = []
    /// Files whose needs are there, the first last.
    var released: [Int] = []
    /// Files by a need that they wait for.
    var held: [Int: [Int]] = [:]
    var isDone: [Bool]
    /// The number of needs that each need waits for.
    var missing: [Int]
    /// The number of runs that still read each need.
    var readers: [Int]
  }

  private let order: RunOrder
  private let window: Int
  private let positions: (runs: [Int: Int], teardowns: [Int: Int])
  /// The needs that wait for each need, as often as they do.
  private let dependents: [[Int]]
  private let state: Mutex<State>

  package init(_ order: RunOrder, window: Int) {
    self.order = order
    self.window = window
    positions = order.positionsOfNeeds
    var dependents = [[Int]](repeating: [], count: order.needsOfNeeds.count)
    for (need, needs) in order.needsOfNeeds.enumerated() { for other in needs { dependents[other].append(need) } }
    self.dependents = dependents
    var state = State(
      isDone: order.needsOfNeeds.map { _ in false }, missing: order.needsOfNeeds.map(\.count),
      readers: order.needsOfNeeds.map { _ in 0 })
    for need in order.needsOfFiles.joined() { state.readers[need] += order.repeatCount }
    for need in order.needsOfNeeds.joined() { state.readers[need] += 1 }
    for (need, needs) in order.needsOfNeeds.enumerated() where needs.isEmpty {
      if let position = positions.runs[need] { state.urgent.append(position) }
    }
    state.urgent.sort()
    self.state = Mutex(state)
  }

  /// Returns nil once the queue is empty.
  package func next() async -> Int? {
    await withCheckedContinuation { continuation in
      let response: Int?? = state.withLock { state in
        if let position = take(&state) { return position }
        if state.handedOut == order.total { return .some(nil) }
        state.waiting.append(continuation)
        return nil
      }
      if let response { continuation.resume(returning: response) }
    }
  }

  package func finish(_ position: Int) {
    let ready = state.withLock { state in
      state.finished.insert(position)
      while state.finished.remove(state.firstOpen) != nil { state.firstOpen += 1 }
      note(position, &state)
      var ready: [(CheckedContinuation<Int?, Never>, Int?)] = []
      while !state.waiting.isEmpty {
        let position = take(&state)
        if position == nil, state.handedOut < order.total { break }
        ready.append((state.waiting.removeFirst(), position))
      }
      return ready
    }
    for (continuation, position) in ready { continuation.resume(returning: position) }
  }

  /// The next position that can run; nil if none can now.
  private func take(_ state: inout State) -> Int? {
    let position: Int
    if !state.urgent.isEmpty {
      position = state.urgent.removeFirst()
    } else {
      holdFiles(&state)
      guard let first = [state.released.last, state.next < order.total ? state.next : nil].compactMap(\.self).min(),
        first - state.firstOpen < window
      else { return nil }
      if first == state.next { state.next += 1 } else { state.released.removeLast() }
      position = first
    }
    state.handedOut += 1
    return position
  }

  /// Passes over what is handed out otherwise, up to a file that can run.
  private func holdFiles(_ state: inout State) {
    if order.needsOfNeeds.isEmpty { return }
    while state.next < order.total, state.next - state.firstOpen < window {
      if case .file(let file) = order.run(at: state.next).run {
        guard let need = order.needsOfFiles[file].first(where: { !state.isDone[$0] }) else { return }
        state.held[need, default: []].append(state.next)
      }
      state.next += 1
    }
  }

  private func note(_ position: Int, _ state: inout State) {
    if order.needsOfNeeds.isEmpty { return }
    switch order.run(at: position).run {
    case .file(let file): for need in order.needsOfFiles[file] { endReading(need, &state) }
    case .need(let need):
      state.isDone[need] = true
      for other in dependents[need] {
        state.missing[other] -= 1
        if state.missing[other] == 0, let position = positions.runs[other] { state.urgent.append(position) }
      }
      release(state.held.removeValue(forKey: need) ?? [], &state)
    case .teardown(let need): for other in order.needsOfNeeds[need] { endReading(other, &state) }
    }
  }

  /// Makes files available that waited for a need, unless they wait for another.
  private func release(_ files: [Int], _ state: inout State) {
    for position in files {
      guard case .file(let file) = order.run(at: position).run else { continue }
      if let need = order.needsOfFiles[file].first(where: { !state.isDone[$0] }) {
        state.held[need, default: []].append(position)
      } else {
        state.released.append(position)
      }
    }
    state.released.sort(by: >)
  }

  /// Notes that a run that read a need has ended: after the last, its teardown can run.
  private func endReading(_ need: Int, _ state: inout State) {
    state.readers[need] -= 1
    guard state.readers[need] == 0 else { return }
    if let position = positions.teardowns[need] {
      state.urgent.append(position)
    } else {
      for other in order.needsOfNeeds[need] { endReading(other, &state) }
    }
  }
}
