import LibC

/// The text of a C string; empty for a null pointer.
func text(ofCString pointer: UnsafePointer<CChar>?) -> String {
  guard let pointer else { return "" }
  return String(decoding: UnsafeRawBufferPointer(start: pointer, count: strlen(pointer)), as: UTF8.self)
}
