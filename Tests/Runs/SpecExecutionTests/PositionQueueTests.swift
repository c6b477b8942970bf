import SpecExecution
import Testing

@Suite("The order of a run's files", .timeLimit(.minutes(10)))
struct PositionQueueTests {
  @Test("each position is handed out once, in order")
  func order() async {
    let queue = PositionQueue(RunOrder([.file(0), .file(1), .file(2)]), window: 8)
    #expect(await queue.next() == 0)
    #expect(await queue.next() == 1)
    #expect(await queue.next() == 2)
    #expect(await queue.next() == nil)
  }

  @Test("nobody runs ahead of the first that is not finished by more than the window")
  func window() async {
    let queue = PositionQueue(RunOrder((0..<100).map { .file($0) }), window: 2)
    #expect(await queue.next() == 0)
    #expect(await queue.next() == 1)
    queue.finish(1)
    let start = ContinuousClock.now
    let third = Task {
      let position = await queue.next()
      return (position, ContinuousClock.now - start)
    }
    try? await Task.sleep(for: .milliseconds(100))
    queue.finish(0)
    let (position, waited) = await third.value
    #expect(position == 2)
    #expect(waited >= .milliseconds(100))
  }

  @Test("all who wait are told when there is no more")
  func end() async {
    let queue = PositionQueue(RunOrder([.file(0), .file(1), .file(2)]), window: 1)
    let counts = await withTaskGroup(of: Int.self) { group in
      for _ in 0..<8 {
        group.addTask {
          var count = 0
          while let position = await queue.next() {
            count += 1
            await Task.yield()
            queue.finish(position)
          }
          return count
        }
      }
      var sum = 0
      for await count in group { sum += count }
      return sum
    }
    #expect(counts == 3)
  }
}
