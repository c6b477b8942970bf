import Diagnostics
import YAMLNodes

extension SpecReader {
  mutating func stream(_ node: YAMLNode) -> Setting<StreamSpec> {
    guard isUsable(node) else { return .inherited }
    if node.isNull { return .removed }
    return .given(StreamSpec(range: node.range))
  }
}
