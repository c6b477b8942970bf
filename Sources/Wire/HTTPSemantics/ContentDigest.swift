import Cryptography
import Values

/// Digests of a body that one request header contains (RFC 9530).
package struct ContentDigest: Sendable, Hashable {
  package enum Algorithm: String, Sendable, Hashable, CaseIterable {
    case sha256 = "sha-256"
    case sha512 = "sha-512"

    fileprivate var digest: DigestAlgorithm { self == .sha256 ? .sha256 : .sha512 }
  }

  /// `Content-Digest` or `Repr-Digest`.
  package let header: String
  package let algorithms: [Algorithm]

  package init(header: String, algorithms: [Algorithm]) {
    self.header = header
    self.algorithms = algorithms
  }

  /// The header's value for a body in memory.
  package func value(of bytes: [UInt8]) -> String {
    value { $0.digest.digest(of: bytes) }
  }

  fileprivate func value(_ digest: (Algorithm) -> [UInt8]) -> String {
    algorithms.map { "\($0.rawValue)=:\(base64Encoded(digest($0))):" }.joined(separator: ", ")
  }
}

extension OutgoingRequest {
  /// Reads a file's body once for all digests it is needed for, and adds their headers.
  ///
  /// Runs on a thread that carries no transfers: a large file takes seconds.
  ///
  /// - Returns: the SHA-256 if the request will be signed with it.
  mutating func addDigests() async throws(TransportError) -> [UInt8]? {
    switch body {
    case .none, .bytes: return nil
    case .pieces, .stream, .upgrade: break
    }
    guard !digests.isEmpty || signsBody else { return nil }
    let hashes = try await body.digests(
      sha256: signsBody || digests.contains { $0.algorithms.contains(.sha256) },
      sha512: digests.contains { $0.algorithms.contains(.sha512) })
    for digest in digests {
      headers.append(digest.header, digest.value { $0 == .sha256 ? hashes.sha256 : hashes.sha512 })
    }
    return signsBody ? hashes.sha256 : nil
  }

  private var signsBody: Bool {
    if case .awsSigV4? = credentials { !headers.contains("X-Amz-Content-Sha256") } else { false }
  }
}

extension RequestBody {
  /// The requested digests of a file; the others are empty.
  fileprivate func digests(
    sha256: Bool, sha512: Bool
  ) async throws(TransportError) -> (sha256: [UInt8], sha512: [UInt8]) {
    let task = Task.detached { () -> Result<(sha256: [UInt8], sha512: [UInt8]), TransportError> in
      let short = IncrementalDigest(.sha256)
      let long = IncrementalDigest(.sha512)
      do throws(TransportError) {
        var reader = try RequestBodyReader(self)
        try reader.readAll { piece in
          if sha256 { short.update(piece) }
          if sha512 { long.update(piece) }
          return !Task.isCancelled
        }
      } catch {
        return .failure(error)
      }
      return .success((sha256 ? short.value : [], sha512 ? long.value : []))
    }
    let result = await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
    return try result.get()
  }
}
