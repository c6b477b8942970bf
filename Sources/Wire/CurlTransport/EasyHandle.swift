import CLibCurl
import HTTPSemantics
import Values

/// An easy handle, and the memory that libcurl reads and writes through it as long as it lives.
///
/// It serves one exchange: libcurl 7.88 corrupts memory when a handle is used again.
final class EasyHandle {
  let pointer: UnsafeMutableRawPointer
  let errorBuffer: UnsafeMutablePointer<CChar>
  /// The lists that options point to.
  var lists: [CurlList] = []
  /// The socket of a connection that turns to another protocol.
  private(set) var socket: UnsafeMutablePointer<curl_socket_t>?

  /// Nil if libcurl is out of memory.
  init?() {
    guard let pointer = curl_easy_init() else { return nil }
    self.pointer = pointer
    errorBuffer = .allocate(capacity: Int(reqrun_error_size))
    errorBuffer.pointee = 0
  }

  /// Makes libcurl note the socket of its connection.
  func noteSocket() -> CURLcode {
    let place = socket ?? .allocate(capacity: 1)
    place.initialize(to: -1)
    socket = place
    return reqrun_note_socket(pointer, place)
  }

  deinit {
    curl_easy_cleanup(pointer)
    errorBuffer.deallocate()
    socket?.deallocate()
  }
}

/// A list of strings for libcurl. Several handles may share one, since none changes it.
final class CurlList {
  let first: UnsafeMutablePointer<curl_slist>

  /// Nil for an empty list, and if libcurl is out of memory.
  ///
  /// - Parameter fields: the fields of the first lines, which decide the lines to send as ISO 8859-1.
  init?(_ lines: [String], of fields: [HeaderFields.Field] = []) {
    var list: (first: UnsafeMutablePointer<curl_slist>, last: UnsafeMutablePointer<curl_slist>)?
    for (index, line) in lines.enumerated() {
      let isLatin1 = index < fields.count && fields[index].isLatin1
      // Each node is allocated alone: libcurl would walk to the end of the list.
      let one =
        isLatin1
        ? (latin1Octets(line).map { CChar(bitPattern: $0) } + [0]).withUnsafeBufferPointer {
          curl_slist_append(nil, $0.baseAddress)
        } : line.withCString { curl_slist_append(nil, $0) }
      guard let one else {
        curl_slist_free_all(list?.first)
        return nil
      }
      list?.last.pointee.next = one
      list = (list?.first ?? one, one)
    }
    guard let list else { return nil }
    first = list.first
  }

  deinit { curl_slist_free_all(first) }
}

/// Easy handles before and after their exchange: made and freed in batches while responses are awaited, which is faster
/// than one by one.
struct PreparedHandles {
  private static let batch = 2

  /// New handles with the options that all exchanges share.
  private var ready: [CurlOptions] = []
  private var used: [EasyHandle] = []
  /// Indicates whether there was more than one exchange.
  private var isLasting = false
  /// The header lines of the last request: those of the next are often the same.
  private var lastHeaders: (fields: [HeaderFields.Field], list: CurlList)?

  /// Makes handles for the next exchanges, or frees used ones; false if there is nothing to do.
  mutating func tidy() -> Bool {
    if used.count >= PreparedHandles.batch {
      used.removeAll(keepingCapacity: true)
      return true
    }
    guard isLasting, ready.isEmpty else { return false }
    for _ in 0..<PreparedHandles.batch {
      guard let options = CurlOptions.shared() else { return false }
      ready.append(options)
    }
    return true
  }

  /// The options of a new handle; nil if libcurl is out of memory.
  mutating func take() -> CurlOptions? {
    ready.popLast() ?? CurlOptions.shared()
  }

  mutating func giveBack(_ handle: EasyHandle) {
    isLasting = true
    if used.count < 16 * PreparedHandles.batch { used.append(handle) }
  }

  mutating func headerList(_ fields: [HeaderFields.Field], lines: () -> [String]) -> CurlList? {
    if let lastHeaders, lastHeaders.fields == fields { return lastHeaders.list }
    guard let list = CurlList(lines(), of: fields) else { return nil }
    lastHeaders = (fields, list)
    return list
  }
}
