import OperatingSystem
import Values

/// A request body that can be sent any number of times, always from its start: after a redirect, a challenge, a retry.
package enum RequestBody: Sendable {
  case none
  case bytes([UInt8])
  /// Bytes and file ranges, one after another; files are read while they are sent.
  case pieces([BodyPiece])
  /// Produced while it is sent: HTTP/1.1 uses chunked coding.
  case stream(any BodySource)
  /// No body, but what is sent over the connection once a 101 response has turned it to another protocol.
  case upgrade(UpgradedConnection)

  /// A part of a file, in whatever state the file is when it is sent.
  package static func file(path: String, offset: Int64, length: Int64) -> RequestBody {
    .pieces([.file(FileRange(path: path, offset: offset, length: length, version: nil))])
  }

  /// The length; nil if it is known only once the body has been sent.
  package var length: Int64? {
    switch self {
    case .none: 0
    case .bytes(let bytes): Int64(bytes.count)
    case .pieces(let pieces): pieces.reduce(0) { $0 + $1.length }
    case .stream, .upgrade: nil
    }
  }

  /// Indicates whether no body is sent, not even an empty one.
  package var isNone: Bool { if case .none = self { true } else { false } }

  /// Indicates whether the request asks for another protocol.
  package var isUpgrade: Bool { if case .upgrade = self { true } else { false } }

  /// Indicates whether the body is certainly empty.
  package var isEmpty: Bool { length == 0 }
}

/// A contiguous part of a body.
package enum BodyPiece: Sendable, Hashable {
  case bytes([UInt8])
  case file(FileRange)

  package var length: Int64 {
    switch self {
    case .bytes(let bytes): Int64(bytes.count)
    case .file(let range): range.length
    }
  }
}

/// A part of a file.
package struct FileRange: Sendable, Hashable {
  package let path: String
  package let offset: Int64
  package let length: Int64
  /// The version of the file when the range was made: if the file has changed since, it isn't sent. Nil accepts any.
  package let version: FileVersion?

  package init(path: String, offset: Int64, length: Int64, version: FileVersion?) {
    self.path = path
    self.offset = offset
    self.length = length
    self.version = version
  }

  /// The whole of a regular file as it is now.
  package init(wholeFile path: String) throws(TransportError) {
    do throws(SystemProblem) {
      let version = try ReadableFile(path: path).version
      self.init(path: path, offset: 0, length: version.size, version: version)
    } catch {
      throw .unreadableBody(path, error)
    }
  }
}

/// Produces a body whose length is unknown in advance.
package protocol BodySource: Sendable {
  /// Produces the body from its start, and passes it on piece by piece until it is complete or `take` returns false.
  func produce(_ take: (UnsafeRawBufferPointer) -> Bool) throws(TransportError)
}

extension TransportError {
  /// The error for a file of a request's body that cannot be opened or read.
  package static func unreadableBody(_ path: String, _ problem: SystemProblem) -> TransportError {
    TransportError(
      .body, "the body file \"\(path)\" cannot be read: \(problem.reason)",
      help: "check the path and the permissions: a body comes from a regular file")
  }

  /// - Parameter how: what happened to the file.
  static func changedBody(_ path: String, _ how: String) -> TransportError {
    TransportError(
      .body, "the body file \"\(path)\" \(how) while it was sent", help: "do not change the file during the run")
  }
}

extension WireRequest {
  /// Indicates whether the body waits for the server's 100 (Continue).
  package var expectsContinue: Bool { !body.isEmpty && headers.fields.contains(where: \.expectsContinue) }
}

extension HeaderFields.Field {
  package var expectsContinue: Bool {
    equalsIgnoringCase(name, "Expect") && equalsIgnoringCase(value, "100-continue")
  }
}
