import HTTPSemantics
import RequestSpecs
import Testing
import Transfers

@Suite struct UploadTests {
  static let cases: [DiagnosticCase] = [
    .request("a file is needed", "upload: «{}»", "`upload` needs `file` | write {file: …}"),
    .request("a path alone", "upload: «big.bin»", "`upload` is a mapping, found text | write {file: big.bin}"),
    .request("a list", "upload: «[a]»", "`upload` is a mapping, found a list | write {file: …}"),
    .request(
      "how many segments", "upload: {file: a, segments: «4»}",
      "`segments` is a mapping, found a number | write {size: 1MiB, parallel: 4}: the size of each, and how many are sent at a time"
    ),
    .request(
      "the size of segments alone", "upload: {file: a, segments: «1MiB»}",
      "`segments` is a mapping, found text | write {size: 1MiB}"),
    .request(
      "segments as a flag", "upload: {file: a, segments: «true»}",
      "`segments` is a mapping, found true or false | write {size: auto}"),
    .request("an empty path", "upload: {file: «\"\"»}", "an empty path names no file"),
    .request(
      "a key of the segments", "upload: {file: a, «parallel»: 4}",
      "unknown key `parallel` in `upload` | write it under `segments:`"),
    .request(
      "a key that is mistyped", "upload: {file: a, segments: {«sise»: 1}}",
      "unknown key `sise` in `segments` | did you mean `size`?"),
    .request(
      "an unknown style", "upload: {file: a, style: «content-range»}",
      "unknown value \"content-range\": expected one of content_range, multipart | did you mean `content_range`?"),
    .request(
      "segments of nothing", "upload: {file: a, segments: {size: «0»}}",
      "a segment has at least one byte | write a size such as 8MiB, or `auto`"),
    .request(
      "a size that is none", "upload: {file: a, segments: {size: «large»}}",
      "expected auto, or a size such as 8MiB or a number of bytes, found the text \"large\""),
    .request(
      "none at a time", "upload: {file: a, segments: {parallel: «0»}}", "expected an integer from 1 to 64, found 0"),
    .request(
      "a negative number of attempts", "upload: {file: a, segments: {retry: «-1»}}",
      "expected an integer from 0 to 100, found -1"),
    .request(
      "unknown fields", "upload: {file: a, style: multipart, segments: {}, fields: «dropzon»}",
      "unknown value \"dropzon\": expected one of dropzone, resumable, content_range | did you mean `dropzone`?"),
    .request(
      "a field that tells what there is not",
      "upload: {file: a, style: multipart, segments: {}, fields: «{part: inde}»}",
      "unknown value \"inde\" | did you mean `index`?"
    ),
    .request(
      "no fields", "upload: {file: a, style: multipart, segments: {}, fields: «{}»}",
      "segments without fields cannot be distinguished | write `content_range` for the header alone"),
    .request(
      "another body", "json: {}\n«upload»: {file: a}",
      "`upload` and `json` are both bodies: a request has one | remove `json:` or `upload:`"),
    .request(
      "a template for each",
      "upload: {file: \"${{ env.A }}\", style: \"${{ env.B }}\", segments: {size: \"${{ env.C }}\"}}"),
  ]

  @Test(arguments: cases)
  func reading(_ test: DiagnosticCase) { test.check() }

  private func upload(_ text: String) throws -> UploadSpec {
    let spec = try readSpec("requests:\n  - {url: http://h, upload: \(text)}\n")
    return try #require(spec.requests.first?.settings.transfer?.upload.value)
  }

  @Test("defaults, and what is given")
  func values() throws {
    let plain = try upload("{file: a}")
    #expect(plain.file.literal?.path.string == "a" && plain.segments == nil && plain.method == .put)
    let all = try upload(
      "{file: a, style: multipart, field: part, fields: {n: number, size: total}, segments: {size: 8MiB, parallel: 2, retry: 0}}"
    )
    #expect(all.method == .post && all.field?.literal?.string == "part")
    #expect(all.fields?.literal == [SegmentField("n", .number), SegmentField("size", .total)])
    #expect(all.segments?.size?.literal == .fixed(8 << 20))
    #expect(all.segments?.parallel?.literal == 2 && all.segments?.retry?.literal == 0)
    #expect(try upload("{file: a, segments: {size: auto}}").segments?.size?.literal == .automatic)
    #expect(try upload("{file: a, style: \"${{ env.A }}\"}").method == nil)
  }
}
