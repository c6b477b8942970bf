import DocumentQueries
import Values

/// The meta-schemas of the standard, so that schemas may refer to them (json-schema.org; BSD-3-Clause or AFL).
enum MetaSchemas {
  /// The meta-schema at a URL without a fragment; nil for any other.
  static func document(_ url: String) -> SchemaDocument? {
    guard let text = texts[url], let json = try? JSONDocument(parsing: text) else { return nil }
    return SchemaDocument(url: url, json: json, source: SourceText(name: url, utf8: text))
  }

  private static let texts = [
    "http://json-schema.org/draft-04/schema": PackageResources.draft_04_json,
    "http://json-schema.org/draft-07/schema": PackageResources.draft_07_json,
    "https://json-schema.org/draft/2020-12/schema": PackageResources.draft_2020_12_json,
    "https://json-schema.org/draft/2020-12/meta/applicator": PackageResources.applicator_json,
    "https://json-schema.org/draft/2020-12/meta/content": PackageResources.content_json,
    "https://json-schema.org/draft/2020-12/meta/core": PackageResources.core_json,
    "https://json-schema.org/draft/2020-12/meta/format-annotation": PackageResources.format_annotation_json,
    "https://json-schema.org/draft/2020-12/meta/format-assertion": PackageResources.format_assertion_json,
    "https://json-schema.org/draft/2020-12/meta/meta-data": PackageResources.meta_data_json,
    "https://json-schema.org/draft/2020-12/meta/unevaluated": PackageResources.unevaluated_json,
    "https://json-schema.org/draft/2020-12/meta/validation": PackageResources.validation_json,
  ]
}
