/// A part of a spec that another tool can't say.
package struct ExportRemark: Sendable, Hashable {
  /// The place, such as `a.yaml:3`.
  package let place: String
  /// The reason, the same for all parts of its kind.
  package let reason: String
  /// The part, such as the name of the request.
  package let detail: String
  /// Indicates whether a request is left out.
  package let isOmission: Bool

  package init(place: String, reason: String, detail: String) {
    (self.place, self.reason, self.detail, isOmission) = (place, reason, detail, false)
  }

  /// - Parameter reason: the reason why a request is left out.
  package init(place: String, omission reason: String, detail: String) {
    (self.place, self.reason, self.detail, isOmission) = (place, "left out: \(reason)", detail, true)
  }

  package var text: String { "\(place): \(detail): \(reason)" }
}

/// Remarks, each once.
package struct ExportRemarks: Sendable {
  package private(set) var all: [ExportRemark] = []
  private var known: Set<ExportRemark> = []

  package init() {}

  package mutating func add(_ remark: ExportRemark) {
    if known.insert(remark).inserted { all.append(remark) }
  }
}

extension [ExportRemark] {
  mutating func add(_ reason: String, _ request: ExportedRequest) {
    append(ExportRemark(place: request.place, reason: reason, detail: request.label))
  }

  mutating func leaveOut(_ request: ExportedRequest, _ reason: String) {
    append(ExportRemark(place: request.place, omission: reason, detail: request.label))
  }
}
