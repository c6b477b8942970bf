internal import CLibCrypto

/// A digest of bytes that arrive in pieces.
package struct IncrementalDigest: ~Copyable {
  package let algorithm: DigestAlgorithm
  private let context: OpaquePointer

  package init(_ algorithm: DigestAlgorithm) {
    guard let context = EVP_MD_CTX_new(), EVP_DigestInit_ex2(context, algorithm.implementation, nil) == 1 else {
      preconditionFailure("libcrypto starts every digest it offers")
    }
    self.algorithm = algorithm
    self.context = context
  }

  deinit { EVP_MD_CTX_free(context) }

  package func update(_ bytes: UnsafeRawBufferPointer) {
    guard let start = bytes.baseAddress, !bytes.isEmpty else { return }
    let isDone = EVP_DigestUpdate(context, start, bytes.count) == 1
    precondition(isDone, "libcrypto takes bytes of any number")
  }

  package func update(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { update($0) }
  }

  /// The digest of all bytes so far; more may follow.
  package var value: [UInt8] {
    guard let copy = EVP_MD_CTX_new() else { preconditionFailure("libcrypto is out of memory") }
    defer { EVP_MD_CTX_free(copy) }
    var length: UInt32 = 0
    let result = [UInt8](unsafeUninitializedCapacity: algorithm.byteCount) { buffer, count in
      if EVP_MD_CTX_copy_ex(copy, context) == 1 { EVP_DigestFinal_ex(copy, buffer.baseAddress, &length) }
      count = Int(length)
    }
    precondition(length == algorithm.byteCount, "libcrypto finishes every digest it started")
    return result
  }
}
