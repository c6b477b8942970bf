import Synchronization

/// How much the bodies that a run keeps at one time may take together, in memory and on disk.
package final class BodyBudget: Sendable {
  private let memory: Atomic<Int64>
  private let disk: Atomic<Int64>
  package let diskLimit: Int64

  /// In bytes.
  package init(memory: Int64 = 64 << 20, disk: Int64 = 4 << 30) {
    self.memory = Atomic(memory)
    self.disk = Atomic(disk)
    diskLimit = disk
  }

  /// What one body has of the budget; it goes back with the body.
  package final class Share {
    private let budget: BodyBudget
    private var memory: Int64 = 0
    private var disk: Int64 = 0

    package init(of budget: BodyBudget) {
      self.budget = budget
    }

    deinit { giveBack() }

    /// False if too little is left.
    package func takeMemory(_ count: Int) -> Bool {
      guard BodyBudget.take(Int64(count), of: budget.memory) else { return false }
      memory += Int64(count)
      return true
    }

    package func takeDisk(_ count: Int) -> Bool {
      guard BodyBudget.take(Int64(count), of: budget.disk) else { return false }
      disk += Int64(count)
      return true
    }

    package func giveBackMemory() {
      budget.memory.add(memory, ordering: .relaxed)
      memory = 0
    }

    package func giveBack() {
      giveBackMemory()
      budget.disk.add(disk, ordering: .relaxed)
      disk = 0
    }
  }

  private static func take(_ count: Int64, of rest: borrowing Atomic<Int64>) -> Bool {
    if rest.subtract(count, ordering: .relaxed).newValue >= 0 { return true }
    rest.add(count, ordering: .relaxed)
    return false
  }
}
