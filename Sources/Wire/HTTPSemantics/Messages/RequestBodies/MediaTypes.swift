import OperatingSystem

/// The media type of a file by its extension.
///
/// Common types are the same on all machines; for others the system's shared-mime-info is used if it is installed. An
/// unknown type is `application/octet-stream`.
package func mediaType(ofFileNamed name: String) -> String {
  let base = name.lastIndex(of: "/").map { name[name.index(after: $0)...] } ?? name[...]
  guard let dot = base.lastIndex(of: "."), dot != base.startIndex else { return unknownMediaType }
  let ending = base[base.index(after: dot)...]
  return commonMediaTypes[ending.lowercased()] ?? SharedMediaTypes.ofSystem.type(ofName: base.lowercased())
    ?? unknownMediaType
}

/// Returns whether a file's extension is one that has the same type on all machines.
package func hasCommonMediaType(fileNamed name: String) -> Bool {
  name.lastIndex(of: ".").map { commonMediaTypes[name[name.index(after: $0)...].lowercased()] != nil } ?? false
}

package let unknownMediaType = "application/octet-stream"

/// Media types registered with IANA, or else in common use by servers.
private let commonMediaTypes: [String: String] = [
  "7z": "application/x-7z-compressed", "aac": "audio/aac", "apng": "image/apng", "avi": "video/x-msvideo",
  "avif": "image/avif", "bin": "application/octet-stream", "bmp": "image/bmp", "bz2": "application/x-bzip2",
  "conf": "text/plain", "css": "text/css", "csv": "text/csv",
  "doc": "application/msword",
  "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  "eml": "message/rfc822", "eot": "application/vnd.ms-fontobject", "epub": "application/epub+zip",
  "flac": "audio/flac", "geojson": "application/geo+json", "gif": "image/gif", "gz": "application/gzip",
  "heic": "image/heic", "heif": "image/heif", "htm": "text/html", "html": "text/html", "ico": "image/x-icon",
  "ics": "text/calendar", "jar": "application/java-archive", "jpeg": "image/jpeg", "jpg": "image/jpeg",
  "js": "text/javascript", "json": "application/json", "jsonl": "application/jsonl",
  "jsonld": "application/ld+json", "jxl": "image/jxl", "log": "text/plain", "m3u8": "application/vnd.apple.mpegurl",
  "m4a": "audio/mp4", "m4s": "video/iso.segment", "m4v": "video/mp4", "md": "text/markdown", "mid": "audio/midi",
  "mjs": "text/javascript", "mkv": "video/matroska", "mov": "video/quicktime", "mp3": "audio/mpeg",
  "mp4": "video/mp4", "mpeg": "video/mpeg", "mpg": "video/mpeg", "ndjson": "application/x-ndjson",
  "odp": "application/vnd.oasis.opendocument.presentation",
  "ods": "application/vnd.oasis.opendocument.spreadsheet", "odt": "application/vnd.oasis.opendocument.text",
  "oga": "audio/ogg", "ogg": "audio/ogg", "ogv": "video/ogg", "opus": "audio/ogg", "otf": "font/otf",
  "p12": "application/x-pkcs12", "parquet": "application/vnd.apache.parquet", "pdf": "application/pdf",
  "pem": "application/x-pem-file", "png": "image/png", "ppt": "application/vnd.ms-powerpoint",
  "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
  "proto": "text/plain", "rar": "application/vnd.rar", "rtf": "application/rtf", "sql": "application/sql",
  "svg": "image/svg+xml", "tar": "application/x-tar", "tgz": "application/gzip", "tif": "image/tiff",
  "tiff": "image/tiff", "toml": "application/toml", "ts": "video/mp2t", "tsv": "text/tab-separated-values",
  "ttf": "font/ttf", "txt": "text/plain", "vcf": "text/vcard", "vtt": "text/vtt", "wasm": "application/wasm",
  "wav": "audio/wav", "weba": "audio/webm", "webm": "video/webm", "webmanifest": "application/manifest+json",
  "webp": "image/webp", "woff": "font/woff", "woff2": "font/woff2", "xhtml": "application/xhtml+xml",
  "xls": "application/vnd.ms-excel",
  "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xml": "application/xml",
  "xz": "application/x-xz", "yaml": "application/yaml", "yml": "application/yaml", "zip": "application/zip",
  "zst": "application/zstd",
]

/// The extensions that the system's shared-mime-info knows.
struct SharedMediaTypes: Sendable {
  static let ofSystem = SharedMediaTypes(globs: contents(of: "/usr/share/mime/globs2"))

  /// Types by the extension in lower case, without its first dot.
  private var types: [String: String] = [:]

  /// Reads lines of `weight:type:glob`, the heaviest first; only globs such as `*.tar.gz` count here.
  init(globs: String) {
    for line in globs.split(separator: "\n") where !line.hasPrefix("#") {
      let fields = line.split(separator: ":", omittingEmptySubsequences: false)
      guard fields.count >= 3, fields[2].hasPrefix("*.") else { continue }
      let ending = fields[2].dropFirst(2)
      guard !ending.contains(where: { "*?[".contains($0) }) else { continue }
      let key = ending.lowercased()
      if types[key] == nil { types[key] = String(fields[1]) }
    }
  }

  /// The type by the longest known extension.
  func type(ofName name: String) -> String? {
    var rest = name[...]
    while let dot = rest.firstIndex(of: ".") {
      rest = rest[rest.index(after: dot)...]
      if let type = types[String(rest)] { return type }
    }
    return nil
  }
}

private func contents(of path: String) -> String {
  guard isRegularFile(path), case .success(let bytes) = readFile(path, limit: 4 << 20) else { return "" }
  return String(decoding: bytes, as: UTF8.self)
}
