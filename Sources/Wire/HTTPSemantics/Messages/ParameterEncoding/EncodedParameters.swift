import Values

/// Encoded parameters: the parts of a request that they change.
package struct EncodedParameters: Sendable, Hashable {
  /// The text to append to the URL's query.
  package var query: Text?
  package var body: Text?
  /// The content type to send, unless the request has one of its own.
  package var contentType: String?

  package init(query: Text? = nil, body: Text? = nil, contentType: String? = nil) {
    self.query = query
    self.body = body
    self.contentType = contentType
  }

  package static let formContentType = "application/x-www-form-urlencoded; charset=utf-8"
  package static let jsonContentType = "application/json"
}

/// The reason why parameters cannot be encoded.
package struct ParameterEncodingError: Error, Sendable, Hashable {
  package let message: String
}

/// Encodes `parameters` as the options say; an empty mapping in the body still sets the content type.
package func encode(
  parameters: Mapping, method: String, options: EncodingOptions
) throws(ParameterEncodingError) -> EncodedParameters {
  switch options.format {
  case .json:
    guard options.destination != .query else {
      throw ParameterEncodingError(
        message: "JSON parameters go into the body: write \"format: form\" or leave \"destination: query\" away")
    }
    return EncodedParameters(
      body: jsonBody(.mapping(parameters), options: options), contentType: EncodedParameters.jsonContentType)
  case .form:
    let encoded = URLEncodedFormEncoder(options: options).encode(parameters)
    return options.destination.isQuery(method: method)
      ? EncodedParameters(query: encoded)
      : EncodedParameters(body: encoded, contentType: EncodedParameters.formContentType)
  }
}

extension EncodingOptions.Destination {
  /// Returns whether parameters go to the query with this method, regardless of letter case.
  package func isQuery(method: String) -> Bool {
    switch self {
    case .methodDependent: ["GET", "HEAD", "DELETE"].contains(method.uppercased())
    case .query: true
    case .body: false
    }
  }
}

/// The URL with an extended query: joined to the existing one by `&`, before the fragment. An empty query changes
/// nothing.
package func appendingQuery(_ query: Text, to url: Text) -> Text {
  guard !query.isEmpty else { return url }
  let bytes = url.string.utf8
  let end = bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.endIndex
  let hasQuery = bytes[..<end].contains(UInt8(ascii: "?"))
  let offset = bytes.distance(from: bytes.startIndex, to: end)
  var result = url[utf8: 0..<offset]
  result.append(hasQuery ? "&" : "?")
  result.append(query)
  result.append(url[utf8: offset..<bytes.count])
  return result
}
