import HTTPSemantics
import Testing
import Transfers

@Suite struct RangeTests {
  struct ContentRangeRow: Sendable {
    let text: String
    let bytes: Range<Int64>?
    let total: Int64?
  }

  @Test(
    "Content ranges",
    arguments: [
      ContentRangeRow(text: "bytes 0-99/1000", bytes: 0..<100, total: 1000),
      ContentRangeRow(text: "bytes 0-0/1", bytes: 0..<1, total: 1),
      ContentRangeRow(text: "Bytes  5-9/*", bytes: 5..<10, total: nil),
      ContentRangeRow(text: "bytes */1000", bytes: nil, total: 1000),
    ])
  func contentRanges(row: ContentRangeRow) {
    let range = ContentRange(parsing: row.text)
    #expect(range?.bytes == row.bytes)
    #expect(range?.total == row.total)
    #expect(range != nil)
  }

  @Test(
    "What is not a content range",
    arguments: [
      "", "bytes", "bytes 0-99", "items 0-9/10", "bytes */*", "bytes 9-5/10", "bytes 0-10/10", "bytes -5/10",
      "bytes 5-/10", "bytes +1-2/10", "bytes 0-9/10/11", "bytes 0-9223372036854775807/*",
      "bytes 0-9/99999999999999999999", "bytes 0 - 9/10", "bytes 0x0-9/10",
    ])
  func whatIsNoContentRange(text: String) {
    #expect(ContentRange(parsing: text) == nil)
  }

  @Test("Ranges grow together") func rangesGrowTogether() {
    var ranges = ByteRanges()
    #expect(ranges.beginning == 0)
    #expect(ranges.missing(of: 10).ranges == [0..<10])
    ranges.insert(20..<30)
    ranges.insert(0..<10)
    ranges.insert(40..<50)
    #expect(ranges.ranges == [0..<10, 20..<30, 40..<50])
    #expect(ranges.missing(of: 60).ranges == [10..<20, 30..<40, 50..<60])
    #expect(ranges.missing(of: 45).ranges == [10..<20, 30..<40])
    ranges.insert(10..<12)
    #expect(ranges.ranges == [0..<12, 20..<30, 40..<50])
    ranges.insert(12..<20)
    #expect(ranges.ranges == [0..<30, 40..<50])
    ranges.insert(5..<5)
    ranges.insert(25..<45)
    #expect(ranges.ranges == [0..<50])
    #expect(ranges.missing(of: 50).ranges == [])
    #expect(ranges.count == 50)
    #expect(ranges.beginning == 50)
  }

  @Test(
    "Validators that If-Range takes",
    arguments: [
      ("\"abc\"", nil, nil, "\"abc\""),
      ("\"abc\"", "Wed, 01 May 2024 10:00:00 GMT", "Wed, 01 May 2024 12:00:00 GMT", "\"abc\""),
      // A weak tag can't be used, nor a date beside it.
      ("W/\"abc\"", "Wed, 01 May 2024 10:00:00 GMT", "Wed, 01 May 2024 12:00:00 GMT", nil),
      ("abc", nil, nil, nil),
      (nil, "Wed, 01 May 2024 10:00:00 GMT", "Wed, 01 May 2024 12:00:00 GMT", "Wed, 01 May 2024 10:00:00 GMT"),
      (nil, "Wed, 01 May 2024 10:00:00 GMT", "Wed, 01 May 2024 10:00:00 GMT", nil),
      (nil, "Wed, 01 May 2024 10:00:00 GMT", nil, nil),
      (nil, "yesterday", "Wed, 01 May 2024 12:00:00 GMT", nil),
      (nil, nil, nil, nil),
    ] as [(String?, String?, String?, String?)])
  func validatorsThatIfrangeTakes(tag: String?, modified: String?, date: String?, text: String?) {
    var headers = HeaderFields()
    if let tag { headers.append("ETag", tag) }
    if let modified { headers.append("Last-Modified", modified) }
    if let date { headers.append("Date", date) }
    #expect(RangeValidator(headers)?.text == text)
  }

  @Test("A validator is contradicted by another one alone") func aValidatorIsContradictedByAnotherOneAlone() {
    let tag = RangeValidator.entityTag("\"a\"")
    #expect(!tag.isContradicted(by: HeaderFields()))
    #expect(!tag.isContradicted(by: HeaderFields([("ETag", "\"a\"")])))
    #expect(tag.isContradicted(by: HeaderFields([("ETag", "\"b\"")])))
    #expect(tag.isContradicted(by: HeaderFields([("ETag", "W/\"a\"")])))
  }
}

@Suite struct JournalTests {
  private func journal(_ ranges: ByteRanges? = nil, total: Int64? = 100) -> DownloadJournal {
    DownloadJournal(request: "0123456789abcdef", validator: .entityTag("\"a b\""), total: total, ranges: ranges)
  }

  @Test("What is written is read") func whatIsWrittenIsRead() {
    var ranges = ByteRanges(0..<10)
    ranges.insert(50..<60)
    for one in [journal(), journal(total: nil), journal(ranges), journal(ByteRanges())] {
      #expect(DownloadJournal(parsing: one.text) == one)
    }
    let dated = DownloadJournal(
      request: "x", validator: .lastModified("Wed, 01 May 2024 10:00:00 GMT"), total: nil)
    #expect(DownloadJournal(parsing: dated.text) == dated)
  }

  @Test("Each part of it counts") func eachPartOfItCounts() {
    let text = journal(ByteRanges(0..<10)).text
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    // Cut anywhere, it is none.
    for count in 0..<text.utf8.count { #expect(DownloadJournal(parsing: String(text.prefix(count))) == nil) }
    for wrong in [
      "", "garbage", text + "more", text.replacing("download 1", with: "download 2"),
      text.replacing("length 100", with: "length -1"), text.replacing("length 100", with: "length 5"),
      text.replacing("length 100\n", with: ""), text.replacing("0-10", with: "10-0"),
      text.replacing("0-10", with: "x"), text.replacing("etag", with: "tag"),
      text.replacing("etag", with: "etag \"x\"\netag"), lines.reversed().joined(separator: "\n"),
    ] { #expect(DownloadJournal(parsing: wrong) == nil, "\(wrong)") }
  }
}

@Suite struct ByteCountTests {
  @Test(
    "Sizes for people",
    arguments: [
      (0, "0 bytes"), (1, "1 byte"), (1023, "1023 bytes"), (1024, "1 KiB"), (1536, "1.5 KiB"),
      (1_048_575, "1023 KiB"), (1_048_576, "1 MiB"), (10_485_759, "9.9 MiB"), (1 << 30, "1 GiB"),
      (5 << 40, "5 TiB"),
    ] as [(Int64, String)])
  func sizesForPeople(count: Int64, text: String) {
    #expect(byteCountText(count) == text)
  }
}
