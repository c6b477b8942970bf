import Diagnostics
import YAMLNodes

extension SpecReader {
  mutating func hls(_ node: YAMLNode) -> Setting<HLSSpec> {
    guard isUsable(node) else { return .inherited }
    if node.isNull { return .removed }
    return .given(HLSSpec(range: node.range))
  }
}
