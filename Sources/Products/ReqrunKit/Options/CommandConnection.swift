import HTTPSemantics
import OperatingSystem
import RequestSpecs
import SpecExecution
import Values

/// Converts the command line's connection options to a layer of settings, decoded like those of specs.
struct CommandConnection {
  private let overrides: ConnectionOverrides
  /// The options as sources for diagnostics.
  private(set) var sources: [SourceText] = []

  init(_ overrides: ConnectionOverrides) {
    self.overrides = overrides
  }

  /// Nil if the command line has none, or invalid ones.
  mutating func settings(into bag: inout DiagnosticBag) -> ConnectionSettings? {
    var settings = ConnectionSettings()
    var own = DiagnosticBag()
    var isEmpty = true
    func set<Output>(_ setting: inout Setting<Field<Output>>, _ field: Field<Output>?) {
      guard let field else { return }
      setting = .given(field)
      isEmpty = false
    }
    if overrides.insecure {
      set(&settings.tls.verify, Field(literal: false, range: place("insecure", "")))
      own.warning(.uncheckedCertificate, "certificates are not checked (--insecure)", at: nil)
    }
    set(&settings.tls.certificateAuthorities, file("cacert", overrides.cacert, &own))
    if let certificate = file("cert", overrides.cert, &own) {
      // A spec's key for another certificate doesn't belong to this one.
      (settings.tls.key, settings.tls.passphrase, settings.tls.format) = (.removed, .removed, .removed)
      set(&settings.tls.certificate, certificate)
      if let passphrase = overrides.certPassphrase {
        set(
          &settings.tls.passphrase,
          Field(literal: Text(secret: passphrase), range: place("cert", "***")))
      }
    }
    set(&settings.tls.key, file("key", overrides.key, &own))
    if let proxy = field("proxy", overrides.proxy, .proxy, &own) {
      settings.proxy = .removed
      set(&settings.proxy.url, proxy)
    }
    set(&settings.proxy.exceptions, field("noproxy", overrides.noProxy, .list(of: .proxyExceptions), &own))
    set(&settings.resolve, list("resolve", overrides.resolve, .addressOverride, &own))
    set(&settings.connectTo, list("connect-to", overrides.connectTo, .connectTo, &own))
    if let socket = field("unix-socket", overrides.unixSocket, .socketPath, &own)?.literal?.path {
      set(
        &settings.unixSocket,
        Field(
          literal: FileReference(socket, isFromCommand: true),
          range: place("unix-socket", socket.string)))
    }
    set(&settings.addressFamily, field("ipv\(overrides.ipVersion ?? "")", overrides.ipVersion, .ipVersion, &own))
    set(&settings.httpVersion, field("http-version", overrides.httpVersion, .wordOrNumber(), &own))
    bag.add(contentsOf: own.diagnostics)
    return isEmpty || own.hasErrors ? nil : settings
  }

  private mutating func place(_ option: String, _ text: String) -> SourceRange {
    let source = SourceText(name: "--\(option)", text: text)
    sources.append(source)
    return SourceRange(source, 0..<source.utf8.count)
  }

  private mutating func field<Output>(
    _ option: String, _ text: String?, _ decoder: ValueDecoder<Output>, _ bag: inout DiagnosticBag
  ) -> Field<Output>? {
    guard let text else { return nil }
    return field(option, .text(Text(text)), shown: text, decoder, &bag)
  }

  private mutating func list<Item>(
    _ option: String, _ texts: [String], _ decoder: ValueDecoder<Item>, _ bag: inout DiagnosticBag
  ) -> Field<[Item]>? {
    guard !texts.isEmpty else { return nil }
    for text in texts {
      do throws(DecodingProblem) {
        _ = try decoder.decode(.text(Text(text)))
      } catch {
        bag.error(.invalidOption, "--\(option) \(text): \(error.message)", at: nil, help: error.help)
        return nil
      }
    }
    return field(
      option, .list(texts.map { .text(Text($0)) }), shown: texts.joined(separator: " "), .list(of: decoder), &bag)
  }

  private mutating func field<Output>(
    _ option: String, _ value: Value, shown: String, _ decoder: ValueDecoder<Output>, _ bag: inout DiagnosticBag
  ) -> Field<Output>? {
    do throws(DecodingProblem) {
      let place = place(option, shown)
      return Field(literal: try decoder.decode(value), range: place)
    } catch {
      bag.error(.invalidOption, "--\(option): \(error.message)", at: nil, help: error.help)
      return nil
    }
  }

  private mutating func file(_ option: String, _ path: String?, _ bag: inout DiagnosticBag) -> Field<FileReference>? {
    guard let path else { return nil }
    guard let absolute = canonicalPath(path) else {
      bag.error(
        .missingFile, "--\(option): there is no file \"\(path)\"", at: nil, help: MissingFile(path, in: ".").help)
      return nil
    }
    if case .failure(let problem) = readFile(absolute, limit: 64 << 20) {
      bag.error(.unreadableFile, "--\(option): \"\(path)\" cannot be read: \(problem.reason)", at: nil)
      return nil
    }
    return Field(
      literal: FileReference(Text(absolute), isFromCommand: true), range: place(option, path))
  }
}
