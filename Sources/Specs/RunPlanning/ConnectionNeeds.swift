import Diagnostics
import HTTPMessages
import RequestSpecs

extension ConnectionSettings {
  /// The transport features that these settings need: a literal default needs nothing, a template all that it may
  /// yield.
  var transportNeeds: [Located<TransportFeature>] {
    var needs: [Located<TransportFeature>] = []
    func need<Output>(
      _ feature: TransportFeature, _ setting: Setting<Field<Output>>,
      unless isDefault: (Output) -> Bool = { _ in false }
    ) {
      guard let field = setting.value, !(field.literal.map(isDefault) ?? false) else { return }
      needs.append(Located(feature, at: field.range))
    }
    need(.serverTrust, tls.verify) { $0 }
    need(.serverTrust, tls.certificateAuthorities)
    need(.serverTrust, tls.pinned) { $0.isEmpty }
    need(.tlsVersions, tls.minVersion)
    need(.tlsVersions, tls.maxVersion)
    need(.clientCertificate, tls.certificate)
    need(.proxy, proxy.url) { if case .direct = $0 { true } else { false } }
    need(.httpVersion, httpVersion) { $0 == .automatic }
    // For a template, it is only known at run time whether it is one of the two.
    if let version = httpVersion.value, version.literal == .http3 || version.literal == .http3Only {
      needs.append(Located(.http3, at: version.range))
    }
    need(.addressOverrides, resolve) { $0.isEmpty }
    need(.addressOverrides, connectTo) { $0.isEmpty }
    need(.unixSocket, unixSocket)
    need(.interface, interface)
    need(.interface, addressFamily) { $0 == .any }
    need(.rateLimits, maxReceiveRate)
    need(.rateLimits, maxSendRate)
    need(.rawBody, compressed) { $0 }
    return needs
  }
}
