import HTTPSemantics
import RequestSpecs
import Testing

@Suite struct UploadCheckTests {
  static let cases: [CheckTests.Case] = [
    CheckTests.Case(
      "a method without a body", "requests:\n  - {url: http://h, method: «GET», upload: {file: a}}\n",
      "a GET request can't send a file | leave the method out for PUT, or write PUT, PATCH or POST"),
    CheckTests.Case("PATCH", "requests:\n  - {url: http://h, method: PATCH, upload: {file: a}}\n"),
    CheckTests.Case(
      "parameters in the body",
      "requests:\n  - {url: http://h, upload: {file: a}, parameters: {«b»: 1}}\n",
      "`parameters` go into the body here, and there is another body | write `query`, or `encoding: {destination: query}`"
    ),
    CheckTests.Case(
      "fields without segments",
      "requests:\n  - {url: http://h, upload: {file: a, style: multipart, fields: «dropzone»}}\n",
      "`fields` distinguish segments, and there are none | add `segments: {}`, or leave `fields` out"),
    CheckTests.Case(
      "fields without a form", "requests:\n  - {url: http://h, upload: {file: a, segments: {}, fields: «dropzone»}}\n",
      "only a form has fields: here the body is the file itself | add `style: multipart`"),
    CheckTests.Case(
      "headers that are the upload's own",
      "requests:\n  - {url: http://h, headers: {«content-range»: a, «Content-Length»: 5}, upload: {file: a, segments: {}}}\n",
      "an upload sets content-range itself: it says which part of the file a segment is | leave the header out",
      "an upload sets Content-Length itself: the file's size is known | leave the header out"),
    CheckTests.Case(
      "a form's content type",
      "requests:\n  - {url: http://h, headers: {«Content-Type»: a/b}, upload: {file: a, style: multipart}}\n",
      "an upload sets Content-Type itself: it names the boundary between the fields | leave the header out"),
    CheckTests.Case(
      "a file's content type", "requests:\n  - {url: http://h, headers: {Content-Type: a/b}, upload: {file: a}}\n"),
  ]

  @Test(arguments: cases)
  func checks(_ test: CheckTests.Case) throws {
    let result = try Planning().plan(test.text)
    #expect(result.messages.sorted() == test.messages.sorted())
    #expect(result.diagnostics.compactMap { $0.range?.bytes }.sorted { $0.lowerBound < $1.lowerBound } == result.marks)
  }

  struct Layers: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let text: String
    let method: String
    let uploads: Bool
  }

  static let layers = [
    Layers(
      testDescription: "a file takes the place of the defaults' body",
      text: "defaults: {json: {a: 1}}\nrequests:\n  - {url: http://h, upload: {file: a}}\n", method: "PUT",
      uploads: true),
    Layers(
      testDescription: "a body takes the place of the defaults' file",
      text: "defaults: {upload: {file: a}}\nrequests:\n  - {url: http://h, json: {a: 1}}\n", method: "POST",
      uploads: false),
    Layers(
      testDescription: "the defaults' file",
      text: "defaults: {upload: {file: a, style: multipart}}\nrequests:\n  - {url: http://h}\n", method: "POST",
      uploads: true),
    Layers(
      testDescription: "null takes it away",
      text: "defaults: {upload: {file: a}}\nrequests:\n  - {url: http://h, upload: null}\n", method: "GET",
      uploads: false),
  ]

  @Test("a request has one body, whatever layer it is of", arguments: layers)
  func merging(_ test: Layers) throws {
    let result = try Planning().plan(test.text)
    #expect(result.messages == [])
    let request = try #require(result.plan?.requestSteps.first?.request)
    let settings = request.settings
    #expect((settings.transfer?.upload.value != nil) == test.uploads)
    #expect((settings.body.value != nil) != test.uploads || test.method == "GET")
    #expect(request.staticName == "\(test.method) http://h")
  }
}
