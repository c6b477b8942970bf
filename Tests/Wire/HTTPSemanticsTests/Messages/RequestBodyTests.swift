import Foundation
import HTTPSemantics
import OperatingSystem
import TestSupport
import Testing

/// Bodies come out as they were put together, and never as something else.
struct RequestBodyTests {
  /// A body of five pieces, and what it must come out as.
  private func pieces(in folder: TemporaryFolder) throws -> (body: RequestBody, bytes: [UInt8]) {
    try folder.write(["a": "0123456789", "b": ""])
    let whole = try FileRange(wholeFile: folder.path + "/a")
    let empty = try FileRange(wholeFile: folder.path + "/b")
    let part = FileRange(path: whole.path, offset: 3, length: 4, version: whole.version)
    let body = RequestBody.pieces([
      .bytes(Array("<".utf8)), .file(whole), .bytes([]), .file(empty), .bytes(Array("|".utf8)), .file(part),
      .bytes(Array(">".utf8)),
    ])
    return (body, Array("<0123456789|3456>".utf8))
  }

  @Test("pieces come out in order, whatever the size of the readings and the place they begin at")
  func order() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let (body, bytes) = try pieces(in: folder)
    #expect(body.length == Int64(bytes.count))
    for size in [1, 2, 3, 7, 100] {
      var reader = try RequestBodyReader(body)
      for start in [0] + Array(bytes.indices) + [bytes.count, 0] {
        let hasOffset = reader.seek(to: Int64(start))
        #expect(hasOffset)
        #expect(try read(&reader, size) == Array(bytes[start...]), "from \(start) by \(size)")
      }
      let isBeyond = reader.seek(to: Int64(bytes.count) + 1)
      #expect(!isBeyond)
    }
    var reader = try RequestBodyReader(body)
    var all: [UInt8] = []
    try reader.readAll { piece in
      all += piece
      return true
    }
    #expect(all == bytes)
  }

  private func read(_ reader: inout RequestBodyReader, _ size: Int) throws -> [UInt8] {
    var result: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: size)
    while true {
      guard case .bytes(let count) = try buffer.withUnsafeMutableBytes({ try reader.read(into: $0) }) else {
        return result
      }
      #expect(count > 0)
      result += buffer[..<count]
    }
  }

  struct Change: Sendable, CustomTestStringConvertible {
    var name: String
    var message: String
    var change: @Sendable (String) throws -> Void
    var testDescription: String { name }
  }

  static let changes = [
    Change(name: "written over", message: "changed") { path in
      try Data(repeating: 66, count: 200_000).write(to: URL(fileURLWithPath: path))
      try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: path)
    },
    Change(name: "grown", message: "grew") { path in
      let file = try #require(FileHandle(forWritingAtPath: path))
      try file.seekToEnd()
      try file.write(contentsOf: Data([1]))
      try file.close()
    },
    Change(name: "shrunk", message: "became shorter") { path in
      let file = try #require(FileHandle(forWritingAtPath: path))
      try file.truncate(atOffset: 199_999)
      try file.close()
    },
    Change(name: "emptied", message: "became shorter") { path in
      let file = try #require(FileHandle(forWritingAtPath: path))
      try file.truncate(atOffset: 0)
      try file.close()
    },
  ]

  @Test("a file that is changed in the middle is an error before its last byte", arguments: changes)
  func changed(_ change: Change) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let path = folder.path + "/a"
    try Data(repeating: 65, count: 200_000).write(to: URL(fileURLWithPath: path))
    var reader = try RequestBodyReader(.pieces([.file(FileRange(wholeFile: path))]))
    var buffer = [UInt8](repeating: 0, count: 150_000)
    let first = try buffer.withUnsafeMutableBytes { try reader.read(into: $0) }
    #expect(first == .bytes(150_000))
    try change.change(path)
    let error = #expect(throws: TransportError.self) {
      while case .bytes = try buffer.withUnsafeMutableBytes({ try reader.read(into: $0) }) {}
    }
    #expect(error?.kind == .body)
    if change.name != "written over" || error?.message.contains("shorter") == false {
      #expect(error?.message == "the body file \"\(path)\" \(change.message) while it was sent")
    }
  }

  @Test("a file that is another since the request was made is not sent")
  func replaced() throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    try folder.write(["a": "one", "b": "two"])
    let range = try FileRange(wholeFile: folder.path + "/a")
    try FileManager.default.removeItem(atPath: range.path)
    try FileManager.default.moveItem(atPath: folder.path + "/b", toPath: range.path)
    let error = #expect(throws: TransportError.self) {
      _ = try RequestBodyReader(.pieces([.bytes([1]), .file(range)]))
    }
    #expect(error?.message == "the body file \"\(range.path)\" has changed since the request was made")
  }

  @Test("only a regular file can be a body", arguments: ["missing", "directory", "pipe"])
  func otherKinds(_ name: String) throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let path = folder.path + "/" + name
    if name == "directory" {
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    } else if name == "pipe" {
      try #require(mkfifo(path, 0o600) == 0)
    }
    let error = #expect(throws: TransportError.self) { _ = try FileRange(wholeFile: path) }
    let reasons = [
      "missing": "no such file or directory", "directory": "it is a directory",
      "pipe": "it is a pipe or a device, not a regular file",
    ]
    #expect(error?.message == "the body file \"\(path)\" cannot be read: \(reasons[name] ?? "")")
  }

  // MARK: Streams

  private struct Numbers: BodySource {
    var count: Int
    var failure: TransportError?

    func produce(_ take: (UnsafeRawBufferPointer) -> Bool) throws(TransportError) {
      for number in 0..<count {
        let piece = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: number % 7)
        if !piece.withUnsafeBytes(take) { return }
      }
      if let failure { throw failure }
    }
  }

  @Test("a stream is made anew at each start, and what goes wrong in it comes out")
  func stream() throws {
    var expected: [UInt8] = []
    try Numbers(count: 1000).produce { piece in
      expected += piece
      return true
    }
    let body = RequestBody.stream(Numbers(count: 1000))
    #expect(body.length == nil && !body.isEmpty)
    var reader = try RequestBodyReader(body)
    #expect(try wait(for: &reader, limit: 100).count == 100)
    for _ in 0..<2 {
      let isAtStart = reader.seek(to: 0)
      #expect(isAtStart)
      #expect(try wait(for: &reader) == expected)
    }
    let isElsewhere = reader.seek(to: 1)
    #expect(!isElsewhere)

    let failure = TransportError(.body, "no more")
    var failing = try RequestBodyReader(.stream(Numbers(count: 10, failure: failure)))
    let error = #expect(throws: TransportError.self) { _ = try wait(for: &failing) }
    #expect(error == failure)
  }

  private func wait(for reader: inout RequestBodyReader, limit: Int = .max) throws -> [UInt8] {
    let readable = WatchedState(false)
    reader.onReadable = { readable.update { $0 = true } }
    var result: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 100)
    while result.count < limit {
      switch try buffer.withUnsafeMutableBytes({ try reader.read(into: $0) }) {
      case .bytes(let count): result += buffer[..<count]
      case .end: return result
      case .nothingYet:
        readable.wait { isReadable -> Void? in
          defer { isReadable = false }
          return isReadable ? () : nil
        }
      }
    }
    return Array(result.prefix(limit))
  }
}
