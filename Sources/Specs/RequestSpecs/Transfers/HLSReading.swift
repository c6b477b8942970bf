import Templates
import Transfers
import Values
import YAMLNodes

/// `hls` while it is read.
struct HLSDraft {
  var target: Field<FileReference>?
  var parallel: Field<Int>?
  var variant = VariantDraft()
  var renditions: Field<RenditionChoice>?
  var live: Field<Duration>?

  static let keys = Keys<HLSDraft>(
    [
      Key("to", "the directory that the stream is stored in", synonyms: "directory path", .field(.filePath)) {
        $0.target = $1
      },
      Key("parallel", "how many segments are fetched in parallel", .field(.integer(1...64))) { $0.parallel = $1 },
      Key(
        "variant", "`highest`, `lowest`, `{bandwidth: {at_most: …}}` or `{resolution: 1280x720}`",
        VariantDraft.keys.shape().or(ValueDecoder<VariantChoice.Order>.variantOrder.shape.orTemplate)
      ) { $2.variant = $0.variant($1.value) },
      Key("renditions", "which renditions beside the video are stored", synonyms: "audio", .field(.word())) {
        $0.renditions = $1
      },
      Key("live", "how long a live stream is followed", synonyms: "duration for", .field(.liveDuration)) {
        $0.live = $1
      },
    ],
    advice: [
      "bandwidth": "write `variant: {bandwidth: {at_most: …}}`", "resolution": "write `variant: {resolution: …}`",
    ])
}

struct VariantDraft {
  var order: Field<VariantChoice.Order>?
  var bandwidth: Field<Int>?
  var resolution: Field<Resolution>?

  fileprivate static let keys = Keys<VariantDraft>([
    Key("bandwidth", "the highest within a limit", bandwidthKeys.shape(needed: ["at_most"])) {
      $0.bandwidth($1.value, &$2)
    },
    Key("resolution", "the one of that size", .field(.resolution)) { $0.resolution = $1 },
  ])

  fileprivate static let bandwidthKeys = Keys<VariantDraft>([
    Key("at_most", "in bits per second", synonyms: "max", .field(.integer(1...Int.max))) { $0.bandwidth = $1 }
  ])
}

extension SpecReader {
  mutating func hls(_ node: YAMLNode) -> HLSSpec? {
    if node.members == nil {
      return field(node, .filePath).map { HLSSpec(to: $0, range: node.range) }
    }
    var draft = HLSDraft()
    let isSound = visit(node, as: "`hls`", keys: HLSDraft.keys, into: &draft)
    guard let target = draft.target else {
      if isSound {
        report(.missingKey, "`hls` needs `to`, the directory for the stream", at: node)
      }
      return nil
    }
    var spec = HLSSpec(to: target, range: node.range)
    spec.parallel = draft.parallel
    spec.order = draft.variant.order
    (spec.maxBandwidth, spec.resolution) = (draft.variant.bandwidth, draft.variant.resolution)
    spec.renditions = draft.renditions
    spec.live = draft.live
    return spec
  }

  fileprivate mutating func variant(_ node: YAMLNode) -> VariantDraft {
    var draft = VariantDraft()
    guard node.members != nil else {
      draft.order = field(node, .variantOrder)
      return draft
    }
    visit(node, as: "`variant`", keys: VariantDraft.keys, into: &draft)
    if node.members?.isEmpty == true {
      report(
        .emptyValue, "an empty mapping chooses nothing", at: node,
        help: "write `highest`, `lowest`, {bandwidth: {at_most: …}} or {resolution: …}")
    }
    return draft
  }

  fileprivate mutating func bandwidth(_ node: YAMLNode, _ draft: inout VariantDraft) {
    guard node.scalar == nil else {
      report(
        .wrongType, "`bandwidth` is a mapping, found \(node.kindPhrase)", at: node,
        help: "write {at_most: …}, in bits per second")
      return
    }
    visit(node, as: "`bandwidth`", keys: VariantDraft.bandwidthKeys, into: &draft)
  }
}

extension ValueDecoder where Output == Duration {
  fileprivate static var liveDuration: ValueDecoder {
    positive("a live stream is followed for longer than 0", help: "write a duration such as 30s")
  }
}

extension ValueDecoder where Output == Resolution {
  /// `1280x720`
  fileprivate static var resolution: ValueDecoder {
    ValueDecoder("a size such as 1280x720", .pattern("^[0-9]+x[0-9]+$")) { value throws(DecodingProblem) in
      if case .text(let text) = value { Resolution(parsing: text.string) } else { nil }
    }
  }
}

extension ValueDecoder where Output == VariantChoice.Order {
  fileprivate static var variantOrder: ValueDecoder {
    let words = word { value in
      guard case .text(let text) = value else { return nil }
      if ["best", "max", "worst", "min"].contains(text.string) {
        return ["best", "max"].contains(text.string) ? "`highest`" : "`lowest`"
      }
      if Resolution(parsing: text.string) != nil { return "{resolution: \(text.string)}" }
      let isNearlyWord = likelyWord(for: text.string, among: ["highest", "lowest"]) != nil
      return isNearlyWord ? nil : "`highest`, `lowest`, {resolution: 1280x720} or {bandwidth: {at_most: 3000000}}"
    }
    return ValueDecoder("highest, lowest, or {bandwidth: {at_most: …}} or {resolution: …}", words.shape) {
      value throws(DecodingProblem) in
      if case .text = value { try words.decode(value) } else { nil }
    }
  }
}
