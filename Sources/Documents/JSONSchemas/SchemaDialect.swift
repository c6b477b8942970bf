/// The keywords of a schema and their meanings.
package struct SchemaDialect: Sendable, Hashable {
  enum Version: Int, Comparable {
    case draft4, openAPI30, draft7, draft2019, draft2020

    static func < (left: Version, right: Version) -> Bool { left.rawValue < right.rawValue }
  }

  /// Vocabularies of drafts 2019-09 and 2020-12 that a meta-schema may leave out.
  struct Vocabularies: OptionSet, Hashable {
    let rawValue: UInt8

    static let applicator = Vocabularies(rawValue: 1)
    static let validation = Vocabularies(rawValue: 2)
    static let unevaluated = Vocabularies(rawValue: 4)
    static let formatAssertion = Vocabularies(rawValue: 8)

    static let standard: Vocabularies = [.applicator, .validation, .unevaluated]
  }

  var version: Version
  var vocabularies: Vocabularies = .standard
  /// Indicates whether a schema may refer back to itself without descending into the instance; it then has no further
  /// effect.
  ///
  /// OpenAPI documents do so: a base names its variants in `oneOf`, and they have the base in `allOf`.
  var allowsCircles = false

  package static let draft202012 = SchemaDialect(version: .draft2020)
  package static let draft201909 = SchemaDialect(version: .draft2019)
  package static let draft7 = SchemaDialect(version: .draft7)
  package static let draft4 = SchemaDialect(version: .draft4)
  /// The Schema Object of OpenAPI 3.0: `nullable`, boolean `exclusiveMinimum`, nothing beside `$ref`.
  package static let openAPI30 = SchemaDialect(version: .openAPI30, allowsCircles: true)
  /// The base dialect of OpenAPI 3.1.
  package static let openAPI31 = SchemaDialect(version: .draft2020, allowsCircles: true)

  /// The dialect that a `$schema` of the standards names.
  static func named(_ url: String) -> SchemaDialect? {
    switch url.hasSuffix("#") ? String(url.dropLast()) : url {
    case "https://json-schema.org/draft/2020-12/schema": .draft202012
    case "https://json-schema.org/draft/2019-09/schema": .draft201909
    // Draft 7 only adds to draft 6.
    case "http://json-schema.org/draft-07/schema", "https://json-schema.org/draft-07/schema",
      "http://json-schema.org/draft-06/schema", "https://json-schema.org/draft-06/schema":
      .draft7
    case "http://json-schema.org/draft-04/schema", "https://json-schema.org/draft-04/schema": .draft4
    case "https://spec.openapis.org/oas/3.1/dialect/base": .openAPI31
    default: nil
    }
  }

  /// Indicates whether `exclusiveMinimum` and `exclusiveMaximum` are flags beside a bound, and later keywords are
  /// unknown.
  var isOfDraft4: Bool { version <= .openAPI30 }
  var ignoresSiblingsOfReferences: Bool { version <= .draft7 }
  var asserts: Bool { vocabularies.contains(.validation) }
}

/// Options for reading schemas.
package struct SchemaOptions: Sendable, Hashable {
  /// The role of `format`.
  package enum FormatMode: String, Sendable, Hashable, CaseIterable {
    /// A text that doesn't match fails.
    case assertion
    /// An annotation without effect; the default of draft 2020-12.
    case annotation
  }

  /// The dialect without `$schema`.
  package var dialect: SchemaDialect
  package var format: FormatMode

  package init(dialect: SchemaDialect = .draft202012, format: FormatMode = .assertion) {
    self.dialect = dialect
    self.format = format
  }
}
