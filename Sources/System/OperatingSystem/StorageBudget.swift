import Synchronization

/// The amount of memory and disk that a run may use at one time.
///
/// Memory is reserved before it is allocated, by estimates that are rather too high. The budget limits what foreign
/// data can cause, and doesn't count what any run needs.
package final class StorageBudget: Sendable {
  /// The default in bytes: 1 GiB, or a quarter of the address space that the process may take.
  package static let standardMemory = min(1 << 30, addressSpaceLimit() / 4)

  package let memoryLimit: Int
  package let diskLimit: Int
  private let memory: Atomic<Int>
  private let bodies: Atomic<Int>
  private let disk: Atomic<Int>

  /// Limits in bytes.
  ///
  /// - Parameter bodies: the part of the memory for bodies that may be moved to disk.
  package init(memory: Int = standardMemory, bodies: Int = 64 << 20, disk: Int = 4 << 30) {
    memoryLimit = memory
    diskLimit = disk
    self.memory = Atomic(memory)
    self.bodies = Atomic(min(bodies, memory / 2))
    self.disk = Atomic(disk)
  }

  /// The memory left.
  package var freeMemory: Int { max(0, memory.load(ordering: .relaxed)) }

  /// A share of the budget, which its owner's end returns.
  package final class Share: Sendable {
    package let budget: StorageBudget
    private let memory = Atomic(0)
    private let bodies = Atomic(0)
    private let disk = Atomic(0)

    package init(of budget: StorageBudget) {
      self.budget = budget
    }

    deinit { giveBack() }

    /// Reserves memory before it is allocated.
    package func takeMemory(_ count: Int) throws(MemoryShortage) {
      guard StorageBudget.take(count, of: budget.memory) else {
        throw MemoryShortage(needed: count, free: budget.freeMemory, limit: budget.memoryLimit)
      }
      memory.add(count, ordering: .relaxed)
    }

    package func giveBackMemory(_ count: Int) {
      let held = memory.load(ordering: .relaxed)
      // A rejected amount was not taken.
      let returned = min(count, held)
      memory.subtract(returned, ordering: .relaxed)
      budget.memory.add(returned, ordering: .relaxed)
    }

    /// Reserves memory for a body; false if too little is left, so that the body goes to disk.
    package func takeBody(_ count: Int) -> Bool {
      guard StorageBudget.take(count, of: budget.bodies) else { return false }
      guard StorageBudget.take(count, of: budget.memory) else {
        budget.bodies.add(count, ordering: .relaxed)
        return false
      }
      bodies.add(count, ordering: .relaxed)
      return true
    }

    package func takeDisk(_ count: Int) -> Bool {
      guard StorageBudget.take(count, of: budget.disk) else { return false }
      disk.add(count, ordering: .relaxed)
      return true
    }

    package func giveBackBody() {
      let count = bodies.exchange(0, ordering: .relaxed)
      budget.bodies.add(count, ordering: .relaxed)
      budget.memory.add(count, ordering: .relaxed)
    }

    package func giveBack() {
      giveBackBody()
      budget.memory.add(memory.exchange(0, ordering: .relaxed), ordering: .relaxed)
      budget.disk.add(disk.exchange(0, ordering: .relaxed), ordering: .relaxed)
    }
  }

  private static func take(_ count: Int, of rest: borrowing Atomic<Int>) -> Bool {
    // Any higher amount is unavailable, and the sum cannot overflow.
    guard count <= 1 << 56 else { return false }
    if rest.subtract(count, ordering: .relaxed).newValue >= 0 { return true }
    rest.add(count, ordering: .relaxed)
    return false
  }
}

/// The error for memory that exceeds the rest of a run's budget.
package struct MemoryShortage: Error, Sendable, Hashable {
  package let needed: Int
  package let free: Int
  package let limit: Int

  package init(needed: Int, free: Int, limit: Int) {
    self.needed = needed
    self.free = free
    self.limit = limit
  }
}
