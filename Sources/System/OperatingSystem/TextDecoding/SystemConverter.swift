import LibC

/// Converts one encoding to UTF-8 with iconv.
struct SystemConverter: ~Copyable {
  private let descriptor: iconv_t

  /// Uses the first of the names that the system knows; nil if it knows none.
  init?(from names: [String]) {
    for name in names {
      // (iconv_t)-1 means failure.
      if let descriptor = iconv_open("UTF-8", name), Int(bitPattern: descriptor) != -1 {
        self.descriptor = descriptor
        return
      }
    }
    return nil
  }

  deinit { iconv_close(descriptor) }

  /// - Parameters:
  ///   - offset: the offset of the bytes, for errors.
  ///   - replacing: whether U+FFFD replaces invalid bytes, instead of an error.
  ///   - refused: the characters of single bytes that the standard defines and iconv rejects.
  mutating func convert(
    _ bytes: ArraySlice<UInt8>, offset: Int, replacing: Bool, refused: [UInt8: Unicode.Scalar] = [:]
  ) throws(TextDecodingError) -> [UInt8] {
    var source = Array(bytes)
    var problem: TextDecodingError?
    var result: [UInt8] = []
    result.reserveCapacity(source.count + source.count / 2 + 16)
    var chunk = [UInt8](repeating: 0, count: min(64 << 10, 4 * source.count + 16))
    source.withUnsafeMutableBytes { source in
      var input = source.baseAddress?.assumingMemoryBound(to: CChar.self)
      var inputLeft = source.count
      var isFlushing = false
      while true {
        let (status, code, written) = step(&input, &inputLeft, flushes: isFlushing, into: &chunk)
        result.append(contentsOf: chunk[..<written])
        if status != -1 {
          if isFlushing { return }
          isFlushing = true
          continue
        }
        if code == E2BIG { continue }
        let place = offset + source.count - inputLeft
        if let scalar = refused[source[source.count - inputLeft]] {
          result += Array(UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
          input = input.map { $0 + 1 }
          inputLeft -= 1
          continue
        }
        guard replacing else {
          problem = code == EINVAL ? .truncated(offset: place) : .invalid(offset: place)
          return
        }
        result += [0xEF, 0xBF, 0xBD]
        guard code == EILSEQ, inputLeft > 1 else { return }
        input = input.map { $0 + 1 }
        inputLeft -= 1
      }
    }
    if let problem { throw problem }
    return result
  }

  private func step(
    _ input: inout UnsafeMutablePointer<CChar>?, _ inputLeft: inout Int, flushes: Bool, into chunk: inout [UInt8]
  ) -> (status: Int, code: Int32, written: Int) {
    chunk.withUnsafeMutableBytes { chunk in
      var output = chunk.baseAddress?.assumingMemoryBound(to: CChar.self)
      var outputLeft = chunk.count
      let status =
        flushes
        ? iconv(descriptor, nil, nil, &output, &outputLeft)
        : iconv(descriptor, &input, &inputLeft, &output, &outputLeft)
      return (Int(status), errno, chunk.count - outputLeft)
    }
  }
}
