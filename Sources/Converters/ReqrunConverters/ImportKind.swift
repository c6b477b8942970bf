import ReqrunKit
import SpecImports

/// A kind of import, by the tool whose files it reads.
public struct ImportKind: Sendable {
  let format: ImportFormat

  /// The name by which the command line asks for it.
  public var name: String { format.rawValue }
  /// One line for help.
  public var summary: String { format.summary }

  /// All kinds.
  public static let all = ImportFormat.allCases.map { ImportKind(format: $0) }
}

extension ImportFormat {
  package var reader: ImportReader {
    switch self {
    case .curl: .curl
    case .har: .har
    case .postman: .postman
    case .insomnia: .insomnia
    case .openapi: .openapi
    case .http: .http
    case .hurl: .hurl
    case .bruno: .bruno
    }
  }
}
