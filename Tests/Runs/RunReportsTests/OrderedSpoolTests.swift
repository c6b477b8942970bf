import RunReports
import Synchronization
import Testing

@Suite("Output in the order of the arguments")
struct OrderedSpoolTests {
  private final class Collected: Sendable {
    private let bytes = Mutex<[UInt8]>([])

    func append(_ more: [UInt8]) { bytes.withLock { $0 += more } }
    var text: String { bytes.withLock { String(decoding: $0, as: UTF8.self) } }
  }

  @Test("the first writes through, the others wait for their turn")
  func turns() {
    let collected = Collected()
    let spool = OrderedSpool { collected.append($0) }
    spool.write("b1 ", at: 1)
    spool.write("a1 ", at: 0)
    #expect(collected.text == "a1 ")
    spool.finish(1)
    spool.write("c1 ", at: 2)
    spool.write("a2 ", at: 0)
    spool.finish(0)
    #expect(collected.text == "a1 a2 b1 c1 ")
    spool.write("c2 ", at: 2)
    #expect(collected.text == "a1 a2 b1 c1 c2 ")
  }

  @Test("one that has nothing to say holds nothing back")
  func silence() {
    let collected = Collected()
    let spool = OrderedSpool { collected.append($0) }
    spool.finish(1)
    spool.write("c", at: 2)
    spool.finish(2)
    spool.finish(0)
    #expect(collected.text == "c")
  }

  @Test("what is too much for memory comes back from disk, whole and in order", arguments: [0, 10, 1000])
  func spilling(memoryLimit: Int) {
    let collected = Collected()
    let spool = OrderedSpool(memoryLimit: memoryLimit) { collected.append($0) }
    var expected = ""
    for round in 0..<3 {
      for position in [3, 1, 2] { spool.write("\(position).\(round) ", at: position) }
    }
    for position in 1...3 {
      for round in 0..<3 { expected += "\(position).\(round) " }
      spool.finish(position)
    }
    spool.finish(0)
    #expect(collected.text == expected)
    // The file is used again from its start.
    spool.write(String(repeating: "y", count: 5000), at: 5)
    spool.write("x", at: 4)
    spool.finish(4)
    #expect(collected.text == expected + "x" + String(repeating: "y", count: 5000))
    #expect(!spool.isIncomplete)
  }
}
