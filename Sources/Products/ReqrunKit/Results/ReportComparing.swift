import RunReports
import Values

/// The differences between two runs.
public struct RunComparison: Sendable {
  /// A kind of difference.
  public enum Kind: String, Sendable, CaseIterable {
    /// Requests that fail, and did not before.
    case failing
    /// Requests that failed, and don't any more.
    case fixed
    /// Requests that take more than the given ratio of their earlier time.
    case slower
    /// Responses of another JSON structure, status or content type.
    case shape
    /// Requests that did not run before.
    case new
    /// Requests that did not run again.
    case gone
  }

  /// The differences for people; empty if the reports can't be read.
  public let text: String
  /// The reason why the reports can't be compared, or warnings.
  public let diagnostics: [Diagnostic]
  /// 1 if there are differences of the kinds that were asked for, 2 if an ignored part is invalid, 5 if the reports
  /// can't be read, 0 otherwise.
  public let exitCode: Int32
}

extension Runner {
  /// Compares two runs by their JSON reports.
  ///
  /// - Parameters:
  ///   - old: the path of the report of the earlier run.
  ///   - new: the path of that of the later one.
  ///   - ratio: the ratio of times above which a request is slower.
  ///   - kinds: the kinds of differences that fail.
  ///   - ignored: the parts of responses that are not compared: JSONPaths, `status`, `content-type`.
  public func compare(
    report old: String, with new: String, slower ratio: Double = 2, failingOn kinds: Set<RunComparison.Kind> = [],
    ignoring ignored: [String] = []
  ) -> RunComparison {
    let parts: IgnoredParts
    do throws(Values.Diagnostic) {
      parts = try IgnoredParts(ignored)
    } catch {
      return RunComparison(text: "", diagnostics: [Diagnostic(error)], exitCode: 2)
    }
    do throws(Values.Diagnostic) {
      let comparison = try ReportComparison(of: old, with: new, ratio: ratio, ignoring: parts)
      let fails = comparison.has(Set(kinds.compactMap { ReportComparison.Kind(rawValue: $0.rawValue) }))
      return RunComparison(
        text: comparison.text(isColored: options.isColored), diagnostics: comparison.warnings.map { Diagnostic($0) },
        exitCode: fails ? 1 : 0)
    } catch {
      return RunComparison(text: "", diagnostics: [Diagnostic(error)], exitCode: 5)
    }
  }
}
