import OperatingSystem
import Synchronization
import Values

/// A private cache (RFC 9111), in memory, and on disk if a directory is given.
///
/// When it is full, the least recently used responses are removed.
package final class ExchangeCache: Sendable {
  /// Limits in bytes.
  package struct Limits: Sendable {
    package var entry: Int
    package var total: Int

    package init(entry: Int = 8 << 20, total: Int = 64 << 20) {
      self.entry = entry
      self.total = total
    }
  }

  fileprivate struct Entry {
    var response: StoredResponse
    var access: Int
  }

  fileprivate struct State {
    /// Entries by key, one for each selection.
    var entries: [CacheKey: [Entry]] = [:]
    var size = 0
    var accesses = 0
  }

  let limits: Limits
  private let directory: CacheDirectory?
  private let clock: @Sendable () -> Timestamp
  private let state: Mutex<State>

  /// - Parameters:
  ///   - directory: its responses are loaded; unreadable ones are skipped.
  ///   - clock: the system clock by default.
  package init(
    directory: CacheDirectory? = nil, limits: Limits = Limits(), clock: (@Sendable () -> Timestamp)? = nil
  ) {
    self.directory = directory
    self.limits = limits
    self.clock = clock ?? { .now }
    var state = State()
    for (key, response) in directory?.load(limit: limits) ?? [] {
      // Caches that run side by side may have left more than one is allowed to keep.
      for (key, selection) in state.put(response, key: key, total: limits.total) {
        directory?.remove(key: key, selection: selection)
      }
    }
    self.state = Mutex(state)
  }

  var now: Timestamp { clock() }

  /// The newest response under a key that matches the request, fresh or not.
  func response(for request: WireRequest, _ key: CacheKey) -> StoredResponse? {
    state.withLock { state in
      let fitting = (state.entries[key] ?? []).indices.filter { state.entries[key]?[$0].response.fits(request) == true }
      let newest = fitting.max { left, right in
        guard let left = state.entries[key]?[left], let right = state.entries[key]?[right] else { return false }
        return left.response.responseTime < right.response.responseTime
      }
      guard let newest else { return nil }
      state.accesses += 1
      state.entries[key]?[newest].access = state.accesses
      return state.entries[key]?[newest].response
    }
  }

  /// Stores a response, replacing the one for the same selection; false if it is too large.
  @discardableResult
  func store(_ response: StoredResponse, _ key: CacheKey) -> Bool {
    guard response.size <= limits.entry else { return false }
    state.withLock { state in
      let removed = state.put(response, key: key, total: limits.total)
      for (key, selection) in removed { directory?.remove(key: key, selection: selection) }
      directory?.write(response, key: key)
    }
    return true
  }

  /// Removes the response that matches the request.
  func removeResponse(for request: WireRequest, _ key: CacheKey) {
    remove(key) { $0.fits(request) }
  }

  /// Removes all responses under a key.
  func removeAll(_ key: CacheKey) {
    remove(key) { _ in true }
  }

  private func remove(_ key: CacheKey, where isRemoved: (StoredResponse) -> Bool) {
    state.withLock { state in
      for entry in state.entries[key] ?? [] where isRemoved(entry.response) {
        state.remove(key: key, selection: entry.response.selection)
        directory?.remove(key: key, selection: entry.response.selection)
      }
    }
  }
}

extension ExchangeCache.State {
  /// Returns the entries that had to be removed.
  fileprivate mutating func put(
    _ response: StoredResponse, key: CacheKey, total: Int
  ) -> [(key: CacheKey, selection: String)] {
    remove(key: key, selection: response.selection)
    accesses += 1
    entries[key, default: []].append(ExchangeCache.Entry(response: response, access: accesses))
    size += response.size
    var removed: [(key: CacheKey, selection: String)] = []
    while size > total {
      let all = entries.flatMap { key, list in list.map { (key: key, entry: $0) } }
      guard all.count > 1, let stalest = all.min(by: { $0.entry.access < $1.entry.access }) else { break }
      let selection = stalest.entry.response.selection
      remove(key: stalest.key, selection: selection)
      removed.append((stalest.key, selection))
    }
    return removed
  }

  fileprivate mutating func remove(key: CacheKey, selection: String) {
    guard let index = entries[key]?.firstIndex(where: { $0.response.selection == selection }) else { return }
    size -= entries[key]?.remove(at: index).response.size ?? 0
    if entries[key]?.isEmpty == true { entries[key] = nil }
  }
}
