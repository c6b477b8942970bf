import RunReports

extension Report {
  /// The report of `send`: the exchange itself.
  ///
  /// - Parameters:
  ///   - output: receives the exchange.
  ///   - diagnostics: receives problems and failures.
  package static func response(
    _ options: ResponseOptions, output: @escaping @Sendable ([UInt8]) -> Void,
    diagnostics: @escaping @Sendable ([UInt8]) -> Void
  ) -> Report {
    Report { _ in ResponseReport(options: options, output: output, errorOutput: diagnostics) }
  }

  /// Keeps the last response.
  package static func keeping(_ response: LastResponse) -> Report { Report { _ in response } }
}
