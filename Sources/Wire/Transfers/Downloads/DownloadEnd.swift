import Cryptography
import HTTPSemantics
import OperatingSystem

/// Checks the complete file, and moves it to its name.
struct DownloadEnd: Sendable {
  let task: DownloadTask
  let pieces: Int

  func outcome(_ result: Result<ExchangeResult, ExchangeFailure>, path: String) -> DownloadOutcome {
    guard case .success(let response) = result else { return DownloadOutcome(result: result) }
    func failed(_ error: TransportError) -> DownloadOutcome {
      DownloadOutcome(result: .failure(ExchangeFailure(error, hops: response.hops, total: response.total)))
    }
    let count = task.store.count
    if let total = task.store.total, count != total {
      return failed(
        TransportError(
          .truncated, "the server sent \(byteCountText(count)) of \(byteCountText(total))",
          help: "compare the server's Content-Length or Content-Range with what it sends"))
    }
    guard task.store.size == count else {
      return failed(TransportError(.storage, "\(task.partPath) was changed by another program"))
    }
    do throws(SystemProblem) {
      let differences = try differences(count)
      if Task.isCancelled { return failed(.cancelled) }
      if !differences.isEmpty {
        task.examine(task.partPath, count, response.head)
        return DownloadOutcome(result: result, differences: differences, wasExamined: true)
      }
      guard try task.store.move(to: path, replaces: task.plan.replaces) else {
        return failed(.targetExists(path, task.plan.target))
      }
    } catch {
      return failed(.notWritten(path, error))
    }
    let file = DownloadedFile(
      path: path, size: count, resumedBytes: task.resumedBytes, pieces: max(1, pieces),
      restartReason: task.restartReason)
    return DownloadOutcome(result: result, file: file)
  }

  private func differences(_ count: Int64) throws(SystemProblem) -> [DownloadDifference] {
    var result: [DownloadDifference] = []
    if let expected = task.plan.length, expected != count {
      result.append(.length(expected: expected, actual: count))
    }
    guard task.plan.sha256 != nil || task.plan.md5 != nil else { return result }
    let digests = FileDigests(sha256: task.plan.sha256 != nil, md5: task.plan.md5 != nil)
    // The file on disk is read, whichever run wrote it.
    try task.store.read { piece in
      digests.update(piece)
      return !Task.isCancelled
    }
    if let expected = task.plan.sha256, let actual = digests.sha256Value, actual != expected {
      result.append(.digest(.sha256, expected: expected, actual: actual))
    }
    if let expected = task.plan.md5, let actual = digests.md5Value, actual != expected {
      result.append(.digest(.md5, expected: expected, actual: actual))
    }
    return result
  }
}

private final class FileDigests {
  private var sha256: IncrementalDigest?
  private var md5: IncrementalDigest?

  init(sha256: Bool, md5: Bool) {
    self.sha256 = sha256 ? IncrementalDigest(.sha256) : nil
    self.md5 = md5 ? IncrementalDigest(.md5) : nil
  }

  func update(_ bytes: [UInt8]) {
    sha256?.update(bytes)
    md5?.update(bytes)
  }

  var sha256Value: [UInt8]? { sha256?.value }
  var md5Value: [UInt8]? { md5?.value }
}
