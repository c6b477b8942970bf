import SpecExecution
import Testing

@Suite("Interrupting a run", .timeLimit(.minutes(10)))
struct RunControlTests {
  /// Whether an operation that would take a minute was cut short.
  private static func sleeper(_ control: RunControl, _ kind: RunControl.Flight) -> Task<Bool, Never> {
    Task {
      await control.supervise(kind) {
        do {
          try await Task.sleep(for: .seconds(60))
          return false
        } catch {
          return true
        }
      }
    }
  }

  @Test("the first signal drains, the second aborts; the first one stays known")
  func phases() {
    let control = RunControl()
    #expect(control.phase == .running && control.signal == nil)
    control.interrupt(signal: 2)
    #expect(control.phase == .draining)
    control.interrupt(signal: 15)
    #expect(control.phase == .aborting && control.signal == 2)
  }

  @Test("--fail-fast does not undo a signal")
  func stopping() {
    let control = RunControl()
    control.interrupt(signal: 15)
    control.stop()
    #expect(control.phase == .draining)
  }

  @Test("a signal ends a delay at once, a request when its time is up, and the teardown later still")
  func draining() async {
    let control = RunControl(grace: (.milliseconds(200), .milliseconds(200)))
    let start = ContinuousClock.now
    let (delay, request, teardown) = (
      Self.sleeper(control, .delay), Self.sleeper(control, .request), Self.sleeper(control, .teardown)
    )
    try? await Task.sleep(for: .milliseconds(50))
    control.interrupt(signal: 2)
    #expect(await delay.value)
    #expect(await request.value)
    let cut = ContinuousClock.now - start
    #expect(cut >= .milliseconds(240))
    #expect(await teardown.value)
    #expect(ContinuousClock.now - start >= .milliseconds(440))
  }

  @Test("a run whose time is up ends delays and requests at once, and the teardown later")
  func expiry() async {
    let control = RunControl(grace: (.seconds(60), .milliseconds(200)))
    let start = ContinuousClock.now
    let (delay, request, teardown) = (
      Self.sleeper(control, .delay), Self.sleeper(control, .request), Self.sleeper(control, .teardown)
    )
    control.expire(.seconds(3))
    #expect(control.phase == .draining && control.exceededTime == .seconds(3) && control.signal == nil)
    #expect(await delay.value)
    #expect(await request.value)
    #expect(await teardown.value)
    #expect(ContinuousClock.now - start >= .milliseconds(200))
  }

  @Test("a run that drains already is not ended by its time")
  func lateExpiry() {
    let control = RunControl(grace: (.zero, .zero))
    control.interrupt(signal: 2)
    control.expire(.seconds(3))
    #expect(control.exceededTime == nil)
    control.interrupt(signal: 2)
    #expect(control.phase == .aborting)
  }

  @Test("what begins after its time is cut at once")
  func lateness() async {
    let control = RunControl(grace: (.zero, .seconds(60)))
    control.interrupt(signal: 2)
    #expect(await Self.sleeper(control, .delay).value)
    #expect(await Self.sleeper(control, .request).value)
  }

  @Test("a second signal cuts the teardown too")
  func aborting() async {
    let control = RunControl()
    let teardown = Self.sleeper(control, .teardown)
    try? await Task.sleep(for: .milliseconds(20))
    control.interrupt(signal: 2)
    control.interrupt(signal: 2)
    #expect(await teardown.value)
  }
}
