import Foundation
import OperatingSystem

/// The processor time that this thread takes for some work; other programs add none to it, unlike to that of a clock.
package func processorTime(of work: () throws -> Void) rethrows -> Duration {
  let start = threadTime()
  try work()
  return threadTime() - start
}

/// The power of a count with which the processor time of some work grows, however fast the machine is: about 1 if it is
/// linear, and 2 if it is quadratic.
package func growth(to count: Int, of work: (_ count: Int) throws -> Void) rethrows -> Double {
  let times = try [count / 8, count].map { count in
    try (0..<3).map { _ in try processorTime { try work(count) } }.min() ?? .zero
  }
  return log(times[1] / times[0]) / log(8)
}
