import HTTPSemantics
import Testing
import Transfers

private let start = ContinuousClock.now

@Suite("The order of a file's segments")
struct SegmentQueueTests {
  private func queue(
    _ length: Int64, done: [Range<Int64>] = [], size: SegmentSize = .fixed(10), parallel: Int = 2, retries: Int = 2
  ) -> SegmentQueue {
    var ranges = ByteRanges()
    for range in done { ranges.insert(range) }
    return SegmentQueue(
      length: length, done: ranges, size: size, parallel: parallel, retries: .segments(retries: retries))
  }

  /// The segment that is to be sent, if one is.
  private func sent(_ queue: inout SegmentQueue, after time: Duration = .zero) -> FileSegment? {
    if case .send(let segment) = queue.next(at: start + time) { segment } else { nil }
  }

  struct Layout: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let length: Int64
    var done: [Range<Int64>] = []
    let expected: [Range<Int64>]
  }

  static let layouts = [
    Layout(testDescription: "an empty file has one segment", length: 0, expected: [0..<0]),
    Layout(testDescription: "a file smaller than a segment", length: 7, expected: [0..<7]),
    Layout(testDescription: "a file that they fill", length: 20, expected: [0..<10, 10..<20]),
    Layout(testDescription: "a last one that is shorter", length: 21, expected: [0..<10, 10..<20, 20..<21]),
    Layout(
      testDescription: "without what is done", length: 40, done: [10..<20, 30..<40], expected: [0..<10, 20..<30]),
    Layout(
      testDescription: "what is done in pieces of another size", length: 40, done: [3..<4, 20..<39],
      expected: [0..<3, 4..<14, 14..<20, 39..<40]),
    Layout(testDescription: "nothing left", length: 40, done: [0..<40], expected: []),
  ]

  @Test("covers what is missing, once", arguments: layouts)
  func layout(_ test: Layout) {
    var queue = queue(test.length, done: test.done)
    var ranges: [Range<Int64>] = []
    while let segment = sent(&queue) {
      ranges.append(segment.range)
      queue.succeeded(segment, after: .seconds(1))
    }
    #expect(ranges == test.expected)
    #expect(queue.isFinished)
    #expect(queue.next(at: start) == .drained)
  }

  @Test("no more are on their way than may be")
  func parallel() throws {
    var queue = queue(100, parallel: 2)
    let first = try #require(sent(&queue))
    _ = try #require(sent(&queue))
    #expect(queue.next(at: start) == .wait(until: nil))
    queue.succeeded(first, after: .seconds(1))
    #expect(sent(&queue)?.range == 20..<30)
  }

  @Test("one that failed goes behind all others, and not before its time")
  func requeued() throws {
    var queue = queue(30, parallel: 2)
    let first = try #require(sent(&queue))
    let isRequeued = queue.failed(first, at: start)
    #expect(isRequeued)
    var order: [Range<Int64>] = []
    while let segment = sent(&queue) {
      order.append(segment.range)
      queue.succeeded(segment, after: .seconds(1))
    }
    #expect(order == [10..<20, 20..<30])
    #expect(queue.next(at: start) == .wait(until: start + .milliseconds(500)))
    let again = try #require(sent(&queue, after: .milliseconds(500)))
    #expect(again.range == 0..<10 && again.attempts == 2)
    #expect(!queue.isFinished)
    queue.succeeded(again, after: .seconds(1))
    #expect(queue.isFinished)
  }

  @Test("each has so many attempts, with more and more time between them")
  func attempts() throws {
    var queue = queue(10, retries: 2)
    var time = Duration.zero
    var delays: [Duration] = []
    while true {
      let segment = try #require(sent(&queue, after: time))
      guard queue.failed(segment, at: start + time) else { break }
      guard case .wait(let until?) = queue.next(at: start + time) else {
        Issue.record("it does not wait")
        return
      }
      delays.append(until - (start + time))
      time = until - start
    }
    #expect(delays == [.milliseconds(500), .seconds(1)])
    #expect(RetryPolicy.segments(retries: 20).delay(after: 10) == .seconds(30))
  }

  @Test("while nothing comes through, nothing new is begun")
  func stuck() throws {
    var queue = queue(1000, parallel: 2, retries: 1)
    var ranges: [Range<Int64>] = []
    var time = Duration.zero
    var isGivenUp = false
    while !isGivenUp {
      switch queue.next(at: start + time) {
      case .send(let segment):
        ranges.append(segment.range)
        isGivenUp = !queue.failed(segment, at: start + time)
      case .wait(let until?): time = until - start
      case .wait(nil), .drained:
        Issue.record("it waits for nothing")
        return
      }
    }
    #expect(ranges == [0..<10, 10..<20, 0..<10])
  }

  @Test("a server that wants a pause gets it, for all segments")
  func pause() throws {
    var queue = queue(100, parallel: 4)
    let first = try #require(sent(&queue))
    let isRequeued = queue.failed(first, at: start, pause: .seconds(7))
    #expect(isRequeued)
    #expect(queue.next(at: start) == .wait(until: start + .seconds(7)))
    #expect(sent(&queue, after: .seconds(7))?.range == 10..<20)
  }

  @Test("what the server took only in part is sent on from there, before all others")
  func part() throws {
    var queue = queue(100, size: .fixed(10), parallel: 1, retries: 1)
    let first = try #require(sent(&queue))
    #expect(queue.succeeded(first, upTo: 4) == true)
    let second = try #require(sent(&queue))
    #expect(second.range == 4..<14 && second.attempts == 1)
    #expect(queue.succeeded(second, upTo: 6) == false, "it comes to nothing")
    let third = try #require(sent(&queue))
    queue.succeeded(third, after: .seconds(1))
    let fourth = try #require(sent(&queue))
    #expect(fourth.range == 16..<26)
    #expect(queue.succeeded(fourth, upTo: 17) == true, "the one before came through")
  }

  @Test("a server may take a large segment bit by bit")
  func parts() throws {
    var queue = queue(10 << 20, size: .fixed(10 << 20), parallel: 1, retries: 0)
    for _ in 0..<20 {
      let segment = try #require(sent(&queue))
      #expect(queue.succeeded(segment, upTo: segment.range.lowerBound + 256 << 10) == true)
    }
  }
}

@Suite("The size of segments")
struct SegmentSizingTests {
  private static let mebibyte: Int64 = 1 << 20

  @Test("a given size is every segment's")
  func fixed() {
    var sizing = SegmentSizing(.fixed(1000))
    #expect(sizing.isMeasured)
    sizing.note(1000, took: .seconds(100))
    sizing.noteFailure()
    #expect(sizing.next(rest: 10, parallel: 4) == 1000)
  }

  struct Case: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let bytes: Int64
    let time: Duration
    let expected: Int64
  }

  static let cases = [
    Case(testDescription: "in time: the same again", bytes: 8 << 20, time: .seconds(4), expected: 8 << 20),
    Case(testDescription: "in half the time: twice as large", bytes: 8 << 20, time: .seconds(2), expected: 16 << 20),
    Case(testDescription: "at once: four times as large", bytes: 1 << 20, time: .zero, expected: 4 << 20),
    Case(testDescription: "up to 64 MiB", bytes: 60 << 20, time: .seconds(1), expected: 64 << 20),
    Case(testDescription: "slowly: smaller", bytes: 8 << 20, time: .seconds(16), expected: 2 << 20),
    Case(testDescription: "down to 256 KiB", bytes: 1 << 20, time: .seconds(600), expected: 256 << 10),
    Case(testDescription: "in multiples of 256 KiB", bytes: 1_000_000, time: .seconds(3), expected: 1280 << 10),
  ]

  @Test("an automatic one follows the time that one took", arguments: cases)
  func automatic(_ test: Case) {
    var sizing = SegmentSizing(.automatic)
    #expect(!sizing.isMeasured)
    #expect(sizing.next(rest: 1 << 40, parallel: 4) == Self.mebibyte)
    sizing.note(test.bytes, took: test.time)
    #expect(sizing.isMeasured)
    #expect(sizing.next(rest: 1 << 40, parallel: 4) == test.expected)
  }

  @Test("the last ones are to end together")
  func ending() {
    var sizing = SegmentSizing(.automatic)
    sizing.note(64 << 20, took: .seconds(4))
    #expect(sizing.next(rest: 100 << 20, parallel: 4) == 25 << 20)
    #expect(sizing.next(rest: 100 << 20, parallel: 1) == 64 << 20)
    #expect(sizing.next(rest: 1 << 20, parallel: 4) == 1 << 20)
  }

  @Test("a failure halves it")
  func failure() {
    var sizing = SegmentSizing(.automatic)
    sizing.note(8 << 20, took: .seconds(4))
    sizing.noteFailure()
    #expect(sizing.next(rest: 1 << 40, parallel: 4) == 4 << 20)
    for _ in 0..<10 { sizing.noteFailure() }
    #expect(sizing.next(rest: 1 << 40, parallel: 4) == 256 << 10)
  }

  @Test("the first is sent alone, to be measured")
  func measuring() throws {
    var queue = SegmentQueue(length: 100 << 20, size: .automatic, parallel: 4, retries: .segments(retries: 3))
    guard case .send(let first) = queue.next(at: .now) else {
      Issue.record("nothing is sent")
      return
    }
    #expect(first.length == Self.mebibyte)
    #expect(queue.next(at: .now) == .wait(until: nil))
    queue.succeeded(first, after: .milliseconds(1))
    guard case .send(let second) = queue.next(at: .now), case .send = queue.next(at: .now) else {
      Issue.record("the others wait")
      return
    }
    #expect(second.length == 4 << 20)
  }
}
