import YAMLNodes

/// Keys and values of other tools, with their equivalents here.
enum MigrationHints {
  /// The advice for code that would be executed.
  static let script =
    "nothing is executed: compute values in `variables`, and take them from responses by `capture: {name: {value: …}}`"

  /// Words for `use`.
  static let wordsForUse: Set<String> = ["include", "includes", "call", "import", "imports", "uses", "run"]

  /// Words for a whole request, or its settings.
  static let wordsForRequest: Set = ["request", "http", "req", "options"]

  /// Words for `requests`, and where there are several tests for `flows`.
  private static let wordsForRequests: Set<String> = [
    "scenario", "scenario_outline", "scenarios", "stages", "steps", "test_cases", "testcases", "tests",
  ]

  // MARK: Files, flows and requests

  /// Words whose advice is the same in files, flows, requests and steps with `use`.
  private static let everywhere = advice([
    (
      wordsForRequests.joined(separator: " "),
      "write `requests` in the file, or `flows` for several independent tests"
    ),
    (
      "env environment",
      "write `variables`; `environments` of them stand in the project file `reqrun.yaml`, and --env chooses one"
    ),
    (
      wordsForUse.union(["use"]).joined(separator: " "),
      "write `- use: path` among the requests for those of another file; `needs` in the file runs it once before, "
        + "`extends` takes its variables, secrets and defaults"
    ),
    (
      "depends_on dependsOn",
      "write `needs` in the file for files that run before it; requests run in their order, and read what earlier ones "
        + "captured"
    ),
    ("retries max_retries maxRetries attempts retry_count", retryOrPoll(attempts: "3")),
    ("retry_until wait_until until wait_for eventually", "write `poll: {until: …}` in a request"),
    ("script scripts pre_request preRequest post_request before_request after_request hooks functions js", script),
  ])

  /// The advice for a word in a file, a flow, a request and the like; nil for their own synonyms.
  static func advice(for word: String, in keys: KeyTable) -> String? {
    guard ["requests", "base_url", "use", "environments"].contains(where: keys.contains) else { return nil }
    if keys === flowKeys.names, wordsForRequests.contains(word) { return "write `requests`" }
    if let advice = everywhere[word] { return advice }
    guard keys.synonyms[word] == nil,
      let key = requestKeys.names.synonyms[word] ?? fileKeys.names.synonyms[word]
    else { return nil }
    return keys.contains(key) ? "write `\(key)`" : "it is `\(key)` here, and belongs to \(owner(of: key))"
  }

  private static func owner(of key: String) -> String {
    if defaultsKeys.names.contains(key) { return "a request, or under `defaults:`" }
    switch (fileKeys.names.contains(key), flowKeys.names.contains(key), requestKeys.names.contains(key)) {
    case (true, true, true): return "the file, a flow or a request"
    case (true, true, false): return "the file or a flow"
    case (true, false, _): return "the file"
    default: return "a request"
    }
  }

  // MARK: Members

  /// The member to write in place of one whose value, too, is in another notation; nil if its key is the only mistake.
  static func replacement(of member: YAMLMember, meaning key: String?) -> String? {
    let value = member.value
    guard !value.hasError, value.localTag == nil else { return nil }
    let text = value.scalar.flatMap { $0.text.utf8.count <= 80 ? $0.text : nil }
    switch (member.key, key) {
    case ("unless", _), ("except", _):
      let inside = text.flatMap { writtenCondition(from: $0.hasPrefix("$") ? String($0.dropFirst()) : $0) }
      return inside.map { "when: \(yamlQuoted("${{ not (\($0.dropFirst(4).dropLast(3))) }}"))" }
    case ("enabled", _), ("enable", _), ("active", _): return text == "false" ? "skip: true" : nil
    case (_, "when"): return text.flatMap { writtenCondition(from: $0) }.map { "when: \(yamlQuoted($0))" }
    case (_, "each"): return text.flatMap { Int($0) }.map { "each: {count: \($0)}" }
    case (_, "body") where value.scalar == nil:
      let written = value.range.text
      return written.utf8.count <= 80 && !written.contains(where: \.isNewline) ? "json: \(written)" : nil
    default: return nil
    }
  }

  // MARK: A file

  static let fileAdvice = advice([
    ("version apiVersion schema $schema", "remove it: a spec has no version"),
    ("config settings options", "what all requests share stands under `defaults:`, values under `variables:`"),
    (
      "environments envs profiles default_environment",
      "environments stand in the project file `reqrun.yaml`, and --env chooses one"
    ),
    ("test", "write `requests` for what is sent, and in a request `expect` for what its response must be"),
    ("demo", "it belongs in the project file `reqrun.yaml`"),
    (
      "base_url baseUrl host headers auth timeout validate",
      "write it under `defaults:` for all requests, or in a request"
    ),
  ])

  // MARK: A request

  static let requestAdvice = advice([
    (
      "content_type contentType",
      "write a `Content-Type` under `headers:`, or under `expect:` what the response must have"
    ),
    ("options", "write its keys beside `url:`"),
    ("accept", "write an `Accept` under `headers:`"),
    ("user_agent", "write a `User-Agent` under `headers:`"),
    ("verify cert ca certificate key", "write it under `tls:`"),
    ("insecure ssl_verify verify_ssl verifySSL ssl", "write `tls: {verify: false}` for no checks of certificates"),
    ("username password user basic_auth", "write `auth: {basic: {username: …, password: …}}`"),
    ("token auth_token bearer_token access_token", "write `auth: {bearer: …}`"),
    ("files", "write `multipart:`, with {file: …} for each"),
    ("file", "write `body: {file: …}`, or `multipart:`"),
    ("max_redirects", "write `redirects: {max: …}`"),
    ("cookie_jar", "write `session: {cookies: …}`"),
    ("data", "write `form`, `json` or `body`"),
    ("bearer basic", "write it under `auth:`"),
    (
      "follow_redirects followRedirects follow_redirect allow_redirects follow",
      "write `redirects: follow` or `redirects: none`"
    ),
    ("unless", "write `when: '${{ not (…) }}'`, with what must not hold"),
    ("enabled enable active", "remove it; `skip: true` leaves a request out"),
    ("only focus", "remove it: `reqrun FILE:LINE`, --name and --tags choose what runs"),
    ("next paginate pagination", "write `each: {next: …}`, with the source of the next page"),
    ("location", "write `redirects: follow` or `none`, or under `expect:` what it must be: `headers: {Location: …}`"),
    ("tests", "write `expect` for what the response must be; several independent tests are `flows` of the file"),
    ("requests setup teardown defaults secrets extends", "it belongs to the file, beside `requests`"),
    ("needs", "it belongs to the file: requests run in their order, and read what earlier ones captured"),
    ("request http req", "write `method`, `url` and the others directly in the request"),
    ("environments", "environments stand in the project file `reqrun.yaml`, and --env chooses one"),
    ("flows flow", "it belongs to the file, in place of `requests`"),
    ("id", "give it a `name`"),
    ("type", "remove it: each request is one of HTTP, and its keys say what it sends"),
    ("def", "write `variables` for values, and `capture` for what the response gives"),
  ])

  // MARK: Expectations

  static let expectSynonyms = Dictionary(
    namedBy: SubjectKey.expected.flatMap { key in key.words.map { ($0, key.name) } })

  static let expectAdvice = advice([
    (
      "match matches contains equals regex",
      "write what is looked at first, such as `body: {matches: …}` or `json: {$.id: …}`"
    ),
    ("check checks assert asserts assertions response tests test should", "write its keys directly under `expect:`"),
    ("until wait_until", "write `poll: {until: …}` beside `expect`"),
    ("location", "write `headers: {Location: …}`"),
    ("when if", "make `expect` a list, and this a part of an item: `- when: …`, with what is expected then"),
  ])

  // MARK: Paths

  /// The correct form of an expectation whose key is a path: `$.id`, `body.id`, `header.Location`.
  static func expectationPath(_ key: String) -> String? {
    if key.contains(" "), let known = ComparisonText("\(key) …") ?? ComparisonText(key) {
      return known.subject.hasPrefix("$") ? "write `json: {\(known.member)}`" : "write `\(known.member)`"
    }
    if key.hasPrefix("$") { return "write it under `json:`" }
    guard let dot = key.firstIndex(of: ".") else { return nil }
    let name = key[key.index(after: dot)...]
    switch key[..<dot] {
    case "body", "json", "response", "data", "jsonpath": return "write `json: {$.\(name): …}`"
    case "header", "headers": return "write `headers: {\(name): …}`"
    case "cookie", "cookies": return "write `cookies: {\(name): …}`"
    default: return nil
    }
  }

  // MARK: Trying again and waiting

  /// The difference of two keys that other tools have one word for.
  static func retryOrPoll(attempts: String) -> String {
    "`retry: {attempts: \(attempts)}` tries again when the connection fails or the server says 429 or 5xx; to wait "
      + "until `expect` holds write `poll: {attempts: \(attempts)}`"
  }

  static let pollUntil = "what to wait for in the response stands under `poll:`, as `until`"

  // MARK: Keys of a request elsewhere

  /// Keys of a file, and those that belong to its requests.
  static let fileAdviceWithRequests = elsewhere("a request, or under `defaults:`", except: fileKeys.names.synonyms)
    .merging(fileAdvice) { $1 }

  /// Keys of a flow, and those that belong to its requests.
  static let flowAdvice = elsewhere("a request, or under `defaults:`", except: flowKeys.names.synonyms)
    .merging(fileAdvice) { $1 }

  /// Keys of `expect`, and those that belong beside it.
  static let expectAdviceWithRequests = elsewhere("the request, beside `expect`", except: expectSynonyms)
    .merging(expectAdvice) { $1 }

  private static func elsewhere(_ place: String, except own: [String: String]) -> [String: String] {
    var result = requestAdvice
    for (word, name) in requestKeys.names.synonyms { result[word] = "it is `\(name)` here, and belongs to \(place)" }
    for name in requestKeys.names.known { result[name] = "it belongs to \(place)" }
    return result.filter { own[$0.key] == nil }
  }

  /// The correct form of a request line such as `GET https://…`.
  static func requestLine(_ text: String) -> String? {
    let words = text.split(separator: " ").map(String.init)
    if words.count == 1, text.hasPrefix("http") { return "put `url: ` before it" }
    if words.count == 2, requestKeys.names.contains(words[0]) { return "write `\(words[0]): \(words[1])`" }
    guard words.count >= 2, words.count <= 3, standardMethods.contains(words[0].uppercased()) else { return nil }
    let method = words[0].uppercased()
    return "write " + (method == "GET" ? "" : "`method: \(method)` and ") + "`url: \(words[1])`"
  }

  private static func advice(_ groups: [(words: String, advice: String)]) -> [String: String] {
    var result: [String: String] = [:]
    for (words, advice) in groups {
      for word in words.split(separator: " ") { result[String(word)] = advice }
    }
    return result
  }
}
