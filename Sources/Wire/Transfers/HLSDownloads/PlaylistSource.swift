import HTTPSemantics
import Values

/// The source of a playlist, and the requests for the resources it refers to.
///
/// A class, since it is large and passed on with every segment.
final class PlaylistSource: Sendable {
  /// The request that reloads the playlist.
  let request: OutgoingRequest
  /// The URL of the response, which its references are relative to.
  let base: HTTPURL
  /// The variables of the master playlist that led to it.
  let imports: [String: String]
  /// The request with the data that the response's origin may see.
  private let arrived: OutgoingRequest

  init(request: OutgoingRequest, result: ExchangeResult, imports: [String: String] = [:]) {
    self.request = request
    self.imports = imports
    base = result.finalURL
    arrived = request.arrived(by: result)
  }

  /// The URL that a reference leads to.
  func resolve(_ uri: String, line: Int) throws(HLSFailure) -> HTTPURL {
    let target: HTTPURL
    do {
      target = try HTTPURL.resolve(uri, against: base)
    } catch {
      throw .unusable(
        expected: "URIs of http or https", actual: "line \(line) of \(base.string): \(error.message)",
        help: error.help)
    }
    guard target.isSecure || !base.isSecure || request.redirects.allowsHTTP else {
      throw .unusable(
        expected: "URIs of https in a playlist that came by https",
        actual: "line \(line) of \(base.string) leads to \(target.string)",
        help: "`redirects: {allow_http: true}` follows it")
    }
    return target
  }

  /// The request for another playlist.
  func playlistRequest(for url: HTTPURL) -> OutgoingRequest { arrived.followUp(to: url) }

  /// The request for a key or a segment, of any media type.
  func request(for url: HTTPURL) -> OutgoingRequest {
    var request = arrived.followUp(to: url)
    request.headers.set("Accept", "*/*")
    return request
  }

  func parse(_ bytes: [UInt8]) throws(HLSFailure) -> Playlist {
    do throws(PlaylistProblem) {
      return try Playlist(parsing: bytes, imports: imports, query: base.query)
    } catch {
      throw HLSFailure(error, in: base)
    }
  }
}
