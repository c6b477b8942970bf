import HTTPSemantics
import Synchronization
import Testing

@Suite("The bytes to send over a connection of another protocol")
struct UpgradedConnectionTests {
  private func read(_ connection: UpgradedConnection, _ size: Int, _ notice: (@Sendable () -> Void)? = nil) -> [UInt8]?
  {
    var buffer = [UInt8](repeating: 0, count: size)
    let reading = buffer.withUnsafeMutableBytes { connection.read(into: $0, notice) }
    guard case .bytes(let count) = reading else { return nil }
    return Array(buffer.prefix(count))
  }

  @Test("They are read in their order, in pieces of any size", arguments: 1...7)
  func order(size: Int) {
    let connection = UpgradedConnection()
    connection.send([1, 2, 3])
    connection.send([4, 5])
    #expect(connection.waitingCount == 5)
    var all: [UInt8] = []
    while let piece = read(connection, size) { all += piece }
    #expect(all == [1, 2, 3, 4, 5])
    #expect(connection.waitingCount == 0)
    connection.send([6])
    #expect(read(connection, size) == [6])
  }

  @Test("Who found nothing is notified once, by the next bytes")
  func notice() {
    let connection = UpgradedConnection()
    let count = Mutex(0)
    #expect(read(connection, 4) { count.withLock { $0 += 1 } } == nil)
    #expect(count.withLock { $0 } == 0)
    connection.send([1])
    connection.send([2])
    #expect(count.withLock { $0 } == 1)
    #expect(read(connection, 4) == [1, 2])
  }
}
