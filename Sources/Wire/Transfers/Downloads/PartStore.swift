import HTTPSemantics
import OperatingSystem
import Synchronization

/// The part file of a download, and its journal. Several exchanges may write to it in parallel.
final class PartStore: Sendable {
  private struct State {
    /// Nil if nothing shows whether the file is unchanged.
    var validator: RangeValidator?
    var total: Int64?
    var done = ByteRanges()
    /// Indicates whether the stored bytes are contiguous from the beginning.
    var isSequential = true
    /// The number of bytes received since the journal was last written, if ever.
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
  ///   - target: the final file, if it is known already.
  ///   - request: identifies the request; a part of another one is discarded.
  ///   - resumes: whether an existing part is used, and this one may be left for later.
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
  /// The number of bytes received in this run.
  var received: Int64 { state.withLock { $0.received } }

  /// The missing ranges; one open-ended range if the length is unknown.
  var gaps: [Range<Int64>] {
    state.withLock { state in
      if let total = state.total { return state.done.missing(of: total).ranges }
      return [state.done.beginning..<Int64.max]
    }
  }

  /// Starts over: discards all that is stored.
  func restart(validator: RangeValidator?, total: Int64?) throws(SystemProblem) {
    removeFile(paths.journal)
    try file.cut(to: 0)
    state.withLock { state in
      state = State()
      state.validator = resumes ? validator : nil
      state.total = total
    }
  }

  /// Takes the total length from the response to a range.
  func learn(total: Int64) { state.withLock { $0.total = total } }

  /// Prepares for pieces written at several offsets.
  func scatter() {
    state.withLock { state in
      guard state.isSequential else { return }
      state.isSequential = false
      state.isSaved = false
      // Done before anything is stored after a gap: from then on the size says nothing about the stored bytes.
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

  /// A journal that can't be written is removed: the next run starts over.
  private func save(_ state: inout State) {
    state.unsaved = 0
    state.lastSave = .now
    guard let validator = state.validator else { return }
    let journal = DownloadJournal(
      request: request, validator: validator, total: state.total, ranges: state.isSequential ? nil : state.done)
    state.isSaved = (try? journal.write(to: paths.journal)) != nil
  }

  /// Leaves the part file for a later run, if that can resume it.
  ///
  /// - Returns: the number of bytes kept; nil if everything was removed.
  func keep() -> Int64? {
    let count: Int64? = state.withLock { state in
      guard state.validator != nil, state.done.count > 0 else { return nil }
      if !(state.isSequential && state.isSaved) { save(&state) }
      return state.isSaved ? state.done.count : nil
    }
    if count == nil { remove() }
    return count
  }

  /// Unlocks the file for other downloads, even if references to this remain.
  func close() { file.unlock() }

  func remove() {
    file.remove()
    removeFile(paths.journal)
  }

  /// Reads the whole file, piece by piece, until the body returns false.
  func read(_ body: ([UInt8]) -> Bool) throws(SystemProblem) {
    var offset: Int64 = 0
    while true {
      let piece = try file.read(upTo: 1 << 18, at: offset)
      if piece.isEmpty || !body(piece) { return }
      offset += Int64(piece.count)
    }
  }

  /// The file's size on disk.
  var size: Int64 { file.size }

  /// Moves the file to its name; false if there is one already that stays.
  func move(to target: String, replaces: Bool) throws(SystemProblem) -> Bool {
    guard try file.move(to: target, replaces: replaces) else { return false }
    removeFile(paths.journal)
    return true
  }
}
