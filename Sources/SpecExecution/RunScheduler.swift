import Diagnostics
import HTTPMessages
import RunPlanning
import Synchronization

/// What all files of a run have in common.
package struct RunContext: Sendable {
  package let environment: RunEnvironment
  package let control: RunControl
  package let defaults: RequestDefaults
  package let trace: TraceOptions
  package let isDryRun: Bool
  package let failFast: Bool
  private let transports: [TransportKind: any Transport]
  private let fallback: any Transport

  package init(
    environment: RunEnvironment, control: RunControl, defaults: RequestDefaults, trace: TraceOptions, isDryRun: Bool,
    failFast: Bool, curl: any Transport, urlSession: (any Transport)?
  ) {
    self.environment = environment
    self.control = control
    self.defaults = defaults
    self.trace = trace
    self.isDryRun = isDryRun
    self.failFast = failFast
    fallback = curl
    transports = urlSession.map { [.urlsession: $0] } ?? [:]
  }

  func transport(_ kind: TransportKind) -> any Transport { transports[kind] ?? fallback }
}

/// Runs files side by side, as many as there are jobs; each file's requests in order.
package struct RunScheduler: Sendable {
  private let files: [PlannedFile]
  private let context: RunContext
  private let jobs: Int
  private let repeatCount: Int

  package init(files: [PlannedFile], context: RunContext, jobs: Int, repeatCount: Int) {
    self.files = files
    self.context = context
    self.jobs = max(1, jobs)
    self.repeatCount = max(1, repeatCount)
  }

  /// Runs all; `makeSink` gives the sink of each run of a file, in the order of the output.
  package func run(makeSink: @escaping @Sendable (_ position: Int) async -> any FileEventSink) async -> OutcomeCounts {
    let total = files.count * repeatCount
    let next = Counter()
    return await withTaskGroup(of: OutcomeCounts.self) { group in
      for _ in 0..<min(jobs, total) {
        group.addTask {
          var counts = OutcomeCounts()
          while true {
            let position = next.take()
            guard position < total else { return counts }
            var run = FileRun(
              file: files[position % files.count], context: context, iteration: position / files.count + 1,
              position: position)
            counts.add(await run.run(position: position, into: await makeSink(position)))
          }
        }
      }
      var counts = OutcomeCounts()
      for await partial in group { counts.add(partial) }
      return counts
    }
  }
}

/// Hands out 0, 1, 2, … to whoever asks.
private final class Counter: Sendable {
  private let value = Atomic<Int>(0)

  func take() -> Int { value.wrappingAdd(1, ordering: .relaxed).oldValue }
}
