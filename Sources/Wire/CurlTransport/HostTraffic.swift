import CLibCurl
import HTTPSemantics

/// The transfers to a host.
///
/// A server takes few connections at a time out of a queue; many that come at once overflow it. The system then repeats
/// the dropped ones after 1, 3, 7 and more seconds, all at the same time. Instead, they are given up and made again, one
/// for each transfer that ends.
struct HostTraffic {
  /// The time in which a connection is made where others take no time, and after which one more is tried.
  static let patience = Duration.milliseconds(100)

  var active = 0
  /// The shortest time in microseconds in which a connection was made; nil if none was.
  private(set) var quickest: Int64?
  /// The number of connections that were made for transfers that have ended, also when one was given up last.
  private(set) var made = 0
  private var madeBefore = 0
  /// The transfers that were given up for now.
  var deferred: ArraySlice<CurlTransfer> = []

  var isQuiet: Bool { active == 0 && deferred.isEmpty }

  /// Indicates that connections are made, or were since the last one was given up: otherwise the host is not busy, but
  /// away, and they are left to their time limits.
  func isReachable(others: Int) -> Bool { others > 0 || made > madeBefore }

  /// Returns whether a connection should have been made by now, as others were.
  func isOverdue(after time: Duration) -> Bool {
    quickest.map { time >= max(Self.patience, .microseconds($0) * 8) } ?? false
  }

  mutating func noteDeferral() { madeBefore = made }

  mutating func note(_ connectionTime: Int64) {
    if connectionTime > 0 { quickest = min(quickest ?? .max, connectionTime) }
  }

  /// Notes the end of a transfer.
  mutating func end(_ connectionTime: Int64) {
    active -= 1
    if connectionTime > 0 { made += 1 }
    note(connectionTime)
  }
}

extension CurlTransfer {
  /// The time in microseconds in which its connection was made; 0 if it is not made, or was there before.
  var connectionTime: Int64 { easy.map { reqrun_get_offset($0, CURLINFO_CONNECT_TIME_T) } ?? 0 }

  /// Indicates whether it waits for its connection, directly to a host whose address is known.
  fileprivate var isConnecting: Bool {
    guard let easy, request.options.proxy == nil else { return false }
    return connectionTime == 0 && reqrun_get_offset(easy, CURLINFO_PRETRANSFER_TIME_T) == 0
      && reqrun_get_offset(easy, CURLINFO_NAMELOOKUP_TIME_T) > 0
  }
}

extension CurlLoop {
  func hasRoom(for transfer: CurlTransfer) -> Bool {
    guard let limit = transfer.request.options.maxConnectionsPerHost else { return true }
    return hosts[transfer.hostKey]?.active ?? 0 < max(1, limit)
  }

  /// Starts waiting transfers, skipping those that fail to start: otherwise the rest would wait forever.
  func startWaiting(_ hostKey: HostKey, _ multi: UnsafeMutableRawPointer) {
    while let index = waiting.firstIndex(where: { $0.hostKey == hostKey }), hasRoom(for: waiting[index]) {
      admit(waiting.remove(at: index), multi)
    }
  }

  /// Removes a transfer from those in flight.
  func remove(_ transfer: CurlTransfer, _ multi: UnsafeMutableRawPointer) {
    let connectionTime = transfer.connectionTime
    guard let handle = transfer.takeHandle() else { return }
    active[handle.pointer] = nil
    limited[ObjectIdentifier(transfer)] = nil
    curl_multi_remove_handle(multi, handle.pointer)
    reserve.giveBack(handle)
    guard let host = hosts.index(forKey: transfer.hostKey) else { return }
    hosts.values[host].end(connectionTime)
    if hosts.values[host].isQuiet { hosts.remove(at: host) }
  }

  /// Gives up transfers whose connections are overdue, as long as others of their hosts go on, and tries one more.
  func lookAtConnections(_ now: ContinuousClock.Instant, _ multi: UnsafeMutableRawPointer) {
    guard let time = nextLook, time <= now else { return }
    let connecting = active.values.filter(\.isConnecting)
    var others = hosts.mapValues(\.active)
    if !connecting.isEmpty {
      for transfer in active.values { hosts[transfer.hostKey]?.note(transfer.connectionTime) }
      for transfer in connecting { others[transfer.hostKey, default: 0] -= 1 }
    }
    for transfer in connecting {
      let key = transfer.hostKey
      guard let traffic = hosts[key], traffic.isReachable(others: others[key, default: 0]),
        traffic.isOverdue(after: transfer.clock.elapsed)
      else { continue }
      hosts[key]?.deferred.append(transfer)
      deferredCount += 1
      remove(transfer, multi)
    }
    if deferredCount > 0 {
      for (key, traffic) in hosts where !traffic.deferred.isEmpty {
        hosts[key]?.noteDeferral()
        // One more, or some to begin with.
        for _ in 0..<(traffic.active == 0 ? 4 : 1) { startDeferred(key, multi) }
      }
    }
    nextLook = connecting.isEmpty && deferredCount == 0 ? nil : now + HostTraffic.patience
  }

  /// The error of a transfer whose time is up: a connection that the server hasn't taken out of its queue looks made.
  func explained(_ error: TransportError, of transfer: CurlTransfer) -> TransportError {
    guard let traffic = hosts[transfer.hostKey], traffic.active >= 8, traffic.made > 0, transfer.connectionTime > 0,
      !transfer.heads.isComplete, let help = error.help
    else { return error }
    var error = error
    error.help = "\(help); others get a response: if the server's queue is full, give fewer --jobs"
    return error
  }

  /// Starts a transfer that was given up.
  func startDeferred(_ key: HostKey, _ multi: UnsafeMutableRawPointer) {
    guard deferredCount > 0, let transfer = hosts[key]?.deferred.popFirst() else { return }
    deferredCount -= 1
    start(transfer, multi)
  }
}
