#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Lower-case hexadecimal digits of bytes.
package func hexEncoded(_ bytes: some Sequence<UInt8>) -> String {
  let digits = Array("0123456789abcdef".utf8)
  var result: [UInt8] = []
  for byte in bytes {
    result.append(digits[Int(byte >> 4)])
    result.append(digits[Int(byte & 15)])
  }
  return String(decoding: result, as: UTF8.self)
}

/// Base64 with padding (RFC 4648, section 4).
package func base64Encoded(_ bytes: [UInt8]) -> String {
  Data(bytes).base64EncodedString()
}

/// The bytes of a base64 text (RFC 4648, section 4); white space is ignored, anything else wrong gives nil.
package func base64Decoded(_ text: String) -> [UInt8]? {
  let compact = text.filter { !$0.isWhitespace }
  return Data(base64Encoded: compact).map { Array($0) }
}
