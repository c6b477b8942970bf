import HTTPMessages
import Templates
import Values

/// How connections are made, in one layer.
package struct ConnectionSettings: Sendable {
  package var tls = TLSSettings()
  package var proxy = ProxySettings()
  package var httpVersion = Setting<Field<HTTPVersionChoice>>.inherited
  package var resolve = Setting<Field<[Written<AddressOverride>]>>.inherited
  package var connectTo = Setting<Field<[Written<ConnectTo>]>>.inherited
  package var unixSocket = Setting<Field<FileReference>>.inherited
  package var compressed = Setting<Field<Bool>>.inherited
  package var interface = Setting<Field<Text>>.inherited
  package var addressFamily = Setting<Field<AddressFamily>>.inherited
  /// Bytes a second.
  package var maxReceiveRate = Setting<Field<Int64>>.inherited
  /// Bytes a second.
  package var maxSendRate = Setting<Field<Int64>>.inherited

  package init() {}

  /// This layer merged over a lower one.
  package func over(_ base: ConnectionSettings) -> ConnectionSettings {
    var result = ConnectionSettings()
    result.tls = tls.over(base.tls)
    result.proxy = proxy.over(base.proxy)
    result.httpVersion = httpVersion.over(base.httpVersion)
    result.resolve = resolve.over(base.resolve)
    result.connectTo = connectTo.over(base.connectTo)
    result.unixSocket = unixSocket.over(base.unixSocket)
    result.compressed = compressed.over(base.compressed)
    result.interface = interface.over(base.interface)
    result.addressFamily = addressFamily.over(base.addressFamily)
    result.maxReceiveRate = maxReceiveRate.over(base.maxReceiveRate)
    result.maxSendRate = maxSendRate.over(base.maxSendRate)
    return result
  }

  var templates: [Template] {
    var result = tls.templates + proxy.templates + httpVersion.templates() + resolve.templates()
    result += connectTo.templates() + unixSocket.templates() + compressed.templates() + interface.templates()
    return result + addressFamily.templates() + maxReceiveRate.templates() + maxSendRate.templates()
  }
}

package struct TLSSettings: Sendable {
  package var verify = Setting<Field<Bool>>.inherited
  package var certificateAuthorities = Setting<Field<FileReference>>.inherited
  package var certificate = Setting<Field<FileReference>>.inherited
  package var key = Setting<Field<FileReference>>.inherited
  package var passphrase = Setting<Field<Text>>.inherited
  package var format = Setting<Field<ClientCertificate.Format>>.inherited
  package var minVersion = Setting<Field<TLSVersion>>.inherited
  package var maxVersion = Setting<Field<TLSVersion>>.inherited
  package var pinned = Setting<Field<[String]>>.inherited

  package init() {}

  func over(_ base: TLSSettings) -> TLSSettings {
    var result = TLSSettings()
    result.verify = verify.over(base.verify)
    result.certificateAuthorities = certificateAuthorities.over(base.certificateAuthorities)
    result.certificate = certificate.over(base.certificate)
    result.key = key.over(base.key)
    result.passphrase = passphrase.over(base.passphrase)
    result.format = format.over(base.format)
    result.minVersion = minVersion.over(base.minVersion)
    result.maxVersion = maxVersion.over(base.maxVersion)
    result.pinned = pinned.over(base.pinned)
    return result
  }

  var templates: [Template] {
    var result = verify.templates() + certificateAuthorities.templates() + certificate.templates() + key.templates()
    result += passphrase.templates() + format.templates()
    return result + minVersion.templates() + maxVersion.templates() + pinned.templates()
  }
}

package struct ProxySettings: Sendable {
  package var url = Setting<Field<ProxyChoice>>.inherited
  package var username = Setting<Field<Text>>.inherited
  package var password = Setting<Field<Text>>.inherited
  package var authentication = Setting<Field<Proxy.Authentication>>.inherited
  package var exceptions = Setting<Field<[Written<[ProxyExceptions.Entry]>]>>.inherited
  package var tunnel = Setting<Field<Bool>>.inherited

  package init() {}

  /// Nothing of what lower layers say.
  package static var removed: ProxySettings {
    var result = ProxySettings()
    (result.url, result.username, result.password) = (.removed, .removed, .removed)
    (result.authentication, result.exceptions, result.tunnel) = (.removed, .removed, .removed)
    return result
  }

  func over(_ base: ProxySettings) -> ProxySettings {
    var result = ProxySettings()
    result.url = url.over(base.url)
    result.username = username.over(base.username)
    result.password = password.over(base.password)
    result.authentication = authentication.over(base.authentication)
    result.exceptions = exceptions.over(base.exceptions)
    result.tunnel = tunnel.over(base.tunnel)
    return result
  }

  var templates: [Template] {
    let credentials = username.templates() + password.templates() + authentication.templates()
    return url.templates() + credentials + exceptions.templates() + tunnel.templates()
  }
}

/// The word `none`, or a proxy.
package enum ProxyChoice: Sendable {
  case direct
  /// Its text is without userinfo.
  case proxy(Written<Proxy>)
}

/// A value beside the text that it was read from, which knows its secrets.
package struct Written<Content: Sendable>: Sendable {
  package let content: Content
  package let text: Text

  package init(_ content: Content, as text: Text) {
    self.content = content
    self.text = text
  }
}

/// A path as written: in a spec, relative to the file that holds it; on the command line, to the working directory.
package struct FileReference: Sendable {
  package let path: Text
  package let isFromCommand: Bool

  package init(_ path: Text, isFromCommand: Bool = false) {
    self.path = path
    self.isFromCommand = isFromCommand
  }
}
