extension String {
  /// Whether the text's UTF-8 has that byte: by contiguous bytes, which is nearly always.
  package func contains(byte: UInt8) -> Bool {
    utf8.withContiguousStorageIfAvailable { $0.contains(byte) } ?? utf8.contains(byte)
  }
}
