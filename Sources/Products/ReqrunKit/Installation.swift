import LocalServer
import CurlTransport
import DemoServer
import DocumentQueries
import HTTPSemantics
import OperatingSystem
import SpecExecution
import Transfers
import Values

/// The parts of an installation, and what is missing for what.
public struct Installation: Sendable {
  /// A part: a library, a program, a setting of the system.
  public struct Part: Sendable {
    /// The state of a part.
    public enum State: Sendable {
      /// Usable.
      case usable
      /// Missing, and a feature with it.
      case missing
      /// Missing or wrong, so that nothing can be sent.
      case needed
    }

    /// The name of the part.
    public let name: String
    /// The state of the part.
    public let state: State
    /// The details: a version, a path, or the feature that is missing.
    public let text: String
    /// The remedy, where there is one.
    public let help: String?
  }

  /// All parts.
  public let parts: [Part]

  /// The exit code: 0, or 1 if nothing can be sent.
  public var exitCode: Int32 { parts.contains { $0.state == .needed } ? 1 : 0 }

  /// The parts as text, a line each.
  public var text: String {
    let width = (parts.map(\.name.count).max() ?? 0) + 2
    let lines = parts.map { part in
      let mark =
        switch part.state {
        case .usable: "✓"
        case .missing: "-"
        case .needed: "✗"
        }
      let name = part.name + String(repeating: " ", count: width - part.name.count)
      let help = part.help.map { "\n  " + String(repeating: " ", count: width) + "= help: \($0)" } ?? ""
      return "\(mark) \(name)\(part.text)\(help)"
    }
    return sanitizedForTerminal(lines.joined(separator: "\n") + "\n", keepingLineBreaks: true)
  }
}

extension Runner {
  /// Looks at the installation: libraries, the worker, certificates, proxies, the locale.
  public static func installation() -> Installation {
    var parts: [Installation.Part] = []
    let add: Add = { parts.append(Installation.Part(name: $0, state: $1, text: $2, help: $3)) }
    add("reqrun", .usable, version, nil)
    addTransports(add)
    addIssuers(add)
    addProxies(add)
    let converter = InstalledConverter()
    func addPart(_ name: String, _ text: String?, missing: String, help: String) {
      add(name, text == nil ? .missing : .usable, text ?? missing, text == nil ? help : nil)
    }
    func addLibrary(_ name: String, _ library: String, _ isHere: Bool, missing: String, package: String) {
      addPart(
        name, isHere ? library : nil, missing: "\(missing): \(library) is not installed",
        help: "install it (Debian: \(package))")
    }
    addPart("import and export", converter.path, missing: converter.problem, help: InstalledConverter.help)
    addPart(
      "public suffixes", PublicSuffixes.versionText,
      missing: "without libpsl, a cookie is refused for a domain of one label only",
      help: "install libpsl (Debian: libpsl5)")
    addLibrary("XML and HTML", "libxml2", isXMLSupported, missing: "no XPath", package: "libxml2")
    addLibrary(
      "zip archives", "libarchive", archiveProblem() == nil, missing: "no `unzip` of downloads",
      package: "libarchive13")
    addLibrary(
      "demo server", "libmicrohttpd", HTTPServer.isSupported, missing: "no `demo`, `mock` and `record`",
      package: "libmicrohttpd12")
    addPart(
      "time zones", areTimeZonesNamed ? "by name" : nil, missing: "no names such as Europe/Paris",
      help: "install the system's database (Debian: tzdata)")
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environmentSetting($0) }.first ?? "C"
    add(
      "locale", .usable,
      locale + (locale.uppercased().contains("UTF") ? "" : ": output is UTF-8 all the same"), nil)
    return Installation(parts: parts)
  }

  private typealias Add = (String, Installation.Part.State, String, String?) -> Void

  private static func addTransports(_ add: Add) {
    if let problem = LibcurlTransport.problem {
      #if os(Linux)
        add("libcurl", .needed, problem.message, problem.help)
      #else
        add("libcurl", .missing, problem.message, problem.help)
      #endif
    } else {
      add("libcurl", .usable, LibcurlTransport.versionText, nil)
      let missing = LibcurlTransport.features.filter { !$0.isSupported }.map(\.name)
      let present = LibcurlTransport.features.filter(\.isSupported).map(\.name)
      add("  with", .usable, present.joined(separator: ", "), nil)
      if !missing.isEmpty { add("  without", .missing, missing.joined(separator: ", "), nil) }
    }
    if let problem = urlSessionProblem() {
      add("URLSession", .missing, problem.message, problem.help)
    } else {
      let unsoundness = transportCapabilities().first { $0.kind == .urlsession }?.unsoundness
      add("URLSession", .usable, unsoundness.map { "on demand (\($0))" } ?? "the system's", nil)
    }
  }

  private static func addIssuers(_ add: Add) {
    let paths = LibcurlTransport.issuerPaths
    let found = paths.filter { pathKind($0) != .nothing }
    if found.isEmpty {
      add(
        "trusted issuers", .missing,
        paths.isEmpty ? "none: no https" : "\(paths.joined(separator: ", ")): not there: no https",
        "install ca-certificates, or set SSL_CERT_FILE")
    } else {
      add("trusted issuers", .usable, found.joined(separator: ", "), nil)
    }
  }

  private static func addProxies(_ add: Add) {
    let names = ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY"]
    let values = names.compactMap { name in environmentSetting(name).map { "\(name)=\(withoutUserinfo($0))" } }
    do throws(ProxyVariableProblem) {
      _ = try ProxyRules.environment { environmentSetting($0) }
      add("proxies", .usable, values.isEmpty ? "none" : values.joined(separator: " "), nil)
    } catch {
      add("proxies", .needed, "the variable \(error.variable) is not a proxy: \(error.problem.message)", nil)
    }
  }
}
