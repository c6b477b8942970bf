import HTTPSemantics
import OperatingSystem
import RequestSpecs
import Templates
import Values

/// A request's connection settings, with their secrets marked.
package struct ResolvedConnection: Sendable {
  /// An absolute path, like the others.
  package var certificateAuthorities: Text?
  package var certificate: Text?
  package var key: Text?
  package var passphrase: String?
  /// The value of `proxy`; the environment's proxies aren't here.
  package var proxy: Proxy?
  package var isProxyOff = false
  /// The proxy's URL without userinfo.
  package var proxyURL: Text?
  package var proxyUsername: Text?
  package var proxyExceptions: Text?
  package var addressOverrides: [Text] = []
  package var connectTo: [Text] = []
  package var unixSocket: Text?
  package var interface: Text?

  /// The texts that may be shown.
  package var shownTexts: [Text] {
    [
      certificateAuthorities, certificate, key, proxyURL, proxyUsername, proxyExceptions, unixSocket, interface,
    ].compactMap { $0 } + addressOverrides + connectTo
  }
}

extension RequestResolver {
  /// Adds the connection settings to the request; nil if there are none.
  package func resolvedConnection(into request: inout OutgoingRequest) throws(TemplateError) -> ResolvedConnection? {
    guard let settings = self.request.settings.connectionBox?.content else {
      request.proxies = try environmentProxies()
      return nil
    }
    var result = ResolvedConnection()
    var options = request.options
    options.tls = try resolvedTLS(settings.tls, &result)
    options.httpVersion = try settings.httpVersion.value?.resolve(in: scope) ?? .automatic
    options.decompresses = try settings.compressed.value?.resolve(in: scope) ?? true
    options.addressFamily = try settings.addressFamily.value?.resolve(in: scope) ?? .any
    options.maxReceiveRate = try settings.maxReceiveRate.value?.resolve(in: scope)
    options.maxSendRate = try settings.maxSendRate.value?.resolve(in: scope)
    let overrides = try settings.resolve.value?.resolve(in: scope) ?? []
    options.addressOverrides = overrides.map(\.content)
    result.addressOverrides = overrides.map(\.text)
    let connectTo = try settings.connectTo.value?.resolve(in: scope) ?? []
    options.connectTo = connectTo.map(\.content)
    result.connectTo = connectTo.map(\.text)
    result.interface = try settings.interface.value?.resolve(in: scope)
    options.interface = result.interface?.string
    if let socket = settings.unixSocket.value {
      result.unixSocket = socketPath(try socket.resolve(in: scope), beside: socket.range)
      options.unixSocket = result.unixSocket?.string
    }
    request.options = options
    request.proxies = try resolvedProxies(settings.proxy, &result)
    // The environment's proxies are for hosts.
    if options.unixSocket != nil { request.proxies = nil }
    return result
  }

  // MARK: TLS

  private func resolvedTLS(
    _ settings: TLSSettings, _ result: inout ResolvedConnection
  ) throws(TemplateError) -> TLSOptions {
    var options = TLSOptions()
    options.verifies = try settings.verify.value?.resolve(in: scope) ?? true
    options.minVersion = try settings.minVersion.value?.resolve(in: scope)
    options.maxVersion = try settings.maxVersion.value?.resolve(in: scope)
    if let least = options.minVersion, let most = options.maxVersion, most < least {
      throw TemplateError(
        "no version of TLS is at least \(least.rawValue) and at most \(most.rawValue)",
        at: settings.maxVersion.value?.range)
    }
    options.pinnedKeys = try settings.pinned.value?.resolve(in: scope) ?? []
    result.certificateAuthorities = try path(settings.certificateAuthorities)
    options.certificateAuthorities = result.certificateAuthorities?.string
    guard let certificate = try path(settings.certificate) else { return options }
    result.certificate = certificate
    result.key = try path(settings.key)
    result.passphrase = try settings.passphrase.value?.resolve(in: scope).string
    options.client = ClientCertificate(
      certificate: certificate.string, key: result.key?.string, passphrase: result.passphrase,
      format: try settings.format.value?.resolve(in: scope) ?? ClientCertificate.Format(ofPath: certificate.string))
    return options
  }

  private func path(_ setting: Setting<Field<FileReference>>) throws(TemplateError) -> Text? {
    guard let field = setting.value else { return nil }
    let reference = try field.resolve(in: scope)
    do {
      // Files named by literals were checked before the run.
      let path = try scope.fileAccess.path(of: reference, at: field.range, isToBeRead: field.literal == nil)
      return Text(path, isSecret: reference.path.isSecret)
    } catch {
      throw TemplateError(error, at: field.range)
    }
  }

  private func socketPath(_ reference: FileReference, beside range: SourceRange) -> Text {
    let path = reference.path
    if reference.isFromCommand || path.string.hasPrefix("/") || path.string.hasPrefix("@") { return path }
    let folder = parentDirectory(of: range.source.name)
    return folder == "." ? path : Text(folder + "/") + path
  }

  // MARK: proxies

  private func environmentProxies() throws(TemplateError) -> ProxyRules? {
    switch scope.environment.proxies {
    case .success(let rules): return rules
    case .failure(let error): throw error.templateError
    }
  }

  private func resolvedProxies(
    _ settings: ProxySettings, _ result: inout ResolvedConnection
  ) throws(TemplateError) -> ProxyRules? {
    var exceptions: ProxyExceptions?
    if let given = try settings.exceptions.value?.resolve(in: scope) {
      exceptions = ProxyExceptions(given.flatMap(\.content))
      result.proxyExceptions = given.enumerated().reduce(Text("")) { list, item in
        list + Text(item.offset > 0 ? "," : "") + item.element.text
      }
    }
    guard let choice = try settings.url.value?.resolve(in: scope) else {
      guard let exceptions else { return try environmentProxies() }
      do throws(ProxyVariableProblem) {
        return try ProxyRules.environment(exceptions: exceptions) { scope.environment.environmentVariable($0) }
      } catch {
        throw error.templateError
      }
    }
    guard case .proxy(let written) = choice else {
      result.isProxyOff = true
      return nil
    }
    var proxy = written.content
    result.proxyURL = written.text
    result.proxyUsername = proxy.username.map { Text($0) }
    if let username = try settings.username.value?.resolve(in: scope) {
      proxy.username = username.string
      result.proxyUsername = username
    }
    if let password = try settings.password.value?.resolve(in: scope) { proxy.password = password.string }
    if settings.username.value == nil, proxy.password == nil {
      result.proxyUsername = proxy.username.map { Text(secret: $0) }
    }
    proxy.authentication = try settings.authentication.value?.resolve(in: scope) ?? .basic
    proxy.tunnels = try settings.tunnel.value?.resolve(in: scope) ?? false
    result.proxy = proxy
    return ProxyRules(proxy, exceptions: exceptions ?? ProxyExceptions())
  }
}

extension ProxyVariableProblem {
  fileprivate var templateError: TemplateError {
    TemplateError(
      "the environment variable \(variable) names no proxy: \(problem.message)",
      help: problem.help ?? "fix the variable, or write `proxy: none`")
  }
}

extension ClientCertificate.Format {
  /// The encoding by the file's extension.
  package init(ofPath path: String) {
    let name = path.lowercased()
    self = name.hasSuffix(".p12") || name.hasSuffix(".pfx") ? .p12 : name.hasSuffix(".der") ? .der : .pem
  }
}
