import OperatingSystem
import Testing

@Suite("Bytes in memory, then in a temporary file")
struct SpillBufferTests {
  struct Case: Sendable, CustomTestStringConvertible {
    enum Step: Sendable {
      case append(Int)
      case spill
      /// Reads at most that many of the next bytes.
      case next(Int)
    }

    let testDescription: String
    var memoryLimit = Int.max
    var file: @Sendable () -> TemporaryFile? = { nil }
    let steps: [Step]
    /// The bytes that are left in memory.
    let memory: Int
    let isSpilled: Bool
  }

  static let cases = [
    Case(testDescription: "nothing", steps: [.spill, .next(5)], memory: 0, isSpilled: false),
    Case(
      testDescription: "as much as the limit stays in memory", memoryLimit: 10, steps: [.append(4), .append(6)],
      memory: 10, isSpilled: false),
    Case(
      testDescription: "more than the limit moves all to the file", memoryLimit: 10,
      steps: [.append(4), .append(7), .append(5)], memory: 5, isSpilled: true),
    Case(
      testDescription: "what was read does not count", memoryLimit: 10,
      steps: [.append(8), .next(3), .append(5)], memory: 10, isSpilled: false),
    Case(
      testDescription: "a part that was read does not come to the file", memoryLimit: 10,
      steps: [.append(8), .next(3), .append(6), .next(4), .append(3)], memory: 3, isSpilled: true),
    Case(
      testDescription: "large pieces", steps: [.append(200_000), .spill, .append(100_000), .next(.max), .next(.max)],
      memory: 100_000, isSpilled: true),
    Case(
      testDescription: "from the file into memory", steps: [.append(10), .spill, .append(10), .next(15)],
      memory: 5, isSpilled: false),
    Case(
      testDescription: "a file that can't be created", memoryLimit: 10,
      file: { TemporaryFile(in: "/dev/null") }, steps: [.append(11), .append(11), .next(2)],
      memory: 20, isSpilled: false),
  ]

  @Test(arguments: cases) func order(_ testCase: Case) {
    var buffer = SpillBuffer(memoryLimit: testCase.memoryLimit, file: testCase.file())
    var expected: [UInt8] = []
    var nextByte: UInt8 = 0
    for step in testCase.steps {
      switch step {
      case .append(let count):
        let bytes = (0..<count).map { nextByte &+ UInt8(truncatingIfNeeded: $0 &* 7) }
        nextByte &+= 31
        buffer.append(bytes)
        expected += bytes
      case .spill:
        let isSpilled = buffer.spill()
        #expect(isSpilled)
      case .next(let limit):
        let piece = buffer.next(upTo: limit) ?? []
        #expect(piece.count <= limit && piece == Array(expected.prefix(piece.count)))
        #expect(!piece.isEmpty || expected.isEmpty)
        expected.removeFirst(piece.count)
      }
    }
    #expect(buffer.memoryCount == testCase.memory)
    #expect(buffer.isSpilled == testCase.isSpilled)
    #expect(buffer.count == expected.count)
    #expect(buffer.prefix() == expected)
    #expect(buffer.prefix(7) == Array(expected.prefix(7)))
    var rest: [UInt8] = []
    while let piece = buffer.next() { rest += piece }
    #expect(rest == expected)
    #expect(buffer.count == 0)
    #expect(!buffer.isIncomplete)
  }

  @Test("Buffers with one file keep their own bytes")
  func sharing() {
    let file = TemporaryFile()
    var buffers = (0..<3).map { _ in SpillBuffer(file: file) }
    for round in UInt8(0)..<4 {
      for index in buffers.indices {
        buffers[index].append([UInt8(index), round])
        let isSpilled = buffers[index].spill()
        #expect(isSpilled)
      }
    }
    for index in buffers.indices {
      let expected = (UInt8(0)..<4).flatMap { [UInt8(index), $0] }
      #expect(buffers[index].prefix() == expected)
      let pieces = [buffers[index].next(), buffers[index].next()]
      #expect(pieces == [expected, nil])
    }
  }

  @Test("Bytes that the file lost are missed")
  func loss() {
    let file = TemporaryFile()
    var buffer = SpillBuffer(memoryLimit: 0, file: file)
    buffer.append([1, 2, 3])
    file.removeAll()
    #expect(buffer.prefix() == nil)
    #expect(!buffer.isIncomplete)
    let piece = buffer.next()
    #expect(piece == nil && buffer.isIncomplete && buffer.count == 0)
  }
}
