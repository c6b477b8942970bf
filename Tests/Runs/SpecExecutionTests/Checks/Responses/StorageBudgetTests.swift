import OperatingSystem
import SpecExecution
import Testing

@Suite("What the bodies of a run may take together")
struct StorageBudgetTests {
  private func collector(_ budget: StorageBudget) -> ResponseCollector {
    var interest = BodyInterest()
    interest.keepsBytes = true
    return ResponseCollector(interest, budget: budget)
  }

  private func feed(_ collector: ResponseCollector, _ byte: UInt8, _ count: Int) {
    [UInt8](repeating: byte, count: count).withUnsafeBytes { _ = collector.receive(body: $0) }
  }

  @Test("Where memory is used up, bodies go to disk, and are whole all the same")
  func spilling() {
    let budget = StorageBudget(bodies: 100, disk: 1000)
    let first = collector(budget)
    let second = collector(budget)
    feed(first, 1, 60)
    feed(second, 2, 30)
    feed(second, 3, 30)
    feed(first, 4, 60)
    #expect(first.wholeBody() == [UInt8](repeating: 1, count: 60) + [UInt8](repeating: 4, count: 60))
    #expect(second.wholeBody() == [UInt8](repeating: 2, count: 30) + [UInt8](repeating: 3, count: 30))
  }

  @Test("Where the disk's share is used up too, a body is counted but not kept, and says why")
  func exhaustion() {
    let budget = StorageBudget(bodies: 0, disk: 2 << 20)
    let kept = collector(budget)
    feed(kept, 1, 1 << 20)
    let lost = collector(budget)
    feed(lost, 2, 1 << 20)
    feed(lost, 2, 1)
    #expect(lost.wholeBody() == nil)
    #expect(lost.count == 1 << 20 + 1)
    #expect(lost.storageProblem?.contains("more than 2 MiB together") == true)
    #expect(kept.wholeBody()?.count == 1 << 20)
  }

  @Test("A body that is over, or starts over, gives back its share")
  func release() {
    let budget = StorageBudget(bodies: 0, disk: 100)
    do {
      let gone = collector(budget)
      feed(gone, 1, 100)
      #expect(gone.wholeBody()?.count == 100)
    }
    let next = collector(budget)
    feed(next, 2, 100)
    #expect(next.restart())
    feed(next, 3, 100)
    #expect(next.wholeBody() == [UInt8](repeating: 3, count: 100))
  }
}

@Suite("What a run may hold in memory")
struct MemoryBudgetTests {
  @Test("What is taken comes back with its owner, once")
  func shares() throws {
    let budget = StorageBudget(memory: 100, bodies: 40)
    do {
      let first = StorageBudget.Share(of: budget)
      let second = StorageBudget.Share(of: budget)
      try first.takeMemory(60)
      #expect(second.takeBody(30))
      #expect(!second.takeBody(20), "that is more than bodies may have")
      #expect(budget.freeMemory == 10)
      let error = #expect(throws: MemoryShortage.self) { try second.takeMemory(11) }
      #expect(error == MemoryShortage(needed: 11, free: 10, limit: 100))
      #expect(budget.freeMemory == 10)
      first.giveBackMemory(50)
      #expect(budget.freeMemory == 60)
      // Of what was refused nothing can come back.
      first.giveBackMemory(50)
      #expect(budget.freeMemory == 70)
      second.giveBackBody()
      #expect(budget.freeMemory == 100)
      try second.takeMemory(100)
      #expect(!first.takeBody(1), "a body takes of the memory, too")
    }
    #expect(budget.freeMemory == 100)
  }

  @Test("No size is too large to be asked for", arguments: [101, 1 << 40, .max])
  func refusal(count: Int) {
    let share = StorageBudget.Share(of: StorageBudget(memory: 100))
    #expect(throws: MemoryShortage(needed: count, free: 100, limit: 100)) { try share.takeMemory(count) }
  }
}
