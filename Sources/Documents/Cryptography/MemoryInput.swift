internal import CLibCrypto

/// Bytes as input for libcrypto's readers.
struct MemoryInput {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Lets `body` read from the start.
  func read<Result>(_ body: (OpaquePointer?) -> Result) -> Result {
    bytes.withUnsafeBytes { buffer in
      let bio = BIO_new_mem_buf(buffer.baseAddress, Int32(clamping: buffer.count))
      defer {
        BIO_free(bio)
        // A reader's errors must not be taken for those of later calls.
        ERR_clear_error()
      }
      return body(bio)
    }
  }
}

/// Provides no passphrase, instead of libcrypto's own prompt at the terminal.
func refusePassphrase(
  _: UnsafeMutablePointer<CChar>?, _: Int32, _: Int32, _: UnsafeMutableRawPointer?
) -> Int32 { -1 }
