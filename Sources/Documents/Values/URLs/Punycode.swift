/// Encodes a label (RFC 3492, section 6.3), without the prefix; nil if it overflows.
package func punycode(_ label: [Unicode.Scalar]) -> String? {
  guard label.count <= 256 else { return nil }
  var output = label.filter(\.isASCII).map { UInt8($0.value) }
  let basicCount = output.count
  if basicCount > 0 { output.append(UInt8(ascii: "-")) }
  var (code, delta, bias, handled) = (128, 0, 72, basicCount)
  while handled < label.count {
    guard let next = label.lazy.map({ Int($0.value) }).filter({ $0 >= code }).min() else { return nil }
    delta += (next - code) * (handled + 1)
    code = next
    for scalar in label {
      let value = Int(scalar.value)
      if value < code { delta += 1 }
      guard value == code else { continue }
      var remaining = delta
      var k = base
      while true {
        let threshold = k <= bias ? minimum : min(k - bias, maximum)
        guard remaining >= threshold else { break }
        output.append(digit(threshold + (remaining - threshold) % (base - threshold)))
        remaining = (remaining - threshold) / (base - threshold)
        k += base
      }
      output.append(digit(remaining))
      bias = adapted(delta, count: handled + 1, isFirst: handled == basicCount)
      delta = 0
      handled += 1
    }
    delta += 1
    code += 1
  }
  return String(decoding: output, as: UTF8.self)
}

/// Decodes the output of ``punycode(_:)`` (RFC 3492, section 6.2); nil if it is invalid.
package func punycodeDecoded(_ text: some StringProtocol) -> [Unicode.Scalar]? {
  let bytes = Array(text.utf8)
  guard bytes.count <= 1024, bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
  let basicCount = bytes.lastIndex(of: UInt8(ascii: "-")) ?? 0
  var output = bytes[..<basicCount].map { Unicode.Scalar($0) }
  var position = basicCount > 0 ? basicCount + 1 : 0
  var (code, index, bias) = (128, 0, 72)
  while position < bytes.count {
    let before = index
    var weight = 1
    var k = base
    while true {
      guard position < bytes.count, let digit = digitValue(bytes[position]) else { return nil }
      position += 1
      guard let step = digit.multiplied(by: weight), index <= Int(UInt32.max) - step else { return nil }
      index += step
      let threshold = k <= bias ? minimum : min(k - bias, maximum)
      if digit < threshold { break }
      guard let next = weight.multiplied(by: base - threshold) else { return nil }
      weight = next
      k += base
    }
    bias = adapted(index - before, count: output.count + 1, isFirst: before == 0)
    code += index / (output.count + 1)
    index %= output.count + 1
    guard let value = UInt32(exactly: code), let scalar = Unicode.Scalar(value) else { return nil }
    output.insert(scalar, at: index)
    index += 1
  }
  return output
}

/// RFC 3492, section 5.
private let (base, minimum, maximum) = (36, 1, 26)

private func digit(_ value: Int) -> UInt8 { UInt8(value < 26 ? 97 + value : 22 + value) }

private func digitValue(_ byte: UInt8) -> Int? {
  if isDigit(byte) { return Int(byte) - 22 }
  return isLetter(byte) ? Int(byte | 0x20) - 97 : nil
}

/// Section 6.1.
private func adapted(_ delta: Int, count: Int, isFirst: Bool) -> Int {
  var delta = isFirst ? delta / 700 : delta / 2
  delta += delta / count
  var k = 0
  while delta > (base - minimum) * maximum / 2 {
    delta /= base - minimum
    k += base
  }
  return k + (base - minimum + 1) * delta / (delta + 38)
}
