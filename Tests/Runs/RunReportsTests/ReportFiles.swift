import Foundation

#if canImport(FoundationXML)
  import FoundationXML
#endif

func temporaryPath(_ name: String) -> String {
  NSTemporaryDirectory() + "/\(UUID().uuidString)-\(name)"
}

func removeTemporary(_ path: String) {
  try? FileManager.default.removeItem(atPath: path)
}

func contents(of path: String) throws -> String {
  String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
}

func isWellFormed(_ xml: String) -> Bool {
  XMLParser(data: Data(xml.utf8)).parse()
}

func write(_ text: String, to path: String) throws {
  try Data(text.utf8).write(to: URL(fileURLWithPath: path))
}
