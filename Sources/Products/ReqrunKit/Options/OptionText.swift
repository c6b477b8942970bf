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

  /// The JSON Schema (draft-07) of a listing as JSON.
  public static var listingSchema: String { ListingReport.schema }
}
