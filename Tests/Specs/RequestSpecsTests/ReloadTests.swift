import Diagnostics
import OperatingSystem
import RequestSpecs
import Testing

struct ReloadTests {
  private static let spec = """
    variables: {a: 1}
    requests:
      - name: one ${{ a }}
        url: http://h/${{ a }}
        headers: {X-A: "${{ a }}"}
        expect: {status: 200, json: {$.a: {at_least: 1}, $.b: !uuid}}
      - url: http://h
        body: {file: a.txt}
    """

  private func load(_ text: String) -> Int {
    var bag = DiagnosticBag()
    let file = LoadedFile.read(bytes: Array(text.utf8), path: "spec.yaml", asProject: false, into: &bag)
    return withExtendedLifetime(file) { bag.errorCount }
  }

  @Test(
    "Sources live as long as what is made of them",
    arguments: [(spec, 0), (spec + "\n  - ulr: x\n", 1), ("requests: [", 1)])
  func sources(text: String, errors: Int) {
    _ = load(text)
    let before = SourceText.liveCount
    for _ in 0..<1000 { #expect(load(text) >= errors) }
    // Other tests may run meanwhile.
    #expect(SourceText.liveCount - before < 500)
  }

  #if os(Linux)
    @Test("Reloading a file adds no memory")
    func memory() throws {
      for _ in 0..<200 { _ = load(Self.spec) }
      let before = try residentPages()
      for _ in 0..<10_000 { _ = load(Self.spec) }
      // 10,000 sources of this size would be 2,000 pages and more.
      #expect(try residentPages() - before < 500)
    }

    private func residentPages() throws -> Int {
      guard case .success(let bytes) = readFile("/proc/self/statm", limit: 4096) else { return 0 }
      return try #require(Int(String(decoding: bytes, as: UTF8.self).split(separator: " ")[1]))
    }
  #endif
}
