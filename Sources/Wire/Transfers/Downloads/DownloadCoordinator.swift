import HTTPSemantics
import OperatingSystem
import Synchronization
import Values

/// The identity of a request: two requests with the same one result in the same file.
struct DownloadIdentity: Sendable, Hashable {
  let method: String
  let url: HTTPURL
  let headers: HeaderFields
  let cookies: [String]
  let credentials: Credentials?
  let body: [UInt8]
  let plan: DownloadPlan

  /// Nil for a body that may differ each time.
  init?(_ request: OutgoingRequest, jar: CookieJar?, plan: DownloadPlan) {
    switch request.body {
    case .none: body = []
    case .bytes(let bytes): body = bytes
    default: return nil
    }
    method = request.method.rawValue
    url = request.url
    headers = request.headers
    cookies =
      request.cookies.map { "\($0.name)=\($0.value)" }
      + (jar?.cookies(for: request.url) ?? []).map(\.pair)
    credentials = request.credentials
    self.plan = plan
  }
}

/// Coordinates the downloads of a run: the same request is sent once, and no two write to one file.
package final class DownloadCoordinator: Sendable {
  enum Admission: Sendable {
    /// The caller fetches the file.
    case granted(Claim)
    /// An earlier download of this run has fetched it.
    case fetched(DownloadOutcome)
    /// Another download to the same file is in progress.
    case conflict
    case cancelled
  }

  /// The right to write to files.
  final class Claim: Sendable {
    fileprivate let number: Int
    fileprivate let key: Key

    fileprivate init(_ number: Int, _ key: Key) {
      self.number = number
      self.key = key
    }
  }

  fileprivate enum Key: Sendable, Hashable {
    case path(String)
    /// A file whose name is still unknown.
    case unnamed(DownloadIdentity)
  }

  private struct Running {
    let claim: Int
    let identity: DownloadIdentity?
  }

  private struct State {
    var next = 0
    var running: [Key: Running] = [:]
    var fetched: [Key: (identity: DownloadIdentity?, outcome: DownloadOutcome)] = [:]
    var waiters: [Int: (key: Key, continuation: CheckedContinuation<Bool, Never>)] = [:]
  }

  private let state = Mutex(State())

  package init() {}

  /// Requests the target, and waits for a download of the same kind in progress.
  func admit(_ identity: DownloadIdentity?, to target: DownloadPlan.Target) async -> Admission {
    let key: Key
    switch (target, identity) {
    case (.file(let directory, let name), _): key = .path(joinedPath(directory, name))
    case (.directory, let identity?): key = .unnamed(identity)
    // Nothing is known of it yet that another could be compared with.
    case (.directory(let directory), nil): key = .path("\(directory)/#\(newNumber())")
    }
    while true {
      if Task.isCancelled { return .cancelled }
      let admission: Admission? = state.withLock { state in
        if let running = state.running[key] {
          return identity != nil && running.identity == identity ? nil : .conflict
        }
        if let (known, outcome) = state.fetched[key], identity != nil, known == identity, let file = outcome.file,
          isStillThere(file, of: identity, state)
        {
          var shared = outcome
          shared.file?.isShared = true
          return .fetched(shared)
        }
        state.next += 1
        state.running[key] = Running(claim: state.next, identity: identity)
        return .granted(Claim(state.next, key))
      }
      if let admission { return admission }
      await wait(for: key)
    }
  }

  private func isStillThere(_ file: DownloadedFile, of identity: DownloadIdentity?, _ state: State) -> Bool {
    let key = Key.path(file.path)
    if state.running[key] != nil { return false }
    return state.fetched[key]?.identity == identity && fileSize(of: file.path) == file.size
  }

  private func wait(for key: Key) async {
    let number = newNumber()
    await withTaskCancellationHandler {
      _ = await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          guard state.running[key] != nil, !Task.isCancelled else { return true }
          state.waiters[number] = (key, continuation)
          return false
        }
        if isOver { continuation.resume(returning: true) }
      }
    } onCancel: {
      state.withLock { $0.waiters.removeValue(forKey: number) }?.continuation.resume(returning: false)
    }
  }

  private func newNumber() -> Int {
    state.withLock { state in
      state.next += 1
      return state.next
    }
  }

  /// Reserves a name that has just become known; false if another download to it is in progress.
  func reserve(_ path: String, for claim: Claim) -> Bool {
    state.withLock { state in
      let key = Key.path(path)
      if let running = state.running[key] { return running.claim == claim.number }
      state.running[key] = Running(claim: claim.number, identity: state.running[claim.key]?.identity)
      return true
    }
  }

  /// Releases the claim; later requests get what was fetched.
  func release(_ claim: Claim, _ outcome: DownloadOutcome) {
    let waiters = state.withLock { state in
      let keys = state.running.filter { $0.value.claim == claim.number }
      for (key, running) in keys {
        state.running[key] = nil
        state.fetched[key] = outcome.file == nil ? nil : (running.identity, outcome)
      }
      let over = state.waiters.filter { keys[$0.value.key] != nil }
      for number in over.keys { state.waiters[number] = nil }
      return over.values.map(\.continuation)
    }
    for waiter in waiters { waiter.resume(returning: true) }
  }
}
