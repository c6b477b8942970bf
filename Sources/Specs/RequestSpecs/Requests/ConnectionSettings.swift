import HTTPSemantics
import Values

/// The connection settings of one layer.
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
  /// The rate in bytes per second.
  package var maxReceiveRate = Setting<Field<Int64>>.inherited
  /// The rate in bytes per second.
  package var maxSendRate = Setting<Field<Int64>>.inherited

  package init() {}
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
}

package struct ProxySettings: Sendable {
  package var url = Setting<Field<ProxyChoice>>.inherited
  package var username = Setting<Field<Text>>.inherited
  package var password = Setting<Field<Text>>.inherited
  package var authentication = Setting<Field<Proxy.Authentication>>.inherited
  package var exceptions = Setting<Field<[Written<[ProxyExceptions.Entry]>]>>.inherited
  package var tunnel = Setting<Field<Bool>>.inherited

  package init() {}
}

/// The keyword `none`, or a proxy.
package enum ProxyChoice: Sendable {
  case direct
  /// A proxy; its text is without userinfo.
  case proxy(Written<Proxy>)
}

/// A value with the text that it was read from, which knows its secrets.
package struct Written<Content: Sendable>: Sendable {
  package let content: Content
  package let text: Text

  package init(_ content: Content, as text: Text) {
    self.content = content
    self.text = text
  }
}

/// A path as written: in a spec, relative to the file that contains it; on the command line, to the working directory.
package struct FileReference: Sendable {
  package let path: Text
  package let isFromCommand: Bool

  package init(_ path: Text, isFromCommand: Bool = false) {
    self.path = path
    self.isFromCommand = isFromCommand
  }
}
