import SpecExecution
import Testing

@Suite("The order of files and of those that they need", .timeLimit(.minutes(10)))
struct RunOrderTests {
  struct Case: CustomTestStringConvertible {
    let testDescription: String
    let order: RunOrder
    let expected: String

    init(_ name: String, _ order: RunOrder, _ expected: String) {
      testDescription = name
      self.order = order
      self.expected = expected
    }
  }

  static let cases = [
    Case("files alone", RunOrder([.file(0), .file(1)]), "f0 f1"),
    Case("repeated files", RunOrder([.file(0), .file(1)], repeatCount: 3), "f0 f1 f0/2 f1/2 f0/3 f1/3"),
    Case(
      "a need stands before the first that needs it, its teardown after the last",
      RunOrder(
        [.file(0), .file(1), .file(2), .file(3)], needsOfFiles: [[], [0], [0], []], needsOfNeeds: [[]],
        haveTeardown: [0]), "f0 n0 f1 f2 t0 f3"),
    Case(
      "a need among the arguments keeps its place",
      RunOrder([.file(0), .need(0), .file(1)], needsOfFiles: [[0], []], needsOfNeeds: [[]]), "f0 n0 f1"),
    Case(
      "needs run once however often the files run",
      RunOrder(
        [.file(0), .need(0), .file(1)], needsOfFiles: [[0], [0]], needsOfNeeds: [[]], haveTeardown: [0],
        repeatCount: 3), "f0 n0 f1 f0/2 f1/2 f0/3 f1/3 t0"),
    Case(
      "needs of needs are torn down after them",
      RunOrder(
        [.file(0), .file(1)], needsOfFiles: [[1], [0]], needsOfNeeds: [[], [0]], haveTeardown: [0, 1]),
      "n0 n1 f0 t1 f1 t0"),
    Case(
      "both at one place", RunOrder([.file(0)], needsOfFiles: [[1]], needsOfNeeds: [[], [0]], haveTeardown: [0, 1]),
      "n0 n1 f0 t1 t0"),
  ]

  @Test(arguments: cases)
  func order(_ test: Case) {
    let names = (0..<test.order.total).map { position in
      let (run, iteration) = test.order.run(at: position)
      let end = iteration > 1 ? "/\(iteration)" : ""
      return switch run {
      case .file(let file): "f\(file)\(end)"
      case .need(let need): "n\(need)"
      case .teardown(let need): "t\(need)"
      }
    }
    let text = names.joined(separator: " ")
    #expect(text == test.expected)
  }

  @Test("a file waits for its needs, and others go first")
  func waiting() async {
    let order = RunOrder(
      [.file(0), .file(1), .file(2)], needsOfFiles: [[0], [], [0]], needsOfNeeds: [[]], haveTeardown: [0])
    // n0 f0 f1 f2 t0
    let queue = PositionQueue(order, window: 8)
    #expect(await queue.next() == 0)
    #expect(await queue.next() == 2)
    let third = Task { await queue.next() }
    try? await Task.sleep(for: .milliseconds(50))
    queue.finish(0)
    #expect(await third.value == 1)
    #expect(await queue.next() == 3)
    queue.finish(3)
    let last = Task { await queue.next() }
    try? await Task.sleep(for: .milliseconds(50))
    queue.finish(1)
    #expect(await last.value == 4)
    queue.finish(2)
    queue.finish(4)
    #expect(await queue.next() == nil)
  }

  @Test("all runs are handed out, however many work", arguments: [1, 2, 8], [1, 2, 5])
  func end(workers: Int, repeatCount: Int) async {
    let order = RunOrder(
      (0..<20).map { .file($0) }, needsOfFiles: (0..<20).map { $0 % 3 == 0 ? [] : $0 % 3 == 1 ? [0, 2] : [1] },
      needsOfNeeds: [[], [0], []], haveTeardown: [0, 2], repeatCount: repeatCount)
    let queue = PositionQueue(order, window: 4)
    let positions = await withTaskGroup(of: [Int].self) { group in
      for _ in 0..<workers {
        group.addTask {
          var own: [Int] = []
          while let position = await queue.next() {
            own.append(position)
            await Task.yield()
            queue.finish(position)
          }
          return own
        }
      }
      return await group.reduce(into: []) { $0 += $1 }
    }
    let sorted = positions.sorted()
    #expect(sorted == Array(0..<order.total))
  }
}
