import Cryptography
import Foundation
import HTTPSemantics
import TestSupport
import Transfers
import Values

/// A folder with what is stored in it.
final class StoredStream: Sendable {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  deinit { folder.remove() }

  var target: String { "\(folder.path)/stream" }

  /// Every file of the target with its content.
  var files: [String: [UInt8]] { files(in: target) }

  func files(in path: String) -> [String: [UInt8]] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return Dictionary(
      uniqueKeysWithValues: names.map { ($0, [UInt8](FileManager.default.contents(atPath: "\(path)/\($0)") ?? Data())) }
    )
  }

  /// What there is beside the target, hidden names too.
  var neighbours: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).filter { $0 != "stream" }.sorted()
  }

  func text(_ name: String) -> String { String(decoding: files[name] ?? [], as: UTF8.self) }

  func make(_ name: String, _ text: String = "old") throws { try folder.write([name: text]) }

  /// Fetches the playlist and stores its stream; the failure in words.
  func download(
    _ url: String, by transport: StubTransport, _ options: HLSDownload.Options = HLSDownload.Options(),
    edit: (inout OutgoingRequest) -> Void = { _ in }, onBytes: @escaping @Sendable (Int) -> Void = { _ in }
  ) async throws -> Result<HLSSummary, ToldFailure> {
    var request = OutgoingRequest(method: .get, url: try HTTPURL(parsing: url))
    edit(&request)
    var options = options
    options.retries.interval = .milliseconds(1)
    let client = HTTPClient(transport: transport)
    let sink = CollectingSink()
    let result = try await client.perform(request, into: sink)
    do throws(HLSFailure) {
      return .success(
        try await HLSDownload(client: client, options: options, onBytes: onBytes).run(
          sink.body, request: request, result: result, to: (folder.path, "stream")))
    } catch {
      switch error {
      case .transport(let error): return .failure(ToldFailure(text: error.message))
      case .unusable(let expected, let actual, _): return .failure(ToldFailure(text: "\(expected); \(actual)"))
      }
    }
  }
}

struct ToldFailure: Error, Equatable {
  let text: String
}

func encrypted(_ bytes: [UInt8], key: [UInt8], vector: [UInt8]) -> [UInt8] {
  guard let cipher = AES128CBC(.encrypt, key: key, initializationVector: vector) else { return [] }
  return bytes.withUnsafeBytes { cipher.update($0) } + (cipher.finish() ?? [])
}

/// A number in 16 bytes.
func vector(_ number: UInt8) -> [UInt8] { [UInt8](repeating: 0, count: 15) + [number] }
