import HTTPSemantics
import Templates
import Transfers
import Values

/// `upload`: a file to send, optionally in segments.
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

  /// The default method of the request; nil if it is only known at run time.
  package var method: HTTPMethod? { style.map { $0.literal?.method } ?? UploadStyle.contentRange.method }

  /// The reason why the request must not have such a header of its own; nil if it may.
  package func refusal(ofHeader name: String, style: UploadStyle?) -> String? {
    switch name.lowercased() {
    case "content-range" where segments != nil: "it says which part of the file a segment is"
    case "content-length", "transfer-encoding": "the file's size is known"
    case "content-type" where style == .multipart: "it names the boundary between the fields"
    default: nil
    }
  }

  /// The templates that are evaluated before the request is sent.
  var templates: [Template] {
    file.templates + (style?.templates ?? []) + (field?.templates ?? []) + (fields?.templates ?? [])
      + (segments?.templates ?? [])
  }
}

extension HTTPMethod {
  /// Indicates whether a file can be sent with this method.
  package var takesUpload: Bool { !["GET", "HEAD", "TRACE", "CONNECT"].contains(rawValue) }
}

/// The way in which segments describe their position in the file.
package enum UploadStyle: String, Sendable, CaseIterable {
  case contentRange = "content_range"
  /// Fields of a form that also contains the segment.
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

/// A field of a form that describes the segment.
package struct SegmentField: Sendable, Hashable {
  package enum Content: String, Sendable, CaseIterable {
    /// The same for all segments of an upload.
    case id
    /// The file's name.
    case name
    /// The index, counted from 0.
    case index
    /// The number, counted from 1.
    case number
    /// The number of segments.
    case count
    /// The offset in bytes.
    case offset
    /// The length of this segment, in bytes.
    case length
    /// The size of all segments but the last, in bytes.
    case segmentSize = "segment_size"
    /// The file's size in bytes.
    case total

    /// Indicates whether it requires that all segments have the same size.
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

  package static let dropzone = [
    SegmentField("dzuuid", .id), SegmentField("dzchunkindex", .index), SegmentField("dztotalfilesize", .total),
    SegmentField("dzchunksize", .segmentSize), SegmentField("dztotalchunkcount", .count),
    SegmentField("dzchunkbyteoffset", .offset),
  ]

  /// The fields of Resumable.js.
  package static let resumable = [
    SegmentField("resumableChunkNumber", .number), SegmentField("resumableChunkSize", .segmentSize),
    SegmentField("resumableCurrentChunkSize", .length), SegmentField("resumableTotalSize", .total),
    SegmentField("resumableIdentifier", .id), SegmentField("resumableFilename", .name),
    SegmentField("resumableRelativePath", .name), SegmentField("resumableTotalChunks", .count),
  ]
}
