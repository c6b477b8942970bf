import HTTPSemantics
import Values

extension ResolvedRequest {
  /// The URL as it is sent, with its secrets marked; secret as a whole if the marks cannot be transferred.
  package var sentURL: Text {
    let sent = outgoing.url.string
    guard url.isSecret else { return Text(sent) }
    for own in [withoutUserinfo(url), withoutUserinfo(url) + Text("/")] where own.string == sent { return own }
    return Text(secret: sent)
  }

  /// A message about this request: a secret in its URL is masked however short it is.
  package func masked(_ message: String) -> String {
    guard url.isSecret else { return message }
    var result = message.replacing(outgoing.url.string, with: shownURL)
    if authorityIsSecret {
      result = result.replacing(outgoing.url.authority, with: Text.mask).replacing(outgoing.url.host, with: Text.mask)
    }
    return result
  }

  private var authorityIsSecret: Bool {
    let shown = withoutUserinfo(url)
    let parts = shown.string.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    let end = parts.prefix(3).reduce(0) { $0 + $1.utf8.count } + 2
    return shown.secretRanges.contains { $0.lowerBound < end }
  }
}
