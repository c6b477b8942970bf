import HTTPSemantics
import Testing
import Transfers
import Values

@Suite struct FileNameTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let text: String
    let name: String?

    var testDescription: String { text.debugDescription }
  }

  @Test(
    "A name that stays where it is put",
    arguments: [
      Row(text: "plans.pdf", name: "plans.pdf"),
      Row(text: "the \"plans\" (1µ).pdf", name: "the \"plans\" (1µ).pdf"),
      Row(text: "€ rates.pdf", name: "€ rates.pdf"),
      Row(text: "/etc/passwd", name: "passwd"),
      Row(text: "../../up.txt", name: "up.txt"),
      Row(text: "..\\..\\up.txt", name: "up.txt"),
      Row(text: "C:\\Windows\\up.txt", name: "up.txt"),
      // A slash with a mark behind it is one character, and still a slash.
      Row(text: "..\u{2F}\u{301}up.txt", name: "\u{301}up.txt"),
      Row(text: "directory/", name: nil),
      Row(text: "", name: nil),
      Row(text: ".", name: nil),
      Row(text: "..", name: nil),
      Row(text: " .. ", name: nil),
      Row(text: "...", name: nil),
      Row(text: ".bashrc", name: "_bashrc"),
      Row(text: " .bashrc", name: "_bashrc"),
      Row(text: "-rf", name: "_rf"),
      Row(text: "a.txt. . ", name: "a.txt"),
      Row(text: "a\u{0}b\nc\u{7F}d\u{85}e.txt", name: "a_b_c_d_e.txt"),
      // It would be shown as `gpexe.jpg`.
      Row(text: "\u{202E}gpj.exe", name: "_gpj.exe"),
      Row(text: "a\u{200B}b\u{FEFF}c", name: "a_b_c"),
      Row(text: "CON", name: "_CON"),
      Row(text: "nul.txt", name: "_nul.txt"),
      Row(text: "com1.log", name: "_com1.log"),
      Row(text: "LPT³", name: "_LPT³"),
      Row(text: "console.log", name: "console.log"),
      Row(text: "com.log", name: "com.log"),
      Row(text: "a.reqrun-part", name: "a.reqrun-part_"),
      Row(text: "a.reqrun-journal", name: "a.reqrun-journal_"),
      Row(text: String(repeating: "x", count: 200), name: String(repeating: "x", count: 200)),
      // Nothing of what is cut is shown: it may be a part of a secret.
      Row(text: String(repeating: "x", count: 300) + ".tar.gz", name: "download-DIGEST.gz"),
      Row(text: String(repeating: "ä", count: 300), name: "download-DIGEST"),
      Row(text: "a." + String(repeating: "x", count: 300), name: "download-DIGEST"),
      Row(text: String(repeating: "x", count: 300) + ".S3cr3t", name: "download-DIGEST"),
    ])
  func aNameThatStaysWhereItIsPut(row: Row) {
    let name = safeFileName(row.text)?.replacing(/download-[0-9a-f]{16}/, with: "download-DIGEST")
    #expect(name == row.name)
  }

  @Test(
    "The last segment of a URL",
    arguments: [
      ("http://a/b/c.txt", "c.txt"), ("http://a/b/c.txt?d=/e", "c.txt"), ("http://a/b%20c.txt", "b c.txt"),
      ("http://a/b/", nil), ("http://a", nil), ("http://a/b/..%2F..%2Fc", "download-DIGEST"), ("http://a/%2e%2e", nil),
      ("http://a/%C3%A4.txt", "ä.txt"), ("http://a/x%00y", "x_y"),
      // A secret's end.
      ("http://a/QUJD%2FREVGR0g=", "download-DIGEST"), ("http://a/a%5Cb.pdf", "download-DIGEST.pdf"),
    ])
  func theLastSegmentOfAUrl(url: String, name: String?) throws {
    let found = fileName(of: try HTTPURL(parsing: url))
    #expect(found?.replacing(/download-[0-9a-f]{16}/, with: "download-DIGEST") == name)
  }
}
