internal import CLibCrypto

/// The hash functions of libcrypto.
package enum DigestAlgorithm: String, Sendable, Hashable, CaseIterable {
  case md5, sha1, sha256, sha384, sha512
  case sha512256 = "sha512-256"

  /// The length of a digest in bytes.
  package var byteCount: Int {
    switch self {
    case .md5: 16
    case .sha1: 20
    case .sha256, .sha512256: 32
    case .sha384: 48
    case .sha512: 64
    }
  }

  /// The digest of bytes in memory.
  package func digest(of bytes: UnsafeRawBufferPointer) -> [UInt8] {
    let digest = IncrementalDigest(self)
    digest.update(bytes)
    return digest.value
  }

  /// The digest of bytes in memory.
  package func digest(of bytes: [UInt8]) -> [UInt8] {
    bytes.withUnsafeBytes { digest(of: $0) }
  }

  /// The digest of a text's UTF-8.
  package func digest(of text: String) -> [UInt8] {
    digest(of: Array(text.utf8))
  }

  /// The keyed hash of a message (HMAC, RFC 2104).
  package func hmac(key: [UInt8], message: [UInt8]) -> [UInt8] {
    // libcrypto takes a null key for none at all, and Swift's empty array may have no address: so there is an extra
    // byte.
    let key = key + [0]
    let message = message + [0]
    var length = 0
    let result = [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, count in
      _ = EVP_Q_mac(
        LibraryContext.shared.pointer, "HMAC", nil, rawValue, nil, key, key.count - 1, message, message.count - 1,
        buffer.baseAddress, buffer.count, &length)
      count = length
    }
    precondition(length == byteCount, "libcrypto computes every HMAC it offers")
    return result
  }

  /// The digest of a password that takes as long as its rounds (PBKDF2, RFC 8018).
  package func slowDigest(of password: String, salt: [UInt8], rounds: Int32) -> [UInt8] {
    var isDone = false
    let result = [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, count in
      isDone =
        PKCS5_PBKDF2_HMAC(
          password, Int32(clamping: password.utf8.count), salt, Int32(clamping: salt.count), rounds, implementation,
          Int32(byteCount), buffer.baseAddress) == 1
      count = byteCount
    }
    precondition(isDone, "libcrypto computes PBKDF2 with every digest it offers")
    return result
  }

  /// libcrypto's implementation.
  var implementation: OpaquePointer {
    switch self {
    case .md5: LibraryContext.shared.md5
    case .sha1: LibraryContext.shared.sha1
    case .sha256: LibraryContext.shared.sha256
    case .sha384: LibraryContext.shared.sha384
    case .sha512: LibraryContext.shared.sha512
    case .sha512256: LibraryContext.shared.sha512256
    }
  }
}

/// A libcrypto context of our own, unaffected by the system's configuration (FIPS mode disables MD5).
///
/// `@unchecked Sendable`: created once; libcrypto lets threads share contexts and fetched algorithms.
final class LibraryContext: @unchecked Sendable {
  static let shared = LibraryContext()

  let pointer: OpaquePointer
  let md5: OpaquePointer
  let sha1: OpaquePointer
  let sha256: OpaquePointer
  let sha384: OpaquePointer
  let sha512: OpaquePointer
  let sha512256: OpaquePointer

  private init() {
    guard let context = OSSL_LIB_CTX_new(), let md5 = EVP_MD_fetch(context, "MD5", nil),
      let sha1 = EVP_MD_fetch(context, "SHA1", nil), let sha256 = EVP_MD_fetch(context, "SHA256", nil),
      let sha384 = EVP_MD_fetch(context, "SHA384", nil), let sha512 = EVP_MD_fetch(context, "SHA512", nil),
      let sha512256 = EVP_MD_fetch(context, "SHA512-256", nil)
    else { preconditionFailure("libcrypto has its default algorithms") }
    pointer = context
    self.md5 = md5
    self.sha1 = sha1
    self.sha256 = sha256
    self.sha384 = sha384
    self.sha512 = sha512
    self.sha512256 = sha512256
  }
}
