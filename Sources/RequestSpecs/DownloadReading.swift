import Diagnostics
import YAMLNodes

extension SpecReader {
  mutating func download(_ node: YAMLNode) -> Setting<DownloadSpec> {
    guard isUsable(node) else { return .inherited }
    if node.isNull { return .removed }
    return .given(DownloadSpec(range: node.range))
  }
}
