import Foundation

package let conformanceRoot: String? = ProcessInfo.processInfo.environment["REQRUN_CONFORMANCE"]
