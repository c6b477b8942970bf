import HTTPSemantics
import OperatingSystem
import RequestSpecs
import Templates
import Values

/// An event of one run of one file. All text in events is already masked: no report can leak what it never gets.
///
/// Steps nest: events carry the identifier of their step, and the start and end of a step that of its parent. Optional
/// events are sent only if a reporter needs them (``ReportNeeds``).
package enum FileEvent: Sendable {
  case started(FileStart)
  case groupStarted(GroupStart)
  case groupFinished(GroupReport)
  /// Optional, like the next two.
  case stepStarted(StepStart)
  case attemptStarted(AttemptStart)
  /// The request of an exchange is sent; not reported for the exchanges of a transfer.
  case hopStarted(HopStart)
  /// Optional: the data sent and received. Reported once the captures have revealed all secrets, before its attempt's
  /// end.
  case hopFinished(HopReport)
  /// Optional.
  case attemptFinished(AttemptReport)
  indirect case stepFinished(StepReport)
  case finished(FileReport)
  /// This repetition was not started, since the run was asked to end; there are no other events for it.
  case leftOut
}

/// The identifier of a step, unique in a run.
package struct StepID: Sendable, Hashable {
  /// The position of the file's run in the order of the output.
  package let file: Int
  /// The number in the order in which the file's steps started, counted from 1.
  package let number: Int

  package init(file: Int, number: Int) {
    self.file = file
    self.number = number
  }
}

/// The start of one run of one file.
package struct FileStart: Sendable {
  /// The position in the order of the output.
  package var position: Int
  package var path: String
  package var name: String?
  /// The number of the repetition, counted from 1; see `--repeat`.
  package var iteration: Int
  /// The difference from other runs of the file, if it runs for others: the values of its variables, or its teardown.
  package var variant: String?
  /// The part of the file that runs for others, before or after them; nil for a run of its own.
  package var part: FilePart?
  package var time: Timestamp

  package init(
    position: Int, path: String, name: String?, iteration: Int, variant: String? = nil, part: FilePart? = nil,
    time: Timestamp
  ) {
    self.position = position
    self.path = path
    self.name = name
    self.iteration = iteration
    self.variant = variant
    self.part = part
    self.time = time
  }
}

/// The parts of a file that others need.
package enum FilePart: String, Sendable, CaseIterable {
  /// Its setup and its requests.
  case need
  case teardown
}

/// The end of one run of one file.
package struct FileReport: Sendable {
  package var path: String
  package var iteration: Int
  /// The same as in ``FileStart``.
  package var variant: String?
  package var counts: OutcomeCounts
  package var start: Timestamp
  package var duration: Duration

  package init(
    path: String, iteration: Int, variant: String? = nil, counts: OutcomeCounts, start: Timestamp, duration: Duration
  ) {
    self.path = path
    self.iteration = iteration
    self.variant = variant
    self.counts = counts
    self.start = start
    self.duration = duration
  }
}

package struct StepStart: Sendable {
  package var id: StepID
  /// Nil for a step of the file itself.
  package var parent: StepID?
  package var stage: RequestStage
  package var name: String
  /// The line of the request in its file, counted from 1.
  package var line: Int
  package var time: Timestamp

  package init(id: StepID, parent: StepID?, stage: RequestStage, name: String, line: Int, time: Timestamp) {
    self.id = id
    self.parent = parent
    self.stage = stage
    self.name = name
    self.line = line
    self.time = time
  }
}

/// The start of a group: steps with a scope of their own, such as a flow.
package struct GroupStart: Sendable {
  package var id: StepID
  /// Nil for a group of the file itself.
  package var parent: StepID?
  package var kind: PlannedGroup.Kind
  package var stage: RequestStage
  package var name: String
  /// The line of the group in its file, counted from 1.
  package var line: Int
  package var time: Timestamp

  package init(
    id: StepID, parent: StepID?, kind: PlannedGroup.Kind, stage: RequestStage, name: String, line: Int, time: Timestamp
  ) {
    self.id = id
    self.parent = parent
    self.kind = kind
    self.stage = stage
    self.name = name
    self.line = line
    self.time = time
  }
}

/// The end of a group, after the ends of its steps.
package struct GroupReport: Sendable {
  package var id: StepID
  package var parent: StepID?
  /// The requests in it, including those of groups inside.
  package var counts: OutcomeCounts
  package var duration: Duration

  package init(id: StepID, parent: StepID?, counts: OutcomeCounts, duration: Duration) {
    self.id = id
    self.parent = parent
    self.counts = counts
    self.duration = duration
  }
}

/// The start of an attempt at the exchanges of a step.
package struct AttemptStart: Sendable {
  package var step: StepID
  /// The number, counted from 1.
  package var number: Int
  package var time: Timestamp
  /// The same time, for differences from others.
  package var instant: ContinuousClock.Instant

  package init(step: StepID, number: Int, time: Timestamp, instant: ContinuousClock.Instant = .now) {
    self.step = step
    self.number = number
    self.time = time
    self.instant = instant
  }
}

/// The end of an attempt.
package struct AttemptReport: Sendable {
  package var step: StepID
  /// The number, counted from 1.
  package var number: Int
  package var start: Timestamp
  package var duration: Duration
  /// The outcome of the step if no other attempt follows.
  package var outcome: RequestOutcome
  package var status: Int?
  /// The round of a poll, counted from 1; nil without one.
  package var round: Int?
  /// The reason why it isn't the one that was wanted; nil if it is.
  package var reason: String?

  package init(
    step: StepID, number: Int, start: Timestamp, duration: Duration, outcome: RequestOutcome, status: Int?,
    round: Int? = nil, reason: String? = nil
  ) {
    self.step = step
    self.number = number
    self.start = start
    self.duration = duration
    self.outcome = outcome
    self.status = status
    self.round = round
    self.reason = reason
  }
}

/// Receives the events of one run of one file. It must not block.
///
/// The events of concurrent steps may arrive at the same time.
package protocol FileEventSink: Sendable {
  func receive(_ event: FileEvent)
}

/// Passes the events of a file to a function.
package struct EventSink: FileEventSink {
  private let take: @Sendable (FileEvent) -> Void

  package init(_ take: @escaping @Sendable (FileEvent) -> Void) { self.take = take }

  package func receive(_ event: FileEvent) { take(event) }
}

/// The data that the reporters of a run need beyond the ends of steps and files: nothing else is collected.
package struct ReportNeeds: OptionSet, Sendable {
  package let rawValue: Int

  package init(rawValue: Int) { self.rawValue = rawValue }

  /// Indicates whether bodies, or their beginnings, are needed.
  var wantsBodies: Bool { contains(.bodyBeginnings) || contains(.bodies) }

  /// The starts of steps, attempts and hops, and the times of steps.
  package static let starts = ReportNeeds(rawValue: 1 << 0)
  package static let attempts = ReportNeeds(rawValue: 1 << 1)
  package static let hops = ReportNeeds(rawValue: 1 << 2)
  /// The beginnings of the bodies of hops, as text.
  package static let bodyBeginnings = ReportNeeds(rawValue: 1 << 3)
  /// The whole bodies of responses, as long as the run has room for them.
  package static let bodies = ReportNeeds(rawValue: 1 << 4)
  package static let captures = ReportNeeds(rawValue: 1 << 5)
  /// The curl command of each request; those of failed ones are always reported.
  package static let curlCommands = ReportNeeds(rawValue: 1 << 6)
  /// The same with its secrets, for the console alone.
  package static let openCurlCommands = ReportNeeds(rawValue: 1 << 7)
  /// The assertions of `expect` that passed.
  package static let assertions = ReportNeeds(rawValue: 1 << 8)
  /// The whole bodies of responses with their secrets, for the output of `send` alone.
  package static let openBodies = ReportNeeds(rawValue: 1 << 9)
  /// The requests of a dry run as hops without a response.
  package static let unsentHops = ReportNeeds(rawValue: 1 << 10)
  /// Captured values as a whole, too.
  package static let wholeCaptures = ReportNeeds(rawValue: 1 << 11)
}

/// The report on a transfer; masked already.
package struct TransferReport: Sendable {
  /// One line beside the request's name, such as the path of a file.
  package var summary: String
  /// Lines that are shown if details are asked for.
  package var details: [String] = []

  package init(summary: String) {
    self.summary = summary
  }
}
