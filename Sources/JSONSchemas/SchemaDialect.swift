/// Which keywords a schema knows, and what they mean.
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
  /// Whether a schema may lead back to itself without going deeper into the instance; it then asks nothing more.
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
    // What draft 7 added to draft 6 takes nothing away.
    case "http://json-schema.org/draft-07/schema", "https://json-schema.org/draft-07/schema",
      "http://json-schema.org/draft-06/schema", "https://json-schema.org/draft-06/schema":
      .draft7
    case "http://json-schema.org/draft-04/schema", "https://json-schema.org/draft-04/schema": .draft4
    case "https://spec.openapis.org/oas/3.1/dialect/base": .openAPI31
    default: nil
    }
  }

  /// Whether `exclusiveMinimum` and `exclusiveMaximum` are flags beside a bound, and what came later is not known.
  var isOfDraft4: Bool { version <= .openAPI30 }
  var ignoresSiblingsOfReferences: Bool { version <= .draft7 }
  var asserts: Bool { vocabularies.contains(.validation) }
}

/// How schemas are read.
package struct SchemaOptions: Sendable, Hashable {
  /// What `format` is.
  package enum FormatMode: String, Sendable, Hashable, CaseIterable {
    /// A text of another form fails.
    case assertion
    /// It says what is meant, and nothing fails; the default of draft 2020-12's letter.
    case annotation
  }

  /// Where no `$schema` says otherwise.
  package var dialect: SchemaDialect
  package var format: FormatMode

  package init(dialect: SchemaDialect = .draft202012, format: FormatMode = .assertion) {
    self.dialect = dialect
    self.format = format
  }
}
