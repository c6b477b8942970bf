import HTTPMessages
import Synchronization

/// Connections, host names and TLS sessions that exchanges share: a loop of libcurl.
final class ConnectionPool: Sendable {
  let loop: CurlLoop

  init(mostIdle: Int) {
    loop = CurlLoop(mostIdleConnections: mostIdle)
  }

  deinit { loop.close() }
}

/// Exchanges share a pool if their connections are made alike, and never else.
///
/// libcurl itself tells connections apart by some of the options only: not by a client's key, the HTTP version, the
/// addresses that stand in for the name service's, or the credentials of a proxy's tunnel. And with HTTP/2 an exchange
/// that takes its answer slowly holds up all others of its connection.
final class ConnectionPools: Sendable {
  private struct Special {
    var pools: [ConnectionOptions: ConnectionPool] = [:]
    /// The last one used is the last.
    var order: [ConnectionOptions] = []

    mutating func use(_ options: ConnectionOptions) -> ConnectionPool? {
      guard let pool = pools[options] else { return nil }
      if order.last != options {
        order.removeAll { $0 == options }
        order.append(options)
      }
      return pool
    }

    /// Exchanges that still run keep the pool that goes.
    mutating func insert(_ pool: ConnectionPool, for options: ConnectionOptions) -> ConnectionPool {
      pools[options] = pool
      order.append(options)
      if order.count > ConnectionPools.limit { pools[order.removeFirst()] = nil }
      return pool
    }
  }

  /// Each has a thread and connections that stay open.
  private static let limit = 32

  /// How many connections each keeps open.
  private let mostIdle: Int
  /// For exchanges without any options of that kind.
  private let plain: ConnectionPool
  /// The like, each with one task that runs on its thread.
  private let own = Mutex<[ConnectionPool]>([])
  private let special = Mutex(Special())

  init(mostIdle: Int) {
    self.mostIdle = mostIdle
    plain = ConnectionPool(mostIdle: mostIdle)
  }

  /// So many pools, each for exchanges of tasks on its thread.
  func own(_ count: Int) -> [ConnectionPool] {
    own.withLock { own in
      if own.isEmpty { own.append(plain) }
      while own.count < count { own.append(ConnectionPool(mostIdle: mostIdle)) }
      return Array(own.prefix(count))
    }
  }

  /// - Throws: where a file that TLS needs is not as it must be.
  func pool(for options: ConnectionOptions) throws(TransportError) -> ConnectionPool {
    if options.isPlain {
      // What a host may have in all is counted in one place.
      guard options.maxConnectionsPerHost == nil else { return plain }
      return own.withLock { $0.first { $0.loop.isLoopThread } } ?? plain
    }
    let making = options.ofConnection
    if let found = special.withLock({ $0.use(making) }) { return found }
    try TLSFiles.check(options.tls)
    let pool = ConnectionPool(mostIdle: mostIdle)
    return special.withLock { $0.use(making) ?? $0.insert(pool, for: making) }
  }
}

extension ConnectionOptions {
  /// Without what concerns a single exchange.
  fileprivate var ofConnection: ConnectionOptions {
    var options = self
    options.maxConnectionsPerHost = nil
    options.decompresses = true
    options.expectsLargeBody = false
    options.maxSendRate = nil
    options.wantsCertificates = false
    return options
  }
}
