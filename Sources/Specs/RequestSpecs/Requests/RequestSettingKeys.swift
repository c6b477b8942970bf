import HTTPSemantics
import Matching
import Templates
import Values
import YAMLNodes

/// The keys of a request, other than its name, description and tags, in any layer.
extension RequestSettings {
  static let keys: [SettingKey<RequestSettings>] =
    addressKeys + bodyKeys + exchangeKeys + runningKeys + responseKeys
    + TransferSettings.settingKeys.all.map { key in key.within({ $0.transfer }, { $0.transfer = $1 }) }
    + ConnectionSettings.settingKeys.all.map { key in key.within({ $0.connection }, { $0.connection = $1 }) }

  /// The number of keys, of which a ``SettingSet`` has a bit for each.
  package static var keyCount: Int { keys.count }

  // MARK: Parts of the table

  private static func places(_ names: some Sequence<String>) -> SettingSet {
    var result = SettingSet()
    for name in names {
      if let place = keys.firstIndex(where: { $0.key.name == name }) { result.insert(place) }
    }
    return result
  }

  static let urlPlace = places(["url"])
  static let capturePlace = places(["capture"])
  static let connectionPlaces = places(ConnectionSettings.settingKeys.all.map(\.key.name))
  static let connectingPlaces = places(
    ConnectionSettings.settingKeys.all.map(\.key.name) + ["timeout", "redirects", "transport"])
  /// The keys whose templates are evaluated with the response.
  static let checkingPlaces = places(responseKeys.map(\.key.name) + ["poll", "send"])
  /// The keys of which a request has at most one.
  static let bodyNames = bodyKeys.map(\.key.name).filter { !["compress", "digest"].contains($0) } + ["upload"]

  // MARK: Destination

  private static let addressKeys: [SettingKey<RequestSettings>] = [
    SettingKey(
      RequestKey.method.rawValue, "any token, sent as written; `GET` by default, or `POST` with a body",
      synonyms: "verb http_method httpMethod", .field(.method, check: { $0.checkMethodCase($1) }), { $0.method },
      { $0.method = $1 },
      needs: { settings, needs in
        guard let field = settings.method.value, field.literal?.isMiscased ?? false else { return }
        needs.append(Located(.methodCase, at: field.range))
      }),
    SettingKey(
      RequestKey.url.rawValue,
      "absolute, or appended to `base_url` with exactly one `/` between; one that begins with `?` or `#` takes none, "
        + "an empty one is the base itself",
      synonyms: "uri endpoint href target address", .field(.urlReference, check: { $0.checkURLTraps($1) }), { $0.url },
      { $0.url = $1 }, needs: { needIPv6($0.url, &$1) }),
    SettingKey(
      RequestKey.baseURL.rawValue, "see `url`", synonyms: "host server root baseURL",
      .field(.baseURL, check: { $0.checkURLTraps($1) }),
      { $0.baseURL }, { $0.baseURL = $1 },
      templates: { settings, found in
        // A base is ignored if the URL is absolute.
        if !(settings.url.value?.literal.map { isAbsoluteURL($0.string) } ?? false) {
          settings.baseURL.addTemplates(to: &found)
        }
      }, needs: { needIPv6($0.baseURL, &$1) }),
    SettingKey(
      RequestKey.path.rawValue,
      "fills `{name}` in the URL's path, percent-encoded as one segment: `/` becomes `%2F`. What makes a segment "
        + "empty, `.` or `..` is an error",
      synonyms: "path_params pathParams path_parameters pathParameters path_variables pathVariables url_params",
      .values(of: .scalar) { $0.scalars($1, as: "path", lists: false) }, { $0.path }, { $0.path = $1 }),
    SettingKey(
      RequestKey.requestTarget.rawValue, "what stands in the request line instead, such as `\"*\"`",
      .field(.text, needs: .requestTarget), { $0.requestTarget }, { $0.requestTarget = $1 }),
    SettingKey(
      RequestKey.headers.rawValue,
      "in order and letter case as written; a list sends several; `null` removes. Without any, `User-Agent: reqrun/…` "
        + "and `Accept: */*` are sent; `null` removes these, too, and a `Content-Type` that a body brings (URLSession "
        + "sends some of its own in their place)",
      synonyms: "header",
      .values(of: SchemaShape.scalar.orList.or(.null), ignoringCase: true) { $0.headers($1) }, { $0.headers },
      { $0.headers = $1 },
      needs: { settings, needs in
        for entry in settings.headers.entries {
          guard let value = entry.value else { continue }
          if case .list(let items)? = value.literal, items.count > 1 {
            needs.append(Located(.repeatedHeaders, at: value.range))
          }
          if ["content-length", "transfer-encoding", "expect"].contains(entry.key.text.lowercased()) {
            needs.append(Located(.transportHeaders, at: entry.key.range))
          }
        }
      }),
    SettingKey(
      RequestKey.parameters.rawValue, "encoded by `encoding`, to the query or the body by method",
      .values(of: .anything) { $0.parameters($1, as: "parameters") }, { $0.parameters }, { $0.parameters = $1 }),
    SettingKey(
      RequestKey.query.rawValue, "encoded onto the query, after what the URL has",
      synonyms: "param params qs query_params queryParams querystring query_string search",
      .values(of: .anything) { $0.parameters($1, as: "query") }, { $0.query }, { $0.query = $1 }),
  ]

  @Sendable private static func needIPv6(
    _ setting: Setting<Field<Text>>, _ needs: inout [Located<TransportFeature>]
  ) {
    guard let field = setting.value, let url = field.literal?.string, url.contains(byte: UInt8(ascii: "[")),
      url.contains("://[")
    else { return }
    needs.append(Located(.ipv6Literal, at: field.range))
  }

  // MARK: Content

  private static let bodyKeys: [SettingKey<RequestSettings>] =
    [
      body(
        .form, "encoded into the body, with `application/x-www-form-urlencoded; charset=utf-8`",
        synonyms: "form_params urlencoded form_urlencoded", SchemaShape.names(of: .anything).orTemplate,
        is: { if case .form = $0 { true } else { false } }
      ) { $0.form($1) },
      body(
        .json, "any value, as JSON, with `application/json`; `json: null` sends `null`",
        synonyms: "json_body jsonBody", .anything, is: { if case .json = $0 { true } else { false } },
        nullRemoves: false
      ) { $0.json($1) },
      body(
        .body, "text, `{file: …}` or `{base64: …}`; sets no content type", synonyms: "payload raw content text",
        SchemaShape.scalar.or(BodyDraft.keys.shape()),
        is: { body in
          switch body {
          case .text, .base64, .file, .textFile: true
          case .form, .json, .multipart, .graphQL: false
          }
        }
      ) { $0.body($1) },
      body(
        .graphql,
        "`{query: …, variables: …, operation: …}`, a JSON body; `query: {file: …}` reads it from a file. `errors` in "
          + "the response fail the request: see \"Validation\"; `subscription` in place of `query` needs a `stream`",
        GraphQLDraft.keys.shape(), is: { if case .graphQL = $0 { true } else { false } }
      ) { $0.graphQL($1) },
      body(
        .multipart, "the parts of a form: see \"Files and forms\"", synonyms: "form_data formData form-data",
        SchemaShape.names(of: PartDraft.shape).orTemplate, is: { if case .multipart = $0 { true } else { false } }
      ) { .multipart($0.multipart($1), range: $1.range) },
    ]
    + BodyCodingSettings.settingKeys.all.map { key in key.within({ $0.bodyCoding }, { $0.bodyCoding = $1 }) }

  /// A key for a kind of body, of which there is at most one.
  private static func body(
    _ name: RequestKey, _ documentation: String, synonyms: String = "",
    _ shape: @autoclosure @escaping @Sendable () -> SchemaShape,
    is isOfKind: @escaping @Sendable (BodySpec) -> Bool, nullRemoves: Bool = true,
    _ read: @escaping @Sendable (inout SpecReader, YAMLNode) -> BodySpec?
  ) -> SettingKey<RequestSettings> {
    SettingKey(
      name.rawValue, documentation, synonyms: synonyms,
      .whole(shape(), nullRemoves: nullRemoves, templates: { isOfKind($0) ? $0.templates : [] }, read), { $0.body },
      { settings, body in if case .inherited = body {} else { settings.body = body } })
  }

  // MARK: Sending

  private static let exchangeKeys: [SettingKey<RequestSettings>] = [
    SettingKey(
      "encoding", "how parameters, queries and forms are written: `alamofire`, or a mapping",
      SettingKind(
        reader: ValueReader(EncodingSettings.keys.shape().or(.words(["alamofire"])).or(.null)) {
          $0.encoding($1.value)
        }, removed: .removed, over: { $0.over($1) },
        addTemplates: { encoding, found in
          for entry in encoding.entries { found += entry.option?.templates ?? [] }
        }, addNeeds: { _, _ in }), { $0.encoding }, { $0.encoding = $1 }),
    SettingKey(
      RequestKey.cookies.rawValue, "sent with this request, beside the jar's and before them", synonyms: "cookie",
      .values(of: SchemaShape.scalar.orList.or(.null)) { $0.scalars($1, as: "cookies", lists: true) }, { $0.cookies },
      { $0.cookies = $1 }),
    SettingKey(
      RequestKey.auth.rawValue,
      "`{basic: …}`, `{bearer: …}`, `{digest: …}`, `{ntlm: …}`, `{aws_sigv4: …}`, `{oauth2: …}`, `netrc`, "
        + "`negotiate`, `none`",
      .whole(
        AuthDraft.keys.shape().or(.words(["none", "netrc", "negotiate"])), templates: \.templates,
        needs: { auth, needs in
          if auth.isOfConnection, let range = auth.range {
            needs.append(Located(.connectionAuthentication, at: range))
          }
          if case .oauth2(let spec) = auth { needs.append(Located(.requestBody, at: spec.range.firstLine)) }
        }
      ) { $0.auth($1) }, { $0.auth }, { $0.auth = $1 }),
    SettingKey(
      RequestKey.timeout.rawValue,
      "a duration for the whole request, including redirects; or `{connect: …, request: …, resource: …}`: `request` is the "
        + "longest gap between two packets (60 s), `resource` the whole (5 m)",
      .part(alone: ValueDecoder<Duration>.timeLimit.shape.orTemplate) { $0.timeout($1) }, { $0.timeout },
      { $0.timeout = $1 }),
    SettingKey(
      RequestKey.redirects.rawValue,
      "`follow` (at most 10), `none`, or `{max: …, keep_method: true, allow_http: true, trust_hosts: […]}`",
      SettingKind(
        reader: ValueReader(
          RedirectSettings.settingKeys.keys.shape().or(RedirectSettings.word.shape.orTemplate).or(.null)
        ) { $0.redirects($1.value) }, removed: .removed, over: { $0.over($1) },
        addTemplates: { redirects, found in
          redirects.mode.addTemplates(to: &found)
          redirects.addTemplates(to: &found)
        }, addNeeds: { _, _ in }), { $0.redirects }, { $0.redirects = $1 }),
    SettingKey(
      RequestKey.session.rawValue, "`{cookies: …, cache: …, cache_directory: …, max_connections_per_host: …}`",
      .part { $0.part($1, as: "`session`") }, { $0.session }, { $0.session = $1 }),
    SettingKey(
      "transport",
      "`auto`, `curl` or `urlsession`; takes no template, `--transport` wins. What one lacks is an error before "
        + "anything is sent",
      .whole(ValueDecoder<TransportChoice>.word().shape) { $0.transport($1) }, { $0.transport }, { $0.transport = $1 }),
    SettingKey(
      RequestKey.bodyOnGet.rawValue, "`true` allows a body on GET and HEAD, which is an error otherwise",
      .field(.boolean),
      { $0.bodyOnGet }, { $0.bodyOnGet = $1 }),
  ]

  // MARK: Conditions

  private static let runningKeys: [SettingKey<RequestSettings>] =
    [
      SettingKey(
        RequestKey.delay.rawValue, "a pause before the request", synonyms: "sleep wait pause", .field(.duration),
        { $0.delay },
        { $0.delay = $1 }),
      SettingKey(
        RequestKey.skip.rawValue, "`true`, or a reason", synonyms: "disabled ignore ignored pending skip_if skipIf",
        .field(.skipRule),
        { $0.skip }, { $0.skip = $1 }),
      SettingKey(
        RequestKey.when.rawValue, "a condition: the request runs only if it is true",
        synonyms: "if condition only_if run_if",
        .field(.condition, check: { $0.checkCondition($1) }), { $0.when },
        { $0.when = $1 }),
      SettingKey(
        RequestKey.continueOnFailure.rawValue,
        "the file goes on after a failure, which still counts; otherwise the rest of `requests` is skipped. "
          + "`--keep-going` is `true` where no layer says anything",
        .field(.boolean), { $0.continueOnFailure }, { $0.continueOnFailure = $1 }),
    ] + RepetitionSettings.settingKeys.all.map { key in key.within({ $0.repetition }, { $0.repetition = $1 }) }

  // MARK: Response

  private static let responseKeys: [SettingKey<RequestSettings>] = [
    SettingKey(
      RequestKey.validate.rawValue, "`auto`, `none`, or `{status: …, content_type: …}`",
      .whole(
        SpecReader.validateKeys.shape().or(.words(["auto", "none"])),
        templates: { validate in
          guard case .rules(let status, let types) = validate else { return [] }
          return (status?.templates ?? []) + (types ?? []).flatMap(\.templates)
        }
      ) { $0.validate($1) }, { $0.validate }, { $0.validate = $1 }),
    SettingKey(
      RequestKey.namespaces.rawValue, "the prefixes of XPaths, each with its namespace's URI",
      .names(of: SchemaShape.someText.or(.null), takesTemplate: false, templates: { _, _ in }) { $0.namespaces($1) },
      { $0.namespaces }, { $0.namespaces = $1 }),
    SettingKey(
      RequestKey.expect.rawValue, "what the response must be; every assertion is evaluated",
      synonyms: "assert asserts assertion assertions tests test check checks response expected expects expectation "
        + "expectations validators validator should verify_response validations match matches then",
      SettingKind(
        reader: ValueReader(expectShape.or(expectListShape).or(.null)) { $0.expectationsOrGroups($1.value) },
        removed: .removed,
        over: { $0.over($1) },
        addTemplates: { expect, found in expect.addTemplates(to: &found) },
        addNeeds: { expect, needs in expect.forEachAssertion { $0.addNeeds(to: &needs) } }), { $0.expect },
      { $0.expect = $1 }),
    SettingKey(
      RequestKey.capture.rawValue, "values of the response that later requests read, by name",
      synonyms: "captures bind save extract extractors extractor set store export register output_vars set_vars saves",
      SettingKind(
        reader: ValueReader(SchemaShape.names(of: captureShape.or(.null)).or(.null)) { $0.captures($1.value) },
        removed: .removed, over: { $0.over($1) },
        addTemplates: { captures, found in
          for entry in captures.entries { entry.value?.addTemplates(to: &found) }
        },
        addNeeds: { captures, needs in
          for entry in captures.entries { entry.value?.addNeeds(to: &needs) }
        }), { $0.capture }, { $0.capture = $1 }),
    SettingKey(
      RequestKey.openapi.rawValue,
      "`none`: the request is outside the file's contract; `{undeclared: true}`: its response may have a status or a "
        + "content type that the contract does not declare",
      .whole(ContractUseDraft.keys.shape().or(.words(["none"]))) { $0.contractUse($1) }, { $0.contract },
      { $0.contract = $1 }),
  ]
}
