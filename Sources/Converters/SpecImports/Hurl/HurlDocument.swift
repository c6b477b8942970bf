/// An entry of a Hurl file: a request, and what its response must be.
struct HurlEntry {
  typealias Pair = ImportedRequest.Pair

  struct Option {
    let name: String
    let value: ImportedText
    let source: String
  }

  /// The comments directly above the request, and those within the entry.
  var comments: [String] = []
  var innerComments: [String] = []
  /// The request, without what sections and options add.
  var request = ImportedRequest(url: ImportedText())
  var query: [Pair] = []
  var form: [Pair] = []
  var multipart: [ImportedRequest.Part] = []
  var options: [Option] = []
  var response: HurlResponse?
  /// The names of variables that the entry reads.
  var names: Set<String> = []
}

struct HurlResponse {
  /// The version, such as `1.1`; nil if any is accepted.
  var version: String?
  /// Nil if any is accepted.
  var status: Int?
  var headers: [ImportedRequest.Pair] = []
  var captures: [HurlCapture] = []
  var asserts: [HurlAssert] = []
  var body: ImportedRequest.Body?
}

struct HurlCapture {
  let name: String
  let query: HurlQuery
  let filters: [HurlFilter]
  let isSecret: Bool
  let source: String
}

struct HurlAssert {
  let query: HurlQuery
  let filters: [HurlFilter]
  let predicate: HurlPredicate
  let source: String
}

struct HurlQuery: Hashable {
  /// The word, such as `jsonpath`.
  let word: String
  let argument: HurlOperand?
}

struct HurlFilter: Hashable {
  /// The word, such as `nth`.
  let word: String
  let arguments: [HurlOperand]
}

struct HurlPredicate {
  /// The word, such as `==` or `startsWith`.
  let word: String
  let isNegated: Bool
  let operand: HurlOperand?
}

enum HurlOperand: Hashable {
  case null
  case bool(Bool)
  /// A number as it is written.
  case number(String)
  case text(ImportedText)
  /// A placeholder without quotes, whose value keeps its type.
  case value(ImportedText)
  case regex(String)
  case bytes([UInt8])
  case file(ImportedText)
}

extension HurlQuery {
  /// The name of a header.
  var header: String? {
    if word == "header", case .text(let name)? = argument { name.literal } else { nil }
  }
}

extension HurlAssert {
  /// The names of variables that it reads.
  var names: Set<String> {
    let operands = [query.argument, predicate.operand] + filters.flatMap(\.arguments)
    return operands.reduce(into: []) { names, operand in
      switch operand {
      case .text(let text)?, .value(let text)?, .file(let text)?: names.formUnion(text.readVariables)
      default: break
      }
      if query.word == "variable", case .text(let name)? = query.argument { names.insert(name.source) }
    }
  }
}
