/// All bytes of a file, or the reason why they cannot be read; files beyond the limit are rejected.
package func readFile(_ path: String, limit: Int = .max) -> Result<[UInt8], SystemProblem> {
  do throws(SystemProblem) {
    let descriptor = try openForReading(path)
    defer { closeDescriptor(descriptor) }
    var result: [UInt8] = []
    while true {
      let piece = try readPiece(descriptor, upTo: 65_536)
      if piece.isEmpty { return .success(result) }
      result += piece
      if result.count > limit { throw SystemProblem("it is larger than \(limit >> 20) MiB") }
    }
  } catch {
    return .failure(error)
  }
}

/// Reads a part of a file, piece by piece, until the body returns false or the file ends.
package func readFile(
  _ path: String, offset: Int64, length: Int64, _ body: ([UInt8]) -> Bool
) throws(SystemProblem) {
  let descriptor = try openForReading(path)
  defer { closeDescriptor(descriptor) }
  var position = offset
  while position < offset + length {
    let piece = try readPiece(descriptor, upTo: Int(min(65_536, offset + length - position)), at: position)
    if piece.isEmpty || !body(piece) { return }
    position += Int64(piece.count)
  }
}
