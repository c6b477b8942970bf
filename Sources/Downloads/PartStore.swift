import FileSegments
import HTTPMessages
import OperatingSystem
import Synchronization

/// What is there of a file that is on its way, and the journal of it. Several exchanges may write to it side by side.
final class PartStore: Sendable {
  private struct State {
    /// Nil where nothing tells whether the file is still the same.
    var validator: RangeValidator?
    var total: Int64?
    var done = ByteRanges()
    /// Whether all that is there is at the beginning.
    var isSequential = true
    /// Bytes that came since the journal was written; all of them where it never was.
    var unsaved: Int64 = 0
    var isSaved = false
    var lastSave = ContinuousClock.now
    var received: Int64 = 0
  }

  private static let saveInterval = (bytes: Int64(8 << 20), time: Duration.seconds(1))
  private static let firstSave: Int64 = 256 << 10

  private let paths: PartPaths
  private let request: String
  private let file: PartFile
  private let resumes: Bool
  private let state: Mutex<State>

  /// - Parameters:
  ///   - target: the file that it will be, where that is known already.
  ///   - request: what tells the request from others; what another one began is thrown away.
  ///   - resumes: whether what is there already counts, and what will be there may be left for later.
  init(_ paths: PartPaths, for target: String?, request: String, resumes: Bool) throws(PartFile.Refusal) {
    self.paths = paths
    self.request = request
    self.resumes = resumes
    file = try PartFile(at: paths.part, for: target)
    var state = State()
    if resumes, let journal = DownloadJournal(at: paths.journal), journal.request == request {
      let size = file.size
      let done = journal.ranges ?? ByteRanges(0..<size)
      if done.count > 0, (done.ranges.last?.upperBound ?? 0) <= min(size, journal.total ?? size) {
        state.validator = journal.validator
        state.total = journal.total
        state.done = done
        state.isSequential = journal.ranges == nil
        state.isSaved = true
      }
    }
    self.state = Mutex(state)
    if state.validator == nil {
      removeFile(paths.journal)
      do throws(SystemProblem) { try file.cut(to: 0) } catch { throw .system(error) }
    }
  }

  var validator: RangeValidator? { state.withLock { $0.validator } }
  var total: Int64? { state.withLock { $0.total } }
  var count: Int64 { state.withLock { $0.done.count } }
  /// What came in this run.
  var received: Int64 { state.withLock { $0.received } }

  /// What is missing; one range without a known end, where the length isn't known.
  var gaps: [Range<Int64>] {
    state.withLock { state in
      if let total = state.total { return state.done.missing(of: total).ranges }
      return [state.done.beginning..<Int64.max]
    }
  }

  /// Begins anew: what is there is thrown away.
  func restart(validator: RangeValidator?, total: Int64?) throws(SystemProblem) {
    removeFile(paths.journal)
    try file.cut(to: 0)
    state.withLock { state in
      state = State()
      state.validator = resumes ? validator : nil
      state.total = total
    }
  }

  /// What an answer to a range tells of the whole.
  func learn(total: Int64) { state.withLock { $0.total = total } }

  /// From now on pieces come from several places.
  func scatter() {
    state.withLock { state in
      guard state.isSequential else { return }
      state.isSequential = false
      state.isSaved = false
      // Before anything stands behind a gap: the size says no longer what is there.
      if state.validator != nil { save(&state) }
    }
  }

  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(SystemProblem) {
    try file.write(bytes, at: offset)
    state.withLock { state in
      state.done.insert(offset..<offset + Int64(bytes.count))
      state.received += Int64(bytes.count)
      guard state.validator != nil, !(state.isSequential && state.isSaved) else { return }
      state.unsaved += Int64(bytes.count)
      let limit = state.isSaved ? PartStore.saveInterval.bytes : PartStore.firstSave
      if state.unsaved >= limit || ContinuousClock.now - state.lastSave >= PartStore.saveInterval.time { save(&state) }
    }
  }

  /// A journal that can't be written is none: the next run begins anew.
  private func save(_ state: inout State) {
    state.unsaved = 0
    state.lastSave = .now
    guard let validator = state.validator else { return }
    let journal = DownloadJournal(
      request: request, validator: validator, total: state.total, ranges: state.isSequential ? nil : state.done)
    state.isSaved = (try? journal.write(to: paths.journal)) != nil
  }

  /// Leaves what is there for a later run, as far as that can go on with it.
  ///
  /// - Returns: how many bytes that are; nil if everything was removed.
  func keep() -> Int64? {
    let count: Int64? = state.withLock { state in
      guard state.validator != nil, state.done.count > 0 else { return nil }
      if !(state.isSequential && state.isSaved) { save(&state) }
      return state.isSaved ? state.done.count : nil
    }
    if count == nil { remove() }
    return count
  }

  /// Whoever still holds on to it, another download may begin.
  func close() { file.unlock() }

  func remove() {
    file.remove()
    removeFile(paths.journal)
  }

  /// Hands out the whole file, piece by piece, until the body answers false.
  func read(_ body: ([UInt8]) -> Bool) throws(SystemProblem) {
    var offset: Int64 = 0
    while true {
      let piece = try file.read(upTo: 1 << 18, at: offset)
      if piece.isEmpty || !body(piece) { return }
      offset += Int64(piece.count)
    }
  }

  /// What the file system has of it.
  var size: Int64 { file.size }

  /// Gives the file its name; false if there is one already that stays.
  func move(to target: String, replaces: Bool) throws(SystemProblem) -> Bool {
    guard try file.move(to: target, replaces: replaces) else { return false }
    removeFile(paths.journal)
    return true
  }
}
