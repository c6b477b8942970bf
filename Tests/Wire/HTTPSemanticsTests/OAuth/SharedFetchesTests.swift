import HTTPSemantics
import Synchronization
import Testing

@Suite("Values that are fetched once", .timeLimit(.minutes(10)))
struct SharedFetchesTests {
  @Test("Many tasks that need a value fetch it once")
  func once() async {
    let fetches = SharedFetches<String, Int>()
    let count = Counter()
    await withTaskGroup(of: Int?.self) { group in
      for _ in 0..<64 {
        group.addTask {
          await fetches.value(of: "a", where: { _ in true }) { _ in
            try? await Task.sleep(for: .milliseconds(20))
            return .kept(count.next())
          }?.value
        }
      }
      for await value in group { #expect(value == 1) }
    }
  }

  @Test("A value that can't be used any more is fetched again, with the last one at hand")
  func again() async {
    let fetches = SharedFetches<String, Int>()
    _ = await fetches.value(of: "a", where: { _ in true }) { _ in .kept(1) }
    let next = await fetches.value(of: "a", where: { $0 != 1 }) { .kept(($0 ?? 0) + 10) }
    #expect(next?.value == 11 && next?.isFetchedHere == true)
    let known = await fetches.value(of: "a", where: { _ in true }) { _ in .kept(0) }
    #expect(known?.value == 11 && known?.isFetchedHere == false)
  }

  @Test("A passing value is for those who wait, and not kept")
  func passing() async {
    let fetches = SharedFetches<String, Int>()
    _ = await fetches.value(of: "a", where: { _ in true }) { _ in .passing(1) }
    #expect(await fetches.value(of: "a", where: { _ in true }) { _ in .kept(2) }?.value == 2)
  }

  @Test("If the task that fetches is cancelled, another one fetches")
  func cancelled() async {
    let fetches = SharedFetches<String, Int>()
    let isFetching = Moment()
    let first = Task {
      await fetches.value(of: "a", where: { _ in true }) { _ in
        isFetching.come()
        try? await Task.sleep(for: .seconds(300))
        return Task.isCancelled ? .cancelled : .kept(1)
      }?.value
    }
    await isFetching.wait()
    let second = Task { await fetches.value(of: "a", where: { _ in true }) { _ in .kept(2) }?.value }
    try? await Task.sleep(for: .milliseconds(20))
    first.cancel()
    #expect(await first.value == nil)
    #expect(await second.value == 2)
  }

  @Test("A task that waits can be cancelled")
  func cancelledWait() async {
    let fetches = SharedFetches<String, Int>()
    let (isFetching, isOver) = (Moment(), Moment())
    let first = Task {
      await fetches.value(of: "a", where: { _ in true }) { _ in
        isFetching.come()
        await isOver.wait()
        return .kept(1)
      }?.value
    }
    await isFetching.wait()
    let second = Task { await fetches.value(of: "a", where: { _ in true }) { _ in .kept(2) }?.value }
    try? await Task.sleep(for: .milliseconds(20))
    second.cancel()
    #expect(await second.value == nil)
    isOver.come()
    #expect(await first.value == 1)
  }
}

/// A moment that a task waits for.
private struct Moment: Sendable {
  private let signal = AsyncStream.makeStream(of: Void.self)

  func come() { signal.continuation.finish() }
  func wait() async { for await _ in signal.stream {} }
}

private final class Counter: Sendable {
  private let count = Atomic(0)

  func next() -> Int { count.add(1, ordering: .relaxed).newValue }
}
