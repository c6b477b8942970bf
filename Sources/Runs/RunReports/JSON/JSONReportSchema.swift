import Values

extension JSONReport {
  /// The JSON Schema (draft-07) of the document.
  package static let schema: String = {
    typealias Records = JSONReportRecords
    let file = joined(
      Records.fileStart.shape, .keys([steps("The steps, in the order of their ends")], needed: ["steps"]),
      Records.fileEnd.shape)
    let files = SchemaShape.Key("files", "The runs of files, in the order of the output", .list(of: file))
    var writer = SchemaWriter()
    return writer.document(
      of: joined(Records.run.shape, .keys([files], needed: ["files"])), title: "The JSON report of reqrun")
  }()

  private static func steps(_ documentation: String) -> SchemaShape.Key {
    typealias Records = JSONReportRecords
    let inner = { @Sendable in steps("The steps within this one") }
    let step = SchemaShape.named("step") { joined(Records.step.shape, .keys([hops, moreHops, inner()])) }
    let group = SchemaShape.named("group") {
      joined(Records.groupStart.shape, .keys([inner()], needed: ["steps"]), Records.groupEnd.shape)
    }
    return SchemaShape.Key("steps", documentation, .list(of: .any([step, group])))
  }

  private static let hops = SchemaShape.Key(
    "hops", "The requests that were sent, and their responses: redirects and challenges are separate hops",
    .list(of: JSONHopRecords.hop.shape, atLeast: 1))

  private static let moreHops = SchemaShape.Key(
    "more_hops", "The number of hops that are left out before the last 20", .integer(1...Int.max))

  /// An object with the members of several.
  private static func joined(_ shapes: SchemaShape...) -> SchemaShape {
    var keys: [SchemaShape.Key] = []
    var needed: [String] = []
    for case .keys(let more, let moreNeeded) in shapes {
      keys += more
      needed += moreNeeded
    }
    return .keys(keys, needed: needed)
  }
}
