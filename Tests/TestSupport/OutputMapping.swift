import Foundation

/// Replaces what differs from run to run, so that output can be compared with a golden file.
package struct OutputMapping: Sendable {
  /// Texts and what stands for them, such as the working folder.
  private let replacements: [(text: String, placeholder: String)]

  package init(temporaryFolder: String) {
    var replacements = [(temporaryFolder, "<tmp>")]
    // macOS shows the same folder with and without its `/private`.
    if temporaryFolder.hasPrefix("/private/") { replacements.append((String(temporaryFolder.dropFirst(8)), "<tmp>")) }
    self.replacements = replacements
  }

  package func map(_ text: String) -> String {
    var text = text
    for (original, placeholder) in replacements { text = text.replacingOccurrences(of: original, with: placeholder) }
    // Ports of this machine; `file.yaml:3:5` and other hosts' ports stay.
    text.replace(/(127\.0\.0\.1|localhost|\[::1\]|0\.0\.0\.0):\d+/) { "\($0.output.1):<port>" }
    text.replace(/(127\.0\.0\.1|localhost|::1)( port )\d+/) { "\($0.output.1)\($0.output.2)<port>" }
    // A measured time has a space before its unit; `timeout: 5s` of a spec has none.
    text.replace(/\b(\d+ min )?\d+(\.\d+)? (ns|µs|ms|s|min|h)\b/) { _ in "<time>" }
    text.replace(/\b(time|duration_ms|seconds)="[0-9.e+-]+"/) { "\($0.output.1)=\"<time>\"" }
    text.replace(/\bhostname="[^"]*"/) { _ in "hostname=\"<host>\"" }
    text.replace(/(name="version" value="|"name":"reqrun","version":")\d+\.\d+\.\d+[^"]*/) { "\($0.output.1)<version>" }
    text.replace(/(name="seed" value="|"seed":")\d+/) { "\($0.output.1)<seed>" }
    text.replace(/"(dns|connect|ssl|wait|receive|onLoad)":-?[0-9.]+/) { "\"\($0.output.1)\":<time>" }
    text.replace(/("connection":")\d+/) { "\($0.output.1)<port>" }
    text.replace(/"([a-z_]*(?:duration|time|elapsed|_ms|seconds))"\s*:\s*-?[0-9][0-9.eE+-]*/) {
      "\"\($0.output.1)\": <time>"
    }
    text.replace(/\b(duration_ms: )[0-9.]+/) { "\($0.output.1)<time>" }
    text.replace(/\breqrun\/\d+\.\d+\.\d+\S*/) { _ in "reqrun/<version>" }
    text.replace(/"reqrun":"\d+\.\d+\.\d+[-+.0-9A-Za-z]*","host":"[^"]*"/) { _ in
      "\"reqrun\":\"<version>\",\"host\":\"<host>\""
    }
    return mapDates(text)
  }

  /// Instants within a day of now become `<date>`; others are part of what is tested.
  private func mapDates(_ text: String) -> String {
    var text = text
    text.replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:?\d\d)?/) { match in
      let plain = match.output.0.prefix(19).replacing(" ", with: "T")
      let date = try? Date("\(plain)Z", strategy: .iso8601)
      return isNearNow(date) ? "<date>" : String(match.output.0)
    }
    return text
  }

  private func isNearNow(_ date: Date?) -> Bool {
    date.map { abs($0.timeIntervalSinceNow) < 86_400 * 1.5 } ?? false
  }
}
