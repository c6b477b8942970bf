import Templates
import Testing

@Suite("References of templates")
struct TemplateReferenceTests {
  @Test("Every variable is listed with its member, place and default")
  func references() throws {
    let text =
      "${{ user.id + rows[index].name | length }} ${{ env.HOME | default(row['a']) }} ${{ default(a.b, c) | upper }}"
    let template = try #require(parse(text).template)
    let references = template.references
    #expect(references.map(\.name) == ["user", "rows", "index", "env", "row", "a", "c"])
    #expect(references.map(\.member) == ["id", nil, nil, "HOME", "a", "b", nil])
    #expect(references.map(\.hasDefault) == [false, false, false, true, false, true, false])
    #expect(references.map(\.range.text) == ["user", "rows", "index", "env.HOME", "row", "a", "c"])
  }

  @Test(
    "A default further out covers nothing",
    arguments: [
      ("a | upper | default(1)", false), ("a + 1 | default(1)", false), ("(a) | default(1)", true),
      ("a | first | default(1)", true), ("a[0].b | default(1)", true), ("(a | default(1)) | upper", true),
    ])
  func defaults(_ expression: String, _ hasDefault: Bool) throws {
    let template = try #require(parse("${{ \(expression) }}").template)
    #expect(template.references.first?.hasDefault == hasDefault)
  }

  @Test("Functions that stand alone are not variables")
  func functions() throws {
    #expect(try #require(parse("${{ now }}${{ uuid }}").template).references.isEmpty)
  }
}
