import Testing
import WebSocket

/// Bytes from the other end, and what a reader makes of them.
struct ReadCase: Sendable, CustomTestStringConvertible {
  let name: String
  let bytes: [UInt8]
  var role = WebSocketRole.client
  /// Indicates whether both ends have agreed on compression.
  var isCompressed = false
  var messages: [WebSocketMessage] = []
  /// The section of the violated rule, and the code of the close frame; nil if there is no violation.
  var violation: (section: String, code: Int?)?

  var testDescription: String { name }
}

/// A frame of a server with a payload of less than 126 bytes.
func frame(_ head: UInt8, _ payload: [UInt8] = []) -> [UInt8] { [head, UInt8(payload.count)] + payload }

func frame(_ head: UInt8, _ text: String) -> [UInt8] { frame(head, Array(text.utf8)) }

/// The frame of a client, with the mask of RFC 6455, section 5.7.
func masked(_ head: UInt8, _ payload: [UInt8]) -> [UInt8] {
  let mask: [UInt8] = [0x37, 0xFA, 0x21, 0x3D]
  return [head, UInt8(payload.count) | 0x80] + mask + payload.enumerated().map { $1 ^ mask[$0 & 3] }
}

private func close(_ code: Int, _ reason: [UInt8] = []) -> [UInt8] {
  frame(0x88, [UInt8(code >> 8), UInt8(code & 0xFF)] + reason)
}

private let hello = Array("Hello".utf8)

/// The examples of RFC 6455, section 5.7, and what section 5 allows.
let allowedFrames: [ReadCase] = [
  ReadCase(name: "a text message", bytes: [0x81, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F], messages: [.text("Hello")]),
  ReadCase(
    name: "a masked text message", bytes: [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58],
    role: .server, messages: [.text("Hello")]),
  ReadCase(
    name: "a fragmented text message", bytes: [0x01, 0x03, 0x48, 0x65, 0x6C, 0x80, 0x02, 0x6C, 0x6F],
    messages: [.text("Hello")]),
  ReadCase(name: "a ping", bytes: frame(0x89, "Hello"), messages: [.ping(hello)]),
  ReadCase(name: "a masked pong", bytes: masked(0x8A, hello), role: .server, messages: [.pong(hello)]),
  ReadCase(name: "an unasked pong", bytes: frame(0x8A), messages: [.pong([])]),
  ReadCase(name: "an empty text message", bytes: frame(0x81), messages: [.text("")]),
  ReadCase(name: "an empty binary message", bytes: frame(0x82), messages: [.data([])]),
  ReadCase(
    name: "a message of empty fragments", bytes: frame(0x01) + frame(0x00) + frame(0x00) + frame(0x80),
    messages: [.text("")]),
  ReadCase(
    name: "control frames between fragments",
    bytes: frame(0x01, "He") + frame(0x89, "1") + frame(0x00, "l") + frame(0x8A, "2") + frame(0x80, "lo"),
    messages: [.ping([0x31]), .pong([0x32]), .text("Hello")]),
  ReadCase(
    name: "control frames between masked fragments",
    bytes: masked(0x02, [1, 2, 3]) + masked(0x89, [9]) + masked(0x80, [4, 5]), role: .server,
    messages: [.ping([9]), .data([1, 2, 3, 4, 5])]),
  ReadCase(
    name: "a control frame of 125 bytes", bytes: frame(0x89, [UInt8](repeating: 7, count: 125)),
    messages: [.ping([UInt8](repeating: 7, count: 125))]),
  ReadCase(
    name: "a character across fragments with a ping within it",
    bytes: frame(0x01, [0xF0, 0x9F]) + frame(0x89) + frame(0x00, [0x98]) + frame(0x80, [0x80]),
    messages: [.ping([]), .text("\u{1F600}")]),
  ReadCase(
    name: "the limits of UTF-8",
    bytes: frame(0x81, "\u{7F}\u{80}\u{7FF}\u{800}\u{D7FF}\u{E000}\u{FFFF}\u{10000}\u{10FFFF}\0"),
    messages: [.text("\u{7F}\u{80}\u{7FF}\u{800}\u{D7FF}\u{E000}\u{FFFF}\u{10000}\u{10FFFF}\0")]),
  ReadCase(name: "binary data that is not UTF-8", bytes: frame(0x82, [0xFF, 0xC0]), messages: [.data([0xFF, 0xC0])]),
  ReadCase(name: "a close frame without a code", bytes: frame(0x88), messages: [.close(code: nil, reason: "")]),
  ReadCase(
    name: "a close frame with a reason", bytes: close(1000, Array("bye\u{E9}".utf8)),
    messages: [.close(code: 1000, reason: "bye\u{E9}")]),
  ReadCase(
    name: "a close frame within a message", bytes: frame(0x01, "He") + close(1001),
    messages: [.close(code: 1001, reason: "")]),
  ReadCase(
    name: "frames after a close frame, even wrong ones", bytes: close(1000) + frame(0x81, "x") + [0xFF, 0xFF],
    messages: [.close(code: 1000, reason: "")]),
]

/// A frame whose data is one block without compression, and the beginning of the next.
private func stored(_ head: UInt8, _ bytes: [UInt8]) -> [UInt8] {
  let count = UInt8(bytes.count)
  return frame(head, [0, count, 0, ~count, 0xFF] + bytes + [0])
}

private let compressedHello: [UInt8] = [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]

/// The examples of RFC 7692, section 7.2.3, and what else it allows.
let allowedCompressedFrames: [ReadCase] = [
  ("a compressed message", frame(0xC1, compressedHello), [.text("Hello")]),
  (
    "a compressed message in fragments", frame(0x41, [0xF2, 0x48, 0xCD]) + frame(0x80, [0xC9, 0xC9, 0x07, 0x00]),
    [.text("Hello")]
  ),
  (
    "a message that refers to the one before", frame(0xC1, compressedHello) + frame(0xC1, [0xF2, 0x00, 0x11, 0, 0]),
    [.text("Hello"), .text("Hello")]
  ),
  ("a block without compression", stored(0xC1, hello), [.text("Hello")]),
  ("a last block", frame(0xC1, [0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0, 0]), [.text("Hello")]),
  (
    "a last block, and another message",
    frame(0xC1, [0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0, 0]) + frame(0xC2, compressedHello),
    [.text("Hello"), .data(hello)]
  ),
  (
    "two blocks",
    frame(0xC1, [0xF2, 0x48, 0x05, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xCA, 0xC9, 0xC9, 0x07, 0x00]), [.text("Hello")]
  ),
  ("a message without compression", frame(0x81, hello), [.text("Hello")]),
  ("messages with and without it", frame(0xC1, compressedHello) + frame(0x81, "x"), [.text("Hello"), .text("x")]),
  ("an empty message", frame(0xC1, [0]), [.text("")]),
  ("an empty message of fragments", frame(0x42) + frame(0x00) + frame(0x80, [0]), [.data([])]),
  (
    "control frames between compressed fragments",
    frame(0x41, [0xF2, 0x48]) + frame(0x89, "1") + frame(0x00, [0xCD, 0xC9]) + frame(0x80, [0xC9, 0x07, 0x00])
      + frame(0x88), [.ping([0x31]), .text("Hello"), .close(code: nil, reason: "")]
  ),
  (
    "a character across fragments and blocks",
    stored(0x41, [0xF0, 0x9F]) + frame(0x80, [2, 0, 0xFD, 0xFF, 0x98, 0x80, 0]), [.text("\u{1F600}")]
  ),
].map { ReadCase(name: $0, bytes: $1, isCompressed: true, messages: $2) }

/// What RFC 7692 forbids.
let forbiddenCompressedFrames: [ReadCase] = [
  ("RSV1 of a later fragment", frame(0x41, [0xF2, 0x48]) + frame(0xC0, [0xCD]), "5.2", 1002),
  ("RSV1 of a ping", frame(0xC9), "5.2", 1002),
  ("RSV1 of a close frame", frame(0xC8), "5.2", 1002),
  ("RSV2 beside RSV1", frame(0xE1, compressedHello), "5.2", 1002),
  ("a block of no type", frame(0xC1, [0x07]), "7.2.2", 1007),
  ("a wrong length of a block without compression", frame(0xC1, [0, 1, 0, 1, 0, 0x61, 0]), "7.2.2", 1007),
  ("a reference to what was never sent", frame(0xC1, [0xF2, 0x00, 0x11, 0, 0]), "7.2.2", 1007),
  ("the end within a block", frame(0xC1, [0, 9, 0, 0xF6, 0xFF, 0x61]), "7.2.2", 1007),
  ("the end within the head of a block", frame(0xC1, [0xF2, 0x48, 0xCD]), "7.2.2", 1007),
  ("a last block without more", frame(0xC1, [0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0]), "7.2.2", 1007),
  ("no data", frame(0xC1), "7.2.2", 1007),
  ("wrong UTF-8", stored(0xC1, [0x61, 0xC3, 0x28]), "8.1", 1007),
  ("a text that ends within a character", stored(0xC1, [0x61, 0xE2, 0x82]), "8.1", 1007),
].map { ReadCase(name: $0, bytes: $1, isCompressed: true, violation: ($2, $3)) }

private func length(_ form: [UInt8]) -> [UInt8] { [0x82] + form }

/// What section 5, and the parts about closing and about UTF-8, forbid.
let forbiddenFrames: [ReadCase] =
  [
    ReadCase(name: "RSV1", bytes: frame(0xC1, "x"), violation: ("5.2", 1002)),
    ReadCase(name: "RSV2", bytes: frame(0xA1, "x"), violation: ("5.2", 1002)),
    ReadCase(name: "RSV3 of a control frame", bytes: frame(0x99), violation: ("5.2", 1002)),
    ReadCase(name: "all reserved bits", bytes: frame(0xF2), violation: ("5.2", 1002)),
    ReadCase(name: "a masked frame of a server", bytes: masked(0x81, hello), violation: ("5.1", 1002)),
    ReadCase(
      name: "a frame of a client without a mask", bytes: frame(0x81, "x"), role: .server, violation: ("5.1", 1002)),
    ReadCase(
      name: "an empty frame of a client without a mask", bytes: [0x89, 0], role: .server, violation: ("5.1", 1002)),
    ReadCase(name: "a fragmented ping", bytes: frame(0x09), violation: ("5.5", 1002)),
    ReadCase(name: "a fragmented close frame", bytes: frame(0x08), violation: ("5.5", 1002)),
    ReadCase(
      name: "a ping of 126 bytes", bytes: [0x89, 126, 0, 126] + [UInt8](repeating: 0, count: 126),
      violation: ("5.5", 1002)),
    ReadCase(
      name: "a close frame with a 64-bit length", bytes: [0x88, 127, 0, 0, 0, 0, 0, 0, 0, 2, 3, 232],
      violation: ("5.5", 1002)),
    ReadCase(name: "a continuation of nothing", bytes: frame(0x80, "x"), violation: ("5.4", 1002)),
    ReadCase(name: "a fragment of nothing", bytes: frame(0x00, "x"), violation: ("5.4", 1002)),
    ReadCase(
      name: "a continuation after the last fragment", bytes: frame(0x01) + frame(0x80) + frame(0x80),
      messages: [.text("")], violation: ("5.4", 1002)),
    ReadCase(name: "a text within a message", bytes: frame(0x01, "a") + frame(0x81, "b"), violation: ("5.4", 1002)),
    ReadCase(name: "binary data within a text", bytes: frame(0x01, "a") + frame(0x02, "b"), violation: ("5.4", 1002)),
    ReadCase(name: "125 in 2 bytes", bytes: length([126, 0, 125]), violation: ("5.2", 1002)),
    ReadCase(name: "0 in 2 bytes", bytes: length([126, 0, 0]), violation: ("5.2", 1002)),
    ReadCase(name: "65535 in 8 bytes", bytes: length([127, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]), violation: ("5.2", 1002)),
    ReadCase(name: "the length 2^63", bytes: length([127, 0x80, 0, 0, 0, 0, 0, 0, 0]), violation: ("5.2", 1002)),
    ReadCase(
      name: "the length 2^64 - 1", bytes: length([127] + [UInt8](repeating: 0xFF, count: 8)), violation: ("5.2", 1002)),
    ReadCase(
      name: "the length 2^63 - 1", bytes: length([127, 0x7F] + [UInt8](repeating: 0xFF, count: 7)),
      violation: ("7.4.1", 1009)),
    ReadCase(
      name: "lengths of fragments whose sum overflows",
      bytes: frame(0x02, "x") + [0x80, 127, 0x7F] + [UInt8](repeating: 0xFF, count: 7), violation: ("7.4.1", 1009)),
    ReadCase(name: "a wrong first byte of UTF-8", bytes: frame(0x81, [0x61, 0xFF]), violation: ("8.1", 1007)),
    ReadCase(name: "a lone byte of continuation", bytes: frame(0x81, [0x80]), violation: ("8.1", 1007)),
    ReadCase(name: "an overlong character of 2 bytes", bytes: frame(0x81, [0xC0, 0xAF]), violation: ("8.1", 1007)),
    ReadCase(
      name: "an overlong character of 3 bytes", bytes: frame(0x81, [0xE0, 0x9F, 0xBF]), violation: ("8.1", 1007)),
    ReadCase(
      name: "an overlong character of 4 bytes", bytes: frame(0x81, [0xF0, 0x8F, 0xBF, 0xBF]), violation: ("8.1", 1007)),
    ReadCase(name: "a surrogate", bytes: frame(0x81, [0xED, 0xA0, 0x80]), violation: ("8.1", 1007)),
    ReadCase(name: "above U+10FFFF", bytes: frame(0x81, [0xF4, 0x90, 0x80, 0x80]), violation: ("8.1", 1007)),
    ReadCase(
      name: "a text that ends within a character", bytes: frame(0x81, [0x61, 0xE2, 0x82]), violation: ("8.1", 1007)),
    ReadCase(
      name: "a fragmented text that ends within a character", bytes: frame(0x01, [0xE2, 0x82]) + frame(0x80),
      violation: ("8.1", 1007)),
    ReadCase(
      name: "wrong UTF-8 across fragments", bytes: frame(0x01, [0xE2]) + frame(0x00) + frame(0x00, [0x41]),
      violation: ("8.1", 1007)),
    ReadCase(
      name: "wrong UTF-8 before the end of its frame", bytes: [0x81, 100, 0x61, 0xC3, 0x28], violation: ("8.1", 1007)),
    ReadCase(name: "half a close code", bytes: frame(0x88, [3]), violation: ("5.5.1", 1002)),
    ReadCase(name: "a reason that is not UTF-8", bytes: close(1000, [0xC3]), violation: ("5.5.1", 1007)),
  ]
  + (3...7).map { ReadCase(name: "the opcode \($0)", bytes: frame(0x80 | $0), violation: ("5.2", 1002)) }
  + (0xB...0xF).map { ReadCase(name: "the opcode \($0)", bytes: frame(0x80 | $0), violation: ("5.2", 1002)) }
  + [0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65535].map {
    ReadCase(name: "the close code \($0)", bytes: close($0), violation: ("7.4", 1002))
  }

/// The close codes that can be sent.
let closeCodes = [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 3000, 3999, 4000, 4999]
