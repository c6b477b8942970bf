import Values

extension JSONReport {
  /// The JSON Schema (draft-07) of the document.
  package static let schema: String = {
    typealias Records = JSONReportRecords
    let file = joined(
      Records.fileStart.shape,
      .keys([.init("steps", "The steps, in the order of their ends", stepShape())], needed: ["steps"]),
      Records.fileEnd.shape)
    let files = ValueShape.Key("files", "The runs of files, in the order of the output", .list(of: file))
    var writer = SchemaWriter()
    return writer.document(
      of: joined(Records.run.shape, .keys([files], needed: ["files"])), title: "The JSON report of reqrun")
  }()

  private static func stepShape() -> ValueShape {
    .list(
      of: .any([
        .named("step") { joined(JSONReportRecords.step.shape, .keys([hops(), moreHops(), innerSteps()])) },
        .named("group") {
          joined(
            JSONReportRecords.groupStart.shape, .keys([innerSteps()], needed: ["steps"]),
            JSONReportRecords.groupEnd.shape)
        },
      ]))
  }

  private static func hops() -> ValueShape.Key {
    ValueShape.Key(
      "hops", "The requests that were sent, and their responses: redirects and challenges are separate hops",
      .list(of: JSONHopRecords.hop.shape, atLeast: 1))
  }

  private static func moreHops() -> ValueShape.Key {
    ValueShape.Key("more_hops", "The number of hops that are left out before the last 20", .integer(1...Int.max))
  }

  private static func innerSteps() -> ValueShape.Key {
    ValueShape.Key("steps", "The steps within this one", stepShape())
  }

  /// An object with the members of several.
  private static func joined(_ shapes: ValueShape...) -> ValueShape {
    var keys: [ValueShape.Key] = []
    var needed: [String] = []
    for case .keys(let more, let moreNeeded) in shapes {
      keys += more
      needed += moreNeeded
    }
    return .keys(keys, needed: needed)
  }
}
