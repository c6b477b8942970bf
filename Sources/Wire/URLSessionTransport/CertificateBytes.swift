import Foundation

/// The DER of the SubjectPublicKeyInfo in a certificate's DER (RFC 5280, section 4.1); nil if it isn't one.
package func subjectPublicKeyInfo(ofCertificate der: [UInt8]) -> [UInt8]? {
  guard let certificate = DERElement(der[...]), certificate.tag == 0x30,
    let tbs = DERElement(certificate.content), tbs.tag == 0x30
  else { return nil }
  var rest = tbs.content
  // The version is optional; then serial number, algorithm, issuer, validity, subject.
  if let version = DERElement(rest), version.tag == 0xA0 { rest = rest[version.whole.endIndex...] }
  for _ in 0..<5 {
    guard let element = DERElement(rest) else { return nil }
    rest = rest[element.whole.endIndex...]
  }
  guard let key = DERElement(rest), key.tag == 0x30 else { return nil }
  return Array(key.whole)
}

/// Tag, length and content (X.690).
private struct DERElement {
  let tag: UInt8
  let content: ArraySlice<UInt8>
  let whole: ArraySlice<UInt8>

  /// The first element of the bytes.
  init?(_ bytes: ArraySlice<UInt8>) {
    let start = bytes.startIndex
    guard bytes.count >= 2 else { return nil }
    tag = bytes[start]
    var length = Int(bytes[start + 1])
    var contentStart = start + 2
    if length >= 0x80 {
      let count = length - 0x80
      guard (1...4).contains(count), bytes.count >= 2 + count else { return nil }
      length = bytes[contentStart..<contentStart + count].reduce(0) { $0 << 8 | Int($1) }
      contentStart += count
    }
    guard bytes.endIndex - contentStart >= length else { return nil }
    content = bytes[contentStart..<contentStart + length]
    whole = bytes[start..<contentStart + length]
  }
}

private let pemBegin = "-----BEGIN CERTIFICATE-----"
private let pemEnd = "-----END CERTIFICATE-----"

/// A certificate in PEM (RFC 7468), its lines 64 characters long.
package func pemCertificate(_ der: Data) -> String {
  pemBegin + "\n" + der.base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed]) + "\n" + pemEnd
    + "\n"
}

/// The certificates of a PEM file, in DER; anything else in it is skipped.
package func derCertificates(ofPEM text: String) -> [[UInt8]] {
  text.components(separatedBy: pemBegin).dropFirst().compactMap { part in
    guard let end = part.range(of: pemEnd) else { return nil }
    return Data(base64Encoded: String(part[..<end.lowerBound]), options: .ignoreUnknownCharacters).map { Array($0) }
  }
}
