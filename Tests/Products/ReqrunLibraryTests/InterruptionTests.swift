import ReqrunKit
import Synchronization
import Testing

@Suite("Copies of a runner, and their ends", .timeLimit(.minutes(10)))
struct InterruptionTests {
  @Test("an interrupter ends the run that has it, and not that of a copy") func copies() async {
    let (started, continuation) = AsyncStream.makeStream(of: Void.self)
    let isReleased = Mutex(false)
    let a = runner("url: http://stub/") { _ in
      continuation.yield()
      while !isReleased.withLock({ $0 }) { try await Task.sleep(for: .milliseconds(10)) }
      return TransportResponse()
    }
    var b = a
    b.options.jobs = 1
    let (own, others) = (Interrupter(), Interrupter())
    async let first = a.run(interrupter: own)
    async let second = b.run(interrupter: others)
    var count = 0
    for await _ in started {
      count += 1
      if count == 2 { break }
    }
    // The second time it waits for nothing.
    #expect(others.interrupt().map(\.name) == ["GET http://stub/"])
    #expect(others.interrupt().isEmpty)
    let ended = await second
    isReleased.withLock { $0 = true }
    let kept = await first
    #expect(kept.isSuccess && kept.signal == nil)
    #expect(ended.exitCode == 130 && ended.signal == 2)
    // It may end other runs later.
    #expect(others.interrupt().isEmpty)
    #expect(await runner("url: http://stub/").run(interrupter: others).isSuccess)
  }
}
