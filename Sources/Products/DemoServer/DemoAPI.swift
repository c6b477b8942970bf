import LocalServer
import Values

/// An API for examples and tests.
///
/// It has most of httpbin's endpoints with its JSON shapes, and a small stateful resource under `/api`; `GET /` lists
/// them all. Clients' changes last as long as the server.
package enum DemoAPI {
  /// Listens on the port; 0 is any free one.
  package static func start(port: UInt16 = 0) throws(ServerError) -> HTTPServer {
    let (routes, state) = (RouteTable.all, DemoState())
    return try HTTPServer.start("the demo server", port: port) { routes.response($0, state) }
  }
}

extension ServerResponse {
  static let nameTooLong = problem(414, "a name has at most \(DemoState.nameLengthLimit) bytes")
}

extension Value {
  static func object(_ members: [(String, Value)]) -> Value { .mapping(Mapping(members)) }
}
