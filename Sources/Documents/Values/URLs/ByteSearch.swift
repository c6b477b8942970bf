extension String {
  /// Returns whether the text's UTF-8 contains that byte; fast for contiguous storage, which is nearly always.
  package func contains(byte: UInt8) -> Bool {
    utf8.withContiguousStorageIfAvailable { $0.contains(byte) } ?? utf8.contains(byte)
  }
}
