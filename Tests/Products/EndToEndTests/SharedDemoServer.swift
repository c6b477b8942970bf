import DemoServer

/// The demo API that all cases share; it ends with the tests.
enum SharedDemoServer {
  private static let server = Result { try DemoAPI.start() }

  /// `http://127.0.0.1:port`
  static func address() throws -> String { try server.get().address }
}
