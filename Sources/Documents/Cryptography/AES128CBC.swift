internal import CLibCrypto

/// AES with a key of 128 bits in CBC mode with PKCS #7 padding, for bytes that arrive in pieces.
package struct AES128CBC: ~Copyable {
  package enum Direction: Sendable {
    case encrypt, decrypt
  }

  /// The size in bytes of a key, an initialization vector and a block.
  package static let blockSize = 16

  private let context: OpaquePointer

  /// Nil unless key and initialization vector have 16 bytes each.
  package init?(_ direction: Direction, key: [UInt8], initializationVector: [UInt8]) {
    guard key.count == AES128CBC.blockSize, initializationVector.count == AES128CBC.blockSize else { return nil }
    guard let context = EVP_CIPHER_CTX_new(),
      EVP_CipherInit_ex2(
        context, EVP_aes_128_cbc(), key, initializationVector, direction == .encrypt ? 1 : 0, nil) == 1
    else { preconditionFailure("libcrypto has AES") }
    self.context = context
  }

  deinit { EVP_CIPHER_CTX_free(context) }

  /// The new output for the bytes so far.
  package func update(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: bytes.count + AES128CBC.blockSize) { buffer, count in
      var rest = bytes
      while let start = rest.baseAddress, !rest.isEmpty {
        // libcrypto counts in 32 bits.
        let size = min(rest.count, 1 << 20)
        var written: Int32 = 0
        let isDone =
          EVP_CipherUpdate(
            context, buffer.baseAddress.map { $0 + count }, &written, start.assumingMemoryBound(to: UInt8.self),
            Int32(size)) == 1
        precondition(isDone, "libcrypto takes bytes of any number")
        count += Int(written)
        rest = UnsafeRawBufferPointer(rebasing: rest[size...])
      }
    }
  }

  /// The rest; nil if decrypted data is truncated or has invalid padding, as with a wrong key.
  package func finish() -> [UInt8]? {
    var isDone = false
    let rest = [UInt8](unsafeUninitializedCapacity: AES128CBC.blockSize) { buffer, count in
      var written: Int32 = 0
      isDone = EVP_CipherFinal_ex(context, buffer.baseAddress, &written) == 1
      count = isDone ? Int(written) : 0
    }
    return isDone ? rest : nil
  }
}
