import Foundation

/// The folder of the conformance suites; nil where the environment names none.
package let conformanceRoot: String? = ProcessInfo.processInfo.environment["REQRUN_CONFORMANCE"]
