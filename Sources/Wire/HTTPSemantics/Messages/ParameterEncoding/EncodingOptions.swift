import Values

/// Options for encoding parameters: the keys of `encoding` in the file format.
package struct EncodingOptions: Sendable, Hashable {
  package enum Format: String, Sendable, Hashable, CaseIterable { case form, json }

  /// The destination of parameters. By method, GET, HEAD and DELETE have them in the query, all others in the body.
  package enum Destination: String, Sendable, Hashable, CaseIterable {
    case methodDependent = "method_dependent"
    case query
    case body
  }

  package enum ArrayEncoding: String, Sendable, Hashable, CaseIterable {
    /// `a=1&a=2`
    case noBrackets = "no_brackets"
    /// `a[]=1&a[]=2`
    case brackets
    /// `a[0]=1&a[1]=2`
    case indexInBrackets = "index_in_brackets"
  }

  package enum BoolEncoding: String, Sendable, Hashable, CaseIterable {
    /// `true` and `false`
    case literal
    /// `1` and `0`
    case numeric
  }

  package enum DataEncoding: String, Sendable, Hashable, CaseIterable {
    /// One base64 text; a hash is written in hexadecimal digits.
    case base64
    /// A list of numbers.
    case bytes
  }

  package enum DateEncoding: Sendable, Hashable {
    /// `2024-05-01T10:00:00Z`: whole seconds, as Foundation's ISO 8601 strategy writes it.
    case iso8601
    case secondsSince1970
    case millisecondsSince1970
    /// Alamofire's `deferredToDate`.
    case secondsSince2001
    case formatted(DatePattern)
  }

  /// Applies to a form's whole flattened key, such as `user[firstName]`.
  package enum KeyEncoding: String, Sendable, Hashable, CaseIterable {
    case unchanged
    case snakeCase = "snake_case"
    case kebabCase = "kebab_case"
    case capitalized
    case uppercased
    case lowercased
  }

  package enum KeyPathEncoding: String, Sendable, Hashable, CaseIterable {
    /// `a[b]=1`
    case brackets
    /// `a.b=1`
    case dots
  }

  package enum NilEncoding: String, Sendable, Hashable, CaseIterable {
    case dropKey = "drop_key"
    /// `a=`
    case dropValue = "drop_value"
    /// `a=null`
    case null
  }

  package enum SpaceEncoding: String, Sendable, Hashable, CaseIterable {
    /// `%20`
    case percent
    /// `+`
    case plus
  }

  package var format: Format
  package var destination: Destination
  package var arrayEncoding: ArrayEncoding
  package var boolEncoding: BoolEncoding
  package var dataEncoding: DataEncoding
  package var dateEncoding: DateEncoding
  package var keyEncoding: KeyEncoding
  package var keyPathEncoding: KeyPathEncoding
  package var nilEncoding: NilEncoding
  package var spaceEncoding: SpaceEncoding
  /// Indicates whether to sort a form's pairs by their text at every level, and a JSON object's members by their names.
  package var sort: Bool
  package var json: JSONLayout
  /// Indicates whether JSON text has `\/` for `/`, as `JSONEncoder` writes it by default. No key of the format sets it.
  package var escapesSlashes: Bool

  package init(
    format: Format = .form, destination: Destination = .methodDependent, arrayEncoding: ArrayEncoding = .noBrackets,
    boolEncoding: BoolEncoding = .literal, dataEncoding: DataEncoding = .base64,
    dateEncoding: DateEncoding = .iso8601, keyEncoding: KeyEncoding = .unchanged,
    keyPathEncoding: KeyPathEncoding = .brackets, nilEncoding: NilEncoding = .dropKey,
    spaceEncoding: SpaceEncoding = .percent, sort: Bool = false, json: JSONLayout = .compact,
    escapesSlashes: Bool = false
  ) {
    self.format = format
    self.destination = destination
    self.arrayEncoding = arrayEncoding
    self.boolEncoding = boolEncoding
    self.dataEncoding = dataEncoding
    self.dateEncoding = dateEncoding
    self.keyEncoding = keyEncoding
    self.keyPathEncoding = keyPathEncoding
    self.nilEncoding = nilEncoding
    self.spaceEncoding = spaceEncoding
    self.sort = sort
    self.json = json
    self.escapesSlashes = escapesSlashes
  }

  /// reqrun's own defaults.
  package static let standard = EncodingOptions()

  /// The defaults of Alamofire's encoders: `encoding: alamofire`.
  package static let alamofire = EncodingOptions(
    arrayEncoding: .brackets, boolEncoding: .numeric, dateEncoding: .secondsSince2001, sort: true, escapesSlashes: true)
}

extension EncodingOptions.DateEncoding {
  /// The encodings with a name of one word; a pattern is written as a mapping instead.
  package static let named: [(word: String, encoding: EncodingOptions.DateEncoding)] = [
    ("iso8601", .iso8601), ("seconds_since_1970", .secondsSince1970),
    ("milliseconds_since_1970", .millisecondsSince1970), ("seconds_since_2001", .secondsSince2001),
  ]

  package static var words: [String] { named.map(\.word) }

  /// The encoding with a name in the file format.
  package init?(rawValue: String) {
    guard let found = Self.named.first(where: { $0.word == rawValue }) else { return nil }
    self = found.encoding
  }
}
