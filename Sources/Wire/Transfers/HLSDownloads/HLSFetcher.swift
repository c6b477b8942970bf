import Cryptography
import HTTPSemantics
import OperatingSystem
import Synchronization
import Values

/// Fetches resources that playlists refer to, with retries if those may help.
struct HLSFetcher: Sendable {
  private static let keyLimit = Int64(4096)

  let client: HTTPClient
  let directory: OpenDirectory
  let parallel: Int
  let retries: RetryPolicy
  /// The limit of the total size of all segments.
  let limit: DownloadLimit
  let onBytes: @Sendable (Int) -> Void
  let statistics = HLSStatistics()

  /// A small response with status 200.
  ///
  /// - Parameter subject: the kind of resource, for messages.
  static func bytes(
    _ request: OutgoingRequest, by client: HTTPClient, limit: Int64, as subject: String, retries: RetryPolicy,
    statistics: HLSStatistics? = nil
  ) async throws(HLSFailure) -> (bytes: [UInt8], result: ExchangeResult) {
    var request = request
    request.maxBodyBytes = min(limit, request.maxBodyBytes ?? .max)
    return try await repeated(subject, retries, statistics) { () throws(AttemptFailure) in
      let sink = ByteSink()
      let result = try await perform(request, by: client, into: sink)
      guard result.head.status == 200 else { throw AttemptFailure(status: result.head.status, expected: "status 200") }
      return (sink.bytes, result)
    }
  }

  private static func perform(
    _ request: OutgoingRequest, by client: HTTPClient, into sink: any ResponseSink
  ) async throws(AttemptFailure) -> ExchangeResult {
    do throws(ExchangeFailure) {
      return try await client.perform(request, into: sink)
    } catch {
      throw AttemptFailure(HLSDownload.playlistFailure(error.error, limit: request.maxBodyBytes))
    }
  }

  /// Retries failures that may be temporary.
  private static func repeated<Output>(
    _ subject: @autoclosure () -> String, _ retries: RetryPolicy, _ statistics: HLSStatistics?,
    _ body: () async throws(AttemptFailure) -> Output
  ) async throws(HLSFailure) -> Output {
    var attempt = 1
    while true {
      do throws(AttemptFailure) {
        return try await body()
      } catch {
        guard error.mayPass, let delay = retries.delay(after: attempt), !Task.isCancelled else {
          throw error.about(subject(), attempts: attempt)
        }
        do {
          try await Task.sleep(for: delay)
        } catch {
          throw HLSFailure.cancelled
        }
        attempt += 1
        statistics?.count(repetition: true)
      }
    }
  }

  // MARK: keys

  func key(_ url: HTTPURL, of source: PlaylistSource) async throws(HLSFailure) -> [UInt8] {
    let subject = "the key \(url.string)"
    let (key, _) = try await HLSFetcher.bytes(
      source.request(for: url), by: client, limit: HLSFetcher.keyLimit, as: subject, retries: retries,
      statistics: statistics)
    guard key.count == AES128CBC.blockSize else {
      throw .unusable(expected: "16 bytes for \(subject)", actual: "\(key.count) \(key.count == 1 ? "byte" : "bytes")")
    }
    return key
  }

  // MARK: segments

  /// Stores a segment or an initialization section.
  func store(_ job: SegmentJob, keys: [String: [UInt8]]) async throws(HLSFailure) {
    var request = job.source.request(for: job.url)
    if let range = job.range {
      request.headers.append("Range", "bytes=\(range.offset)-\(range.end - 1)")
      // A part of an encoded resource isn't that part of the resource.
      request.headers.set("Accept-Encoding", "identity")
    }
    func attempt() async throws(AttemptFailure) {
      let sink = try sink(of: job, keys: keys)
      do throws(AttemptFailure) {
        _ = try await HLSFetcher.perform(request, by: client, into: sink)
        try sink.finish()
      } catch {
        onBytes(-Int(sink.received))
        throw error
      }
      statistics.count(bytes: sink.written)
    }
    try await HLSFetcher.repeated(job.subject, retries, statistics, attempt)
  }

  private func sink(of job: SegmentJob, keys: [String: [UInt8]]) throws(AttemptFailure) -> SegmentSink {
    // The file of an earlier attempt.
    directory.removeAll(job.file)
    do throws(SystemProblem) {
      let file = try directory.makeFile(job.file)
      guard let encryption = job.encryption else {
        return SegmentSink(
          range: job.range, file: file, cipher: nil, limit: limit, has: statistics.bytes, onBytes: onBytes)
      }
      let cipher = AES128CBC(
        .decrypt, key: keys[encryption.keyURL.string] ?? [], initializationVector: encryption.initializationVector)
      return SegmentSink(
        range: job.range, file: file, cipher: cipher, limit: limit, has: statistics.bytes, onBytes: onBytes)
    } catch {
      throw AttemptFailure(HLSFailure(error, writing: "its file"))
    }
  }

  // MARK: side by side

  /// Runs the work for each item, that many in parallel, started in order; the first failure ends all.
  func each<Item: Sendable>(
    _ items: [Item], _ work: @escaping @Sendable (Item) async throws(HLSFailure) -> Void
  ) async throws(HLSFailure) {
    let first = await withTaskGroup(of: HLSFailure?.self) { group -> HLSFailure? in
      @Sendable func failure(_ item: Item) async -> HLSFailure? {
        do throws(HLSFailure) {
          try await work(item)
          return nil
        } catch {
          return error
        }
      }
      var next = 0
      var first: HLSFailure?
      while next < min(parallel, items.count) {
        group.addTask { [item = items[next]] in await failure(item) }
        next += 1
      }
      while let ended = await group.next() {
        if let ended, first == nil {
          first = ended
          group.cancelAll()
        }
        guard first == nil, next < items.count else { continue }
        group.addTask { [item = items[next]] in await failure(item) }
        next += 1
      }
      return first
    }
    if let first { throw first }
  }
}

/// A file to be stored from a resource or a part of one.
struct SegmentJob: Sendable {
  struct Encryption: Sendable, Hashable {
    let keyURL: HTTPURL
    let initializationVector: [UInt8]
  }

  let source: PlaylistSource
  let url: HTTPURL
  let range: ByteRange?
  let encryption: Encryption?
  let file: String
  /// The number, counted from 1.
  let number: Int
  /// The total number; nil if it is unknown, and for initialization sections.
  let count: Int?
  let isInitialization: Bool

  /// The description for messages.
  var subject: String {
    let kind = isInitialization ? "initialization section" : "segment"
    return "\(kind) \(number)\(count.map { " of \($0)" } ?? "") (\(url.string))"
  }
}

/// Statistics of stored files, from parallel exchanges.
final class HLSStatistics: Sendable {
  private let state = Mutex((bytes: Int64(0), repetitions: 0))

  var bytes: Int64 { state.withLock { $0.bytes } }
  var repetitions: Int { state.withLock { $0.repetitions } }

  func count(bytes: Int64 = 0, repetition: Bool = false) {
    state.withLock { state in
      state.bytes += bytes
      if repetition { state.repetitions += 1 }
    }
  }
}
