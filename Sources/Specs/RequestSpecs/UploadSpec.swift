import Diagnostics
import HTTPMessages
import Templates
import Transfers
import Values

/// `upload`: a file that goes out, in segments if that is wanted.
package struct UploadSpec: Sendable {
  package let file: Field<FileReference>
  /// Nil is ``UploadStyle/contentRange``.
  package let style: Field<UploadStyle>?
  /// The name of the form's field with the file or a piece of it.
  package let field: Field<Text>?
  /// The form's other fields.
  package let fields: Field<[SegmentField]>?
  /// Nil sends the file in one piece.
  package let segments: SegmentSpec?
  package let range: SourceRange

  /// The method of a request that says none; nil where only running tells.
  package var method: HTTPMethod? { style.map { $0.literal?.method } ?? UploadStyle.contentRange.method }

  /// Why the request must not have such a header of its own; nil where it may.
  package func refusal(ofHeader name: String, style: UploadStyle?) -> String? {
    switch name.lowercased() {
    case "content-range" where segments != nil: "it tells which part of the file a segment is"
    case "content-length", "transfer-encoding": "the file's size is known"
    case "content-type" where style == .multipart: "it names the boundary between the fields"
    default: nil
    }
  }

  /// Those that are evaluated before the request is sent.
  var templates: [Template] {
    file.templates + (style?.templates ?? []) + (field?.templates ?? []) + (fields?.templates ?? [])
      + (segments?.templates ?? [])
  }
}

extension HTTPMethod {
  /// Whether a file can be sent by it.
  package var takesUpload: Bool { !["GET", "HEAD", "TRACE", "CONNECT"].contains(rawValue) }
}

/// How segments say which part of the file they are.
package enum UploadStyle: String, Sendable, CaseIterable {
  case contentRange = "content_range"
  /// By fields of a form, of which another is the segment.
  case multipart

  package var method: HTTPMethod { self == .contentRange ? .put : .post }
}

/// `segments`
package struct SegmentSpec: Sendable {
  package var size: Field<SegmentSize>?
  package var parallel: Field<Int>?
  package var retry: Field<Int>?

  var templates: [Template] {
    (size?.templates ?? []) + (parallel?.templates ?? []) + (retry?.templates ?? [])
  }
}

/// A field of a form that tells which part of the file a segment is.
package struct SegmentField: Sendable, Hashable {
  package enum Content: String, Sendable, CaseIterable {
    /// The same for all segments of an upload.
    case id
    /// The file's.
    case name
    /// From 0.
    case index
    /// From 1.
    case number
    /// How many segments there are.
    case count
    /// In bytes.
    case offset
    /// Of this segment, in bytes.
    case length
    /// Of all segments but the last, in bytes.
    case segmentSize = "segment_size"
    /// The file's size in bytes.
    case total

    /// Whether it can be told only of segments that are all alike.
    package var needsEqualSegments: Bool {
      switch self {
      case .index, .number, .count, .segmentSize: true
      case .id, .name, .offset, .length, .total: false
      }
    }
  }

  package let name: String
  package let content: Content

  package init(_ name: String, _ content: Content) {
    self.name = name
    self.content = content
  }

  /// Those that Dropzone sends.
  package static let dropzone = [
    SegmentField("dzuuid", .id), SegmentField("dzchunkindex", .index), SegmentField("dztotalfilesize", .total),
    SegmentField("dzchunksize", .segmentSize), SegmentField("dztotalchunkcount", .count),
    SegmentField("dzchunkbyteoffset", .offset),
  ]

  /// Those that Resumable.js sends.
  package static let resumable = [
    SegmentField("resumableChunkNumber", .number), SegmentField("resumableChunkSize", .segmentSize),
    SegmentField("resumableCurrentChunkSize", .length), SegmentField("resumableTotalSize", .total),
    SegmentField("resumableIdentifier", .id), SegmentField("resumableFilename", .name),
    SegmentField("resumableRelativePath", .name), SegmentField("resumableTotalChunks", .count),
  ]
}
