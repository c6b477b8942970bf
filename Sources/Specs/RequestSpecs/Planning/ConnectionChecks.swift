import HTTPSemantics
import Values

/// Checks of the merged connection settings before sending.
struct ConnectionChecks {
  let settings: ConnectionSettings

  func run(into bag: inout DiagnosticBag) {
    checkCertificate(into: &bag)
    checkVersions(into: &bag)
    checkProxy(into: &bag)
  }

  private func checkCertificate(into bag: inout DiagnosticBag) {
    guard settings.tls.certificate.value == nil else { return }
    let lonely = [
      ("key", settings.tls.key.value?.range), ("passphrase", settings.tls.passphrase.value?.range),
      ("format", settings.tls.format.value?.range),
    ]
    for case (let name, let range?) in lonely {
      bag.error(
        .orphanedKey, "`\(name)` belongs to a certificate, and there is no `cert`", at: range, help: "add `cert: …`")
    }
  }

  private func checkVersions(into bag: inout DiagnosticBag) {
    guard let lowest = settings.tls.minVersion.value, let highest = settings.tls.maxVersion.value,
      let least = lowest.literal, let most = highest.literal, most < least
    else { return }
    bag.error(
      .conflictingKeys, "no version of TLS is at least \(least.rawValue) and at most \(most.rawValue)",
      at: highest.range, notes: [Diagnostic.Note("the least stands here", at: lowest.range)])
  }

  private func checkProxy(into bag: inout DiagnosticBag) {
    let proxy = settings.proxy
    let details = [
      ("username", proxy.username.value?.range), ("password", proxy.password.value?.range),
      ("auth", proxy.authentication.value?.range), ("tunnel", proxy.tunnel.value?.range),
    ]
    for case (let name, let range?) in details {
      guard let url = proxy.url.value else {
        bag.error(.orphanedKey, "`\(name)` belongs to a proxy, and there is no `url`", at: range, help: "add `url: …`")
        continue
      }
      guard case .direct? = url.literal else { continue }
      bag.error(
        .orphanedKey, "`\(name)` belongs to a proxy, and there is none", at: range,
        notes: [Diagnostic.Note("the proxy is switched off here", at: url.range)])
    }
    guard let url = proxy.url.value, let socket = settings.unixSocket.value else { return }
    if case .direct? = url.literal { return }
    let help =
      url.isFromCommand
      ? "leave out --proxy" : socket.isFromCommand ? "add --proxy none" : "write `proxy: none` beside it"
    bag.error(
      .conflictingKeys, "a request goes through a proxy or to a Unix domain socket, not both", at: socket.range,
      notes: [Diagnostic.Note("the proxy stands here", at: url.range)], help: help)
  }
}

/// Warns once per file that certificates aren't checked.
func warnOfUncheckedCertificates(_ requests: [PlannedRequest], into bag: inout DiagnosticBag) {
  for request in requests {
    // Options on the command line are reported once for the run.
    guard let field = request.settings.connection?.tls.verify.value, field.literal == false, !field.isFromCommand else {
      continue
    }
    bag.warning(
      .uncheckedCertificate, "certificates are not checked", at: field.range, help: "name the issuer to trust with `ca`"
    )
    return
  }
}

/// Checks before a run that the files of certificates and keys can be read, as far as their names are literals.
func checkConnectionFiles(
  _ requests: [PlannedRequest], into bag: inout DiagnosticBag,
  _ problem: (FileReference, SourceRange) -> DecodingProblem?
) {
  var known: Set<SourceRange> = []
  for request in requests {
    let tls = request.settings.connectionBox?.content.tls
    var fields = [tls?.certificateAuthorities.value, tls?.certificate.value, tls?.key.value].compactMap { $0 }
    if case .oauth2(let spec)? = request.settings.auth.value, case .file(let path)? = spec.assertion?.key {
      fields.append(path)
    }
    for field in fields {
      guard let reference = field.literal, known.insert(field.range).inserted else { continue }
      if let problem = problem(reference, field.range) {
        bag.error(problem.code, problem.message, at: field.range, help: problem.help)
      }
    }
  }
}

extension Field {
  /// Indicates whether the setting is from the command line.
  fileprivate var isFromCommand: Bool { range.source.name.hasPrefix("--") }
}
