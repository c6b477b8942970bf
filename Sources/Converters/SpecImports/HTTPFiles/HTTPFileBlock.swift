extension HTTPFile {
  /// A line `@name`, `# @name value`.
  struct Tag {
    let name: String
    let value: String
    let line: String
  }

  struct Block {
    /// The text after `###`.
    var title = ""
    var comments: [String] = []
    var tags: [Tag] = []
    /// The method, URL and version, joined from its lines; empty without a request.
    var requestLine = ""
    var headers: [String] = []
    var body: [String] = []
    /// Scripts before the request.
    var before: [String] = []
    /// Scripts after the response.
    var after: [String] = []
    /// Lines `?? status == 200`, without the marks.
    var assertions: [String] = []
    /// Other lines, with the reason why they are none of these.
    var others: [Untranslated] = []

    /// The value of the first header with a name in lower case.
    func header(_ name: String) -> String? {
      headers.lazy.compactMap { HTTPFileRequest.header($0) }.first { $0.name.lowercased() == name }?.value
    }
  }
}
