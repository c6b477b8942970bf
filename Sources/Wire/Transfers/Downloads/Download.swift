import Cryptography
import HTTPSemantics
import OperatingSystem

/// Stores the body of a response in a file: in a part file beside it first, and in its place once it is complete and
/// meets the expectations.
///
/// An interrupted download is resumed, by this run or a later one, if the server supports ranges and shows by a strong
/// validator that the file is unchanged.
package struct Download: Sendable {
  let request: OutgoingRequest
  let plan: DownloadPlan
  let client: HTTPClient
  let coordinator: DownloadCoordinator
  let accepts: @Sendable (ResponseHead) -> Bool
  let refused: any ResponseSink
  let refusedLimit: Int64?
  let meter: any DownloadMeter
  let examine: @Sendable (_ path: String, _ size: Int64, _ head: ResponseHead) -> Void

  /// - Parameters:
  ///   - request: validated already; without a limit of the body's size.
  ///   - accepts: whether a response is the requested file.
  ///   - refused: receives a response that isn't.
  ///   - refusedLimit: the maximum size of that response's body.
  ///   - examine: may read a file that doesn't meet the expectations, before it is removed.
  package init(
    _ request: OutgoingRequest, _ plan: DownloadPlan, by client: HTTPClient, at coordinator: DownloadCoordinator,
    meter: any DownloadMeter, accepts: @escaping @Sendable (ResponseHead) -> Bool, refused: any ResponseSink,
    refusedLimit: Int64?,
    examine: @escaping @Sendable (_ path: String, _ size: Int64, _ head: ResponseHead) -> Void = { _, _, _ in }
  ) {
    self.request = request
    self.plan = plan
    self.client = client
    self.coordinator = coordinator
    self.meter = meter
    self.accepts = accepts
    self.refused = refused
    self.refusedLimit = refusedLimit
    self.examine = examine
  }

  package func run() async -> DownloadOutcome {
    let identity = DownloadIdentity(request, jar: client.jar, plan: plan)
    switch await coordinator.admit(identity, to: plan.target) {
    case .fetched(let outcome): return outcome
    case .cancelled: return DownloadOutcome(result: .failure(ExchangeFailure(.cancelled)))
    case .conflict: return failure(.targetInUse(targetText))
    case .granted(let claim):
      let outcome = await run(claim)
      coordinator.release(claim, outcome)
      return outcome
    }
  }

  private func failure(_ error: TransportError) -> DownloadOutcome {
    DownloadOutcome(result: .failure(ExchangeFailure(error)))
  }

  private var targetText: String {
    switch plan.target {
    case .file(let directory, let name): joinedPath(directory, name)
    case .directory(let directory): directory
    }
  }

  private func run(_ claim: DownloadCoordinator.Claim) async -> DownloadOutcome {
    let place = DownloadPlace(plan: plan, coordinator: coordinator, claim: claim)
    let paths: PartPaths
    var target: String?
    switch plan.target {
    case .file(let directory, let name):
      // Checked now, since it needs no request.
      do throws(TransportError) { try place.check(targetText) } catch { return failure(error) }
      paths = PartPaths(directory: directory, name: name)
      target = targetText
    case .directory(let directory):
      let mark = shortDigest(of: requestText)
      paths = PartPaths(directory: directory, name: fileName(of: request.url) ?? "download", mark: mark)
    }
    let store: PartStore
    do throws(PartFile.Refusal) {
      store = try PartStore(paths, for: target, request: shortDigest(of: requestText), resumes: resumes)
    } catch {
      switch error {
      case .isBusy: return failure(.partInUse(targetText))
      case .system(let problem): return failure(.notWritten(targetText, problem))
      }
    }
    defer { store.close() }
    let task = DownloadTask(self, store, partPath: paths.part, place: place)
    var outcome = await DownloadAttempts(task: task, mayAskForParts: mayAskForParts).run()
    if outcome.file == nil, let kept = keep(store, after: outcome), case .failure(let failure) = outcome.result {
      var error = failure.error
      error.message += keptText(kept, of: store.total)
      outcome.result = .failure(failure.with(error))
    }
    return outcome
  }

  private var requestText: String { "\(request.method.rawValue) \(request.url.string)" }

  /// Indicates whether parts of the response can be requested at all.
  private var mayAskForParts: Bool {
    let own = ["Range", "If-Range", "If-Match", "If-None-Match", "If-Modified-Since", "If-Unmodified-Since"]
    return request.method == .get && request.body.length == 0 && request.requestTarget == nil
      && !own.contains { request.headers.contains($0) }
  }

  private var resumes: Bool { plan.resumes && mayAskForParts }

  /// The number of bytes kept for a later run; nil for none.
  private func keep(_ store: PartStore, after outcome: DownloadOutcome) -> Int64? {
    if case .failure(let failure) = outcome.result, failure.error.kind != .storage {
      return store.keep()
    }
    // A response that isn't the file doesn't invalidate what an earlier run has stored.
    if case .success = outcome.result, outcome.differences.isEmpty, store.received == 0 {
      _ = store.keep()
      return nil
    }
    store.remove()
    return nil
  }

  private func keptText(_ count: Int64, of total: Int64?) -> String {
    let of = total.map { " of \(byteCountText($0))" } ?? ""
    return "; \(byteCountText(count))\(of) are kept, and the next run goes on from there"
  }
}
