import HTTPSemantics
import OperatingSystem
import Values

/// Stores a stream: a variant of a master playlist with its renditions, keys and segments, and a playlist that plays
/// the stored files.
///
/// All files are stored in a temporary directory, which replaces the target once it is complete.
package struct HLSDownload: Sendable {
  package struct Options: Sendable {
    /// The number of segments that are fetched in parallel.
    package var parallel = 4
    package var variant = VariantChoice()
    package var renditions = RenditionChoice.default
    /// The time for which a live stream is recorded; nil rejects live streams.
    package var liveDuration: Duration?
    package var retries = RetryPolicy.hls

    /// The maximum total size of the segments in bytes: as for other downloads.
    package var limit: Int64?

    package init() {}
  }

  private let client: HTTPClient
  private let options: Options
  private let onBytes: @Sendable (Int) -> Void

  /// - Parameter onBytes: called from any thread with the change in the number of bytes, which is negative if some are
  /// requested again.
  package init(client: HTTPClient, options: Options, onBytes: @escaping @Sendable (Int) -> Void = { _ in }) {
    self.client = client
    self.options = options
    self.onBytes = onBytes
  }

  /// The longest playlist, in bytes.
  package static let playlistLimit = Int64(Playlist.sizeLimit)

  /// Returns the failure of a playlist request, in other words if the playlist is too large.
  package static func playlistFailure(_ error: TransportError, limit: Int64?) -> TransportError {
    guard case .tooLarge = error.kind, limit == playlistLimit else { return error }
    return TransportError(.tooLarge, "the playlist is larger than \(byteCountText(playlistLimit))")
  }

  /// Stores the stream of a playlist that was received.
  ///
  /// - Parameters:
  ///   - request: the playlist's request.
  ///   - place: the target directory: its parent's path and its name.
  package func run(
    _ playlist: [UInt8], request: OutgoingRequest, result: ExchangeResult, to place: (parent: String, name: String)
  ) async throws(HLSFailure) -> HLSSummary {
    let begin = ContinuousClock.now
    let source = PlaylistSource(request: request, result: result)
    var summary = HLSSummary()
    var variant: VariantStream?
    var streams: [StreamState] = []
    switch try source.parse(playlist) {
    case .media(let media):
      streams = [StreamState(media, from: source, rendition: nil, prefix: LocalNames.mainPrefix, loadedAt: begin)]
    case .master(let master):
      let chosen: VariantStream
      do throws(VariantProblem) {
        chosen = try master.variant(options.variant)
      } catch {
        throw .unusable(expected: error.wanted, actual: error.found, help: error.help)
      }
      variant = chosen
      streams = try await self.streams(of: chosen, master, source, &summary)
    }
    if options.liveDuration == nil, let live = streams.first(where: \.isLive) {
      throw .unusable(
        expected: "a playlist that ends with #EXT-X-ENDLIST", actual: "the live playlist \(live.source.base.string)",
        help: "`live: 30s` under `hls` follows it for so long")
    }
    let target = try open(place)
    do throws(HLSFailure) {
      try await store(
        &streams, in: target, below: place.parent, &summary, until: options.liveDuration.map { begin + $0 })
      try write(streams, variant, to: target.directory)
      try commit(target, place)
    } catch {
      target.discard()
      throw error
    }
    summary.add(streams)
    summary.variant = variant
    return summary
  }

  // MARK: playlists

  private func streams(
    of variant: VariantStream, _ master: MasterPlaylist, _ source: PlaylistSource, _ summary: inout HLSSummary
  ) async throws(HLSFailure) -> [StreamState] {
    let renditions = master.renditions(of: variant, options.renditions)
    summary.leftOut = renditions.leftOut
    let main = try source.resolve(variant.uri, line: variant.line)
    var streams = [
      try await stream(
        source.playlistRequest(for: main), master.variables, rendition: nil, prefix: LocalNames.mainPrefix)
    ]
    var numbers: [Rendition.Kind: Int] = [:]
    for rendition in renditions.wanted {
      guard let uri = rendition.uri else { continue }
      let url = try source.resolve(uri, line: rendition.line)
      // The variant's own rendition.
      if url == main { continue }
      numbers[rendition.kind, default: 0] += 1
      streams.append(
        try await stream(
          source.playlistRequest(for: url), master.variables, rendition: rendition,
          prefix: "\(rendition.kind.rawValue.lowercased())-\(numbers[rendition.kind, default: 1])"))
    }
    return streams
  }

  private func stream(
    _ request: OutgoingRequest, _ imports: [String: String], rendition: Rendition?, prefix: String
  ) async throws(HLSFailure) -> StreamState {
    let begin = ContinuousClock.now
    let (playlist, source) = try await mediaPlaylist(request, imports)
    return StreamState(playlist, from: source, rendition: rendition, prefix: prefix, loadedAt: begin)
  }

  private func mediaPlaylist(
    _ request: OutgoingRequest, _ imports: [String: String]
  ) async throws(HLSFailure) -> (MediaPlaylist, PlaylistSource) {
    let (bytes, result) = try await HLSFetcher.bytes(
      request, by: client, limit: HLSDownload.playlistLimit, as: "the playlist \(request.url.string)",
      retries: options.retries)
    let source = PlaylistSource(request: request, result: result, imports: imports)
    guard case .media(let playlist) = try source.parse(bytes) else {
      throw .unusable(
        expected: "a media playlist, with segments",
        actual: "another master playlist at \(source.base.string)",
        help: "a master playlist leads to media playlists alone (RFC 8216, section 4.3.4.2)")
    }
    return (playlist, source)
  }

  // MARK: segments

  /// Stores the listed segments, and those that live streams add until the time is over.
  private func store(
    _ streams: inout [StreamState], in target: ReplacementDirectory, below parent: String, _ summary: inout HLSSummary,
    until end: ContinuousClock.Instant?
  ) async throws(HLSFailure) {
    let fetcher = HLSFetcher(
      client: client, directory: target.directory, parallel: options.parallel,
      retries: options.retries, limit: DownloadLimit(options.limit, in: parent), onBytes: onBytes)
    var keys: [String: [UInt8]] = [:]
    while true {
      var jobs: [SegmentJob] = []
      for index in streams.indices { jobs += try streams[index].takeJobs() }
      try await fetchKeys(of: jobs, fetcher, &keys)
      try await fetcher.each(jobs) { [keys] job throws(HLSFailure) in try await fetcher.store(job, keys: keys) }
      guard let end, let due = streams.filter(\.isLive).map(\.due).min() else { break }
      do {
        try await Task.sleep(until: min(due, end), clock: .continuous)
      } catch {
        throw .cancelled
      }
      let now = ContinuousClock.now
      if now >= end { break }
      for index in streams.indices where streams[index].isLive && streams[index].due <= now {
        let begin = ContinuousClock.now
        let (playlist, source) = try await mediaPlaylist(streams[index].source.request, streams[index].source.imports)
        try streams[index].reload(playlist, from: source, loadedAt: begin)
      }
    }
    summary.bytes = fetcher.statistics.bytes
    summary.repetitions = fetcher.statistics.repetitions
    summary.isCut = streams.contains(where: \.isLive)
    for stream in streams where stream.stored.isEmpty {
      throw .unusable(expected: "segments", actual: "a playlist without any: \(stream.source.base.string)")
    }
  }

  /// Fetches each key once.
  private func fetchKeys(
    of jobs: [SegmentJob], _ fetcher: HLSFetcher, _ keys: inout [String: [UInt8]]
  ) async throws(HLSFailure) {
    var wanted: [(url: HTTPURL, source: PlaylistSource)] = []
    var seen: Set<String> = []
    for job in jobs {
      guard let url = job.encryption?.keyURL, keys[url.string] == nil, seen.insert(url.string).inserted else {
        continue
      }
      wanted.append((url, job.source))
    }
    guard !wanted.isEmpty else { return }
    let found = FetchedKeys()
    try await fetcher.each(wanted) { item throws(HLSFailure) in
      found.add(try await fetcher.key(item.url, of: item.source), from: item.url.string)
    }
    keys.merge(found.all) { $1 }
  }

  // MARK: the directory

  private func open(_ place: (parent: String, name: String)) throws(HLSFailure) -> ReplacementDirectory {
    do throws(ReplacementDirectory.Refusal) {
      return try ReplacementDirectory(place.name, in: place.parent, isReplaceable: LocalNames.isOwn)
    } catch {
      throw HLSDownload.failure(error, place.name)
    }
  }

  private func commit(_ target: ReplacementDirectory, _ place: (parent: String, name: String)) throws(HLSFailure) {
    do throws(ReplacementDirectory.Refusal) {
      try target.commit()
    } catch {
      throw HLSDownload.failure(error, place.name)
    }
  }

  private static func failure(_ refusal: ReplacementDirectory.Refusal, _ name: String) -> HLSFailure {
    let error =
      switch refusal {
      case .isBusy: TransportError(.storage, "another download fills the directory \"\(name)\" just now")
      case .isNoDirectory:
        TransportError(
          .storage, "\"\(name)\" exists and is not a directory", help: "write another directory under `to`")
      case .holds(let file):
        TransportError(
          .storage, "the directory \"\(name)\" has \"\(file)\" in it, which is not of a stream stored before",
          help: "write a directory of its own under `to`: what is in it is replaced as a whole")
      case .system(let problem):
        TransportError(.storage, "the directory \"\(name)\" cannot be written: \(problem.reason)")
      }
    return .transport(error)
  }

  private func write(
    _ streams: [StreamState], _ variant: VariantStream?, to directory: OpenDirectory
  ) throws(HLSFailure) {
    guard let main = streams.first else { return }
    guard let variant, streams.count > 1 else {
      return try write(main.playlist.localText(of: main.stored), as: LocalNames.playlist, to: directory)
    }
    try write(main.playlist.localText(of: main.stored), as: LocalNames.mainPlaylist, to: directory)
    var renditions: [(Rendition, file: String)] = []
    for stream in streams {
      guard let rendition = stream.rendition else { continue }
      let file = LocalNames.playlist(of: stream.prefix)
      try write(stream.playlist.localText(of: stream.stored), as: file, to: directory)
      renditions.append((rendition, file))
    }
    try write(
      variant.localText(file: LocalNames.mainPlaylist, renditions: renditions), as: LocalNames.playlist, to: directory)
  }

  private func write(_ text: String, as name: String, to directory: OpenDirectory) throws(HLSFailure) {
    do throws(SystemProblem) {
      let file = try directory.makeFile(name)
      try Array(text.utf8).withUnsafeBytes { bytes in
        Result { () throws(SystemProblem) in try file.write(bytes) }
      }.get()
      try file.finish()
    } catch {
      throw HLSFailure(error, writing: "the playlist \(name)")
    }
  }
}
