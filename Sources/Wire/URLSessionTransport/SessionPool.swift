import HTTPSemantics
import Synchronization

/// The sessions that exchanges share: one for each set of session options, up to a limit.
final class SessionPool: Sendable {
  private struct Entry {
    let session: Session
    var exchanges = 0
    var lastUse: UInt64 = 0
  }

  private struct State {
    var entries: [SessionOptions: Entry] = [:]
    var uses: UInt64 = 0

    /// Removes the session that has been idle longest, if there are too many.
    mutating func dropIdle() -> Session? {
      guard entries.count > SessionPool.limit else { return nil }
      let oldest = entries.filter { $0.value.exchanges == 0 }.min { $0.value.lastUse < $1.value.lastUse }
      return oldest.flatMap { entries.removeValue(forKey: $0.key)?.session }
    }
  }

  private static let limit = 16

  private let state = Mutex(State())

  /// Takes a session, which stays usable until it is given back.
  func take(_ options: SessionOptions) throws(TransportError) -> Session {
    let taken = state.withLock { state -> Result<(Session, idle: Session?), TransportError> in
      do throws(TransportError) {
        var entry: Entry
        if let known = state.entries[options] { entry = known } else { entry = Entry(session: try Session(options)) }
        state.uses += 1
        entry.exchanges += 1
        entry.lastUse = state.uses
        state.entries[options] = entry
        return .success((entry.session, state.dropIdle()))
      } catch {
        return .failure(error)
      }
    }
    let (session, idle) = try taken.get()
    idle?.invalidate()
    return session
  }

  func giveBack(_ session: Session) {
    state.withLock { $0.entries[session.options]?.exchanges -= 1 }
  }

  /// Ends all sessions once their tasks are over.
  func invalidate() {
    let sessions = state.withLock { state in
      defer { state.entries = [:] }
      return state.entries.values.map(\.session)
    }
    for session in sessions { session.invalidate() }
  }
}
