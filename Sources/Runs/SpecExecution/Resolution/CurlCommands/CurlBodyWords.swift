import HTTPSemantics
import Values

/// The parts of a curl command for its request's body: the input before it, its arguments, and a comment after it.
struct CurlBodyWords {
  private(set) var input = ""
  private(set) var words: [String] = []
  private var remarks: [String] = []

  private let request: ResolvedRequest
  private let masked: CommandMasking

  /// The maximum size of a body in a command: a shell accepts no argument of more than 128 KiB, and readers want less.
  private static let limit = 32 << 10

  init(request: ResolvedRequest, masked: CommandMasking) {
    self.request = request
    self.masked = masked
    if case .upload(let upload)? = request.transfer {
      addUpload(upload)
    } else {
      addBody()
      addDigests()
    }
  }

  var remark: String { remarks.isEmpty ? "" : "  # " + remarks.joined(separator: "; ") }

  private mutating func addBody() {
    switch request.body {
    case .none: if request.sendsLength { words = ["--data-raw", "''"] }
    case .text(let text) where text.string.utf8.count > Self.limit: leaveOut(text.string.utf8.count)
    case .text(let text) where text.string.utf8.contains(0) && (masked.isOpen || !text.isSecret):
      pipe(Array(text.string.utf8))
    case .text(let text):
      if request.coding == nil {
        words = ["--data-raw", masked.quoted(masked(text))]
      } else {
        pipe("printf %s \(masked.quoted(masked(text)))")
      }
    case .data(let data) where data.isSecret && !masked.isOpen: words = ["--data-raw", masked.quoted(Text.mask)]
    case .data(let data) where data.bytes.count > Self.limit: leaveOut(data.bytes.count)
    case .data(let data): pipe(data.bytes)
    case .file(let file):
      let path = masked(file.path)
      switch request.coding {
      case nil: words = ["--data-binary", masked.quoted("@\(path)")]
      case .gzip?: pipe(compressing: "gzip --stdout \(masked.quoted(path))")
      case .deflate?: pipe(compressing: "pigz --zlib --stdout \(masked.quoted(path))")
      }
    case .multipart(let parts, _):
      for part in parts { add(part) }
      if parts.isEmpty { remarks.append("curl sends no form without parts") }
      if request.coding != nil { remarks.append("curl does not compress a form") }
      if request.outgoing.headers.contains("Content-Digest") || request.outgoing.headers.contains("Repr-Digest") {
        remarks.append("its digest changes with the boundary")
      }
    }
  }

  // MARK: pipes

  /// Adds bytes that no argument can contain.
  private mutating func pipe(_ bytes: [UInt8]) {
    pipe("printf %s \(masked.quoted(base64Encoded(bytes))) | base64 --decode")
  }

  private mutating func pipe(_ command: String) {
    switch request.coding {
    case nil: pipe(compressing: command)
    case .gzip?: pipe(compressing: "\(command) | gzip")
    case .deflate?: pipe(compressing: "\(command) | pigz --zlib")
    }
  }

  private mutating func pipe(compressing command: String) {
    input = command + " | "
    words = ["--data-binary", "@-"]
  }

  private mutating func leaveOut(_ count: Int) {
    words = ["--data-binary", "@BODY"]
    let what = request.coding.map { ", compressed by \($0.rawValue)," } ?? ""
    remarks.append("put the body's \(count) bytes\(what) into the file BODY")
  }

  // MARK: parts

  private mutating func add(_ part: ResolvedPart) {
    let name = masked(part.name)
    if part.name.string.contains("=") { remarks.append("curl takes no `=` in the name of a part") }
    var settings = ""
    if let filename = part.filename, part.sendsFilename { settings += ";filename=\(formWord(masked(filename)))" }
    if let type = part.type { settings += ";type=\(masked(type))" }
    switch part.content {
    case .text(let text) where !text.string.utf8.contains(0):
      if settings.isEmpty {
        words += ["--form-string", masked.quoted("\(name)=\(masked(text))")]
      } else {
        words += ["--form", masked.quoted("\(name)=\(quotedFormWord(masked(text)))\(settings)")]
      }
    case .text(let text): addBinary(name, Array(text.string.utf8), isSecret: text.isSecret, settings)
    case .data(let data): addBinary(name, data.bytes, isSecret: data.isSecret, settings)
    case .file(let file):
      words += ["--form", masked.quoted("\(name)=@\(formWord(masked(file.path)))\(settings)")]
    }
  }

  /// The first one is piped; there is only one pipe.
  private mutating func addBinary(_ name: String, _ bytes: [UInt8], isSecret: Bool, _ settings: String) {
    if isSecret, !masked.isOpen {
      words += ["--form", masked.quoted("\(name)=\(Text.mask)\(settings)")]
    } else if input.isEmpty, bytes.count <= Self.limit {
      input = "printf %s \(masked.quoted(base64Encoded(bytes))) | base64 --decode | "
      words += ["--form", masked.quoted("\(name)=<-\(settings)")]
    } else {
      words += ["--form", masked.quoted("\(name)=<PART\(settings)")]
      remarks.append("put the \(bytes.count) bytes of the part \(name) into the file PART")
    }
  }

  /// Adds quotes if a comma or semicolon would end the text.
  private func formWord(_ text: String) -> String {
    text.contains { ",;\"\\".contains($0) || $0.isWhitespace } ? quotedFormWord(text) : text
  }

  private func quotedFormWord(_ text: String) -> String {
    "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
  }

  // MARK: digests and uploads

  /// Adds digests; those of a file are computed when it is sent, so the shell computes them, too.
  private mutating func addDigests() {
    for digest in request.outgoing.digests {
      guard case .file(let file) = request.body, request.coding == nil else {
        remarks.append("\(digest.header) is left out")
        continue
      }
      let path = masked.quoted(masked(file.path))
      let values = digest.algorithms.map { algorithm in
        let hash = algorithm == .sha256 ? "sha256" : "sha512"
        return "\(algorithm.rawValue)=:$(openssl dgst -\(hash) -binary \(path) | openssl base64 -A):"
      }
      words += ["--header", "\"\(digest.header): \(values.joined(separator: ", "))\""]
    }
  }

  private mutating func addUpload(_ upload: ResolvedUpload) {
    let path = masked(upload.path)
    words =
      upload.style == .multipart
      ? ["--form", masked.quoted("\(masked(Text(upload.field)))=@\(formWord(path))")]
      : ["--upload-file", masked.quoted(path)]
    if upload.segments != nil { remarks.append("in one piece, not in segments") }
  }
}

extension ResolvedPart {
  /// Indicates whether curl would send another file name, or none.
  fileprivate var sendsFilename: Bool {
    if case .file(let file) = content { filename?.string != file.name.string } else { true }
  }
}
