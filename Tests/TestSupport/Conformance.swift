import Foundation

/// The folder of conformance suites; nil where the tests run without them.
package let conformanceRoot: String? = ProcessInfo.processInfo.environment["REQRUN_CONFORMANCE"]
