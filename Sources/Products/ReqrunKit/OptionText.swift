import CurlTransport
import HTTPSemantics
import RequestSpecs
import RunReports

extension RunOptions {
  /// A duration in the format of specs, such as `500ms`; nil if the text isn't one.
  public static func duration(_ text: String) -> Duration? { parseDuration(text) }

  /// A size in bytes in the format of specs, such as `64KiB`; nil if the text isn't one.
  public static func size(_ text: String) -> Int64? { parseSize(text) }
}

extension Runner {
  /// The JSON Schema (draft-07) of spec files and project files.
  public static var formatSchema: String { FormatSchema.text }

  /// The JSON Schema (draft-07) of the JSON report.
  public static var reportSchema: String { JSONReport.schema }

  /// The JSON Schema of a line of the JSON Lines report.
  public static var eventSchema: String { JSONLinesReport.schema }

  /// The versions of libraries and the transports, for `--version`.
  public static var componentText: String {
    // The libraries that curl itself was built with are another matter.
    let suffixes = PublicSuffixes.versionText.map { " · public suffixes by \($0)" } ?? ""
    var lines = [LibcurlTransport.versionText + suffixes]
    for capabilities in transportCapabilities() {
      let soundness = capabilities.unsoundness.map { "not sound here: \($0)" } ?? "sound"
      let isMissing = capabilities.kind == .curl && !LibcurlTransport.isInstalled
      lines.append("\(capabilities.kind.rawValue): \(isMissing ? "not here" : soundness)")
    }
    return lines.joined(separator: "\n")
  }
}
