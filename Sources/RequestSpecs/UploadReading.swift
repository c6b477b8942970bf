import Diagnostics
import YAMLNodes

extension SpecReader {
  mutating func upload(_ node: YAMLNode) -> Setting<UploadSpec> {
    guard isUsable(node) else { return .inherited }
    if node.isNull { return .removed }
    return .given(UploadSpec(range: node.range))
  }
}
