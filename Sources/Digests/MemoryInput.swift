internal import CLibCrypto

/// Bytes as libcrypto's readers take them.
struct MemoryInput {
  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Lets `body` read from the start.
  func read<Result>(_ body: (OpaquePointer?) -> Result) -> Result {
    bytes.withUnsafeBytes { buffer in
      let bio = BIO_new_mem_buf(buffer.baseAddress, Int32(clamping: buffer.count))
      defer {
        BIO_free(bio)
        // What a reader stumbled over must not be taken for another's error later.
        ERR_clear_error()
      }
      return body(bio)
    }
  }
}

/// Gives no passphrase, in place of libcrypto's own question at the terminal.
func refusePassphrase(
  _: UnsafeMutablePointer<CChar>?, _: Int32, _: Int32, _: UnsafeMutableRawPointer?
) -> Int32 { -1 }
