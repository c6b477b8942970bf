import HTTPSemantics
import Synchronization

/// Connections, host names and TLS sessions that exchanges share: a libcurl loop.
final class ConnectionPool: Sendable {
  let loop: CurlLoop

  init(maxIdle: Int) {
    loop = CurlLoop(maxIdleConnections: maxIdle)
  }

  deinit { loop.close() }
}

/// The pools: exchanges share one only if their connections have the same options.
///
/// libcurl itself distinguishes connections by some of the options only: not by a client's key, the HTTP version,
/// addresses that replace the name service's, or the credentials of a proxy's tunnel. And with HTTP/2 an exchange that
/// reads its response slowly delays all others of its connection.
final class ConnectionPools: Sendable {
  private struct Special {
    var pools: [ConnectionOptions: ConnectionPool] = [:]
    /// Options in order of use, the most recent last.
    var order: [ConnectionOptions] = []

    mutating func use(_ options: ConnectionOptions) -> ConnectionPool? {
      guard let pool = pools[options] else { return nil }
      if order.last != options {
        order.removeAll { $0 == options }
        order.append(options)
      }
      return pool
    }

    /// Adds a pool; exchanges that still run keep the pool that is removed.
    mutating func insert(_ pool: ConnectionPool, for options: ConnectionOptions) -> ConnectionPool {
      pools[options] = pool
      order.append(options)
      if order.count > ConnectionPools.limit { pools[order.removeFirst()] = nil }
      return pool
    }
  }

  /// The limit of pools, since each has a thread and open connections.
  private static let limit = 32

  /// The number of connections that each keeps open.
  private let maxIdle: Int
  /// The pool for exchanges with default options.
  private let plain: ConnectionPool
  /// Pools with default options, each with one task that runs on its thread.
  private let own = Mutex<[ConnectionPool]>([])
  private let special = Mutex(Special())

  init(maxIdle: Int) {
    self.maxIdle = maxIdle
    plain = ConnectionPool(maxIdle: maxIdle)
  }

  /// A number of pools, each for the exchanges of tasks on its thread.
  func own(_ count: Int) -> [ConnectionPool] {
    own.withLock { own in
      if own.isEmpty { own.append(plain) }
      while own.count < count { own.append(ConnectionPool(maxIdle: maxIdle)) }
      return Array(own.prefix(count))
    }
  }

  /// - Throws: if a file that TLS needs is invalid.
  func pool(for options: ConnectionOptions) throws(TransportError) -> ConnectionPool {
    if options.isPlain {
      // A host's connections are limited in one place.
      guard options.maxConnectionsPerHost == nil else { return plain }
      return own.withLock { $0.first { $0.loop.isLoopThread } } ?? plain
    }
    let making = options.ofConnection
    if let found = special.withLock({ $0.use(making) }) { return found }
    try TLSFiles.check(options.tls)
    let pool = ConnectionPool(maxIdle: maxIdle)
    return special.withLock { $0.use(making) ?? $0.insert(pool, for: making) }
  }
}

extension ConnectionOptions {
  /// The options without those of a single exchange.
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
