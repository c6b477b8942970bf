// swift-tools-version: 6.2
import PackageDescription

/// `REQRUN_STRICT=1` (set by `make` and `.ci/run`) turns warnings into errors, but not for users of the package.
let strict = Context.environment["REQRUN_STRICT"] == "1"
let settings: [SwiftSetting] = strict ? [.treatAllWarnings(as: .error)] : []

#if os(Linux)
  /// Files that need Apple's frameworks.
  let appleOnly = ["Apple"]
  /// Files for another system, in a target that has some for each.
  let otherSystem = ["Apple"]
  /// The worker that tests start; there is none elsewhere.
  let worker: [Target.Dependency] = ["URLSessionWorker"]
#else
  let appleOnly: [String] = []
  let otherSystem = ["Linux"]
  let worker: [Target.Dependency] = []
#endif

func library(_ name: String, apt: [String], brew: [String], pkgConfig: String) -> Target {
  .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt(apt), .brew(brew)])
}

func target(_ name: String, _ dependencies: [Target.Dependency] = [], linked library: String? = nil) -> Target {
  .target(
    name: name, dependencies: dependencies, swiftSettings: settings,
    linkerSettings: library.map { [.linkedLibrary($0, .when(platforms: [.macOS]))] })
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
  .testTarget(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: settings)
}

/// The targets of a floor, in its folder.
func floor(_ name: String, in folder: String = "Sources", _ targets: [Target]) -> [Target] {
  for target in targets { target.path = "\(folder)/\(name)/\(target.name)" }
  return targets
}

// The lowest floor first: a target imports those of its own floor and of the floors below.

/// The system, and its C libraries: a module map and a shim, no logic.
let system = floor(
  "System",
  [
    library("CLibYAML", apt: ["libyaml-dev"], brew: ["libyaml"], pkgConfig: "yaml-0.1"),
    library("CLibCurlHeaders", apt: ["libcurl4-openssl-dev"], brew: ["curl"], pkgConfig: "libcurl"),
    library("CLibXML2", apt: ["libxml2-dev"], brew: ["libxml2"], pkgConfig: "libxml-2.0"),
    library("CLibPCRE2", apt: ["libpcre2-dev"], brew: ["pcre2"], pkgConfig: "libpcre2-8"),
    library("CLibCrypto", apt: ["libssl-dev"], brew: ["openssl@3"], pkgConfig: "libcrypto"),
    library("CLibSSL", apt: ["libssl-dev"], brew: ["openssl@3"], pkgConfig: "libssl"),
    library("CLibMicroHTTPDHeaders", apt: ["libmicrohttpd-dev"], brew: ["libmicrohttpd"], pkgConfig: "libmicrohttpd"),
    library("CLibZ", apt: ["zlib1g-dev"], brew: ["zlib"], pkgConfig: "zlib"),
    library("CLibArchive", apt: ["libarchive-dev"], brew: ["libarchive"], pkgConfig: "libarchive"),
    .systemLibrary(name: "CAllocator"),
    // Except on macOS, libraries that take long to load are loaded concurrently, on demand.
    .target(
      name: "CLibCurl", dependencies: ["CLibCurlHeaders"],
      linkerSettings: [.linkedLibrary("curl", .when(platforms: [.macOS]))]),
    .target(
      name: "CLibMicroHTTPD", dependencies: ["CLibMicroHTTPDHeaders"],
      linkerSettings: [.linkedLibrary("microhttpd", .when(platforms: [.macOS]))]),
    target("LibC"),
    .target(name: "OperatingSystem", dependencies: ["LibC"], exclude: otherSystem, swiftSettings: settings),
    target("EvaluationBudgets"),
    target("RegularExpressions", ["CLibPCRE2", "EvaluationBudgets"]),
    target("DataCompression", ["CLibZ"]),
    // iconv is part of libc, except on macOS.
    target("TextDecoding", ["LibC"], linked: "iconv"),
  ])

/// Values and documents.
let documents = floor(
  "Documents",
  [
    target("Values", ["OperatingSystem"]),
    target("URLs", ["Values"]),
    target("TextFormats", ["Values", "URLs"]),
    target("Diagnostics", ["EvaluationBudgets", "Values"]),
    target("Cryptography", ["CLibCrypto", "Values", "JSONQueries"]),
    target("YAMLNodes", ["CLibYAML", "LibC", "Diagnostics", "OperatingSystem", "Values"]),
    target("JSONQueries", ["Values", "Diagnostics", "RegularExpressions", "EvaluationBudgets"]),
    // Except on macOS, libxml2 is loaded at run time.
    target(
      "MarkupQueries", ["CLibXML2", "LibC", "Diagnostics", "EvaluationBudgets", "OperatingSystem", "Values"],
      linked: "xml2"),
    target(
      "JSONSchemas",
      [
        "Values", "TextFormats", "Diagnostics", "YAMLNodes", "JSONQueries", "RegularExpressions", "OperatingSystem",
        "EvaluationBudgets",
      ]),
    target("EventStreams", ["JSONQueries", "Values"]),
    target("SecretMasking", ["Values"]),
    target(
      "Templates",
      [
        "Values", "TextFormats", "Diagnostics", "Cryptography", "JSONQueries", "MarkupQueries", "RegularExpressions",
        "EvaluationBudgets",
      ]),
    target("Matching", ["Values", "TextFormats", "Diagnostics", "RegularExpressions", "EvaluationBudgets"]),
  ])

/// Exchanges, and transfers that consist of several.
let wire = floor(
  "Wire",
  [
    target("HTTPMessages", ["OperatingSystem", "Values", "URLs"]),
    target("ParameterEncoding", ["Values"]),
    target("RequestBodies", ["HTTPMessages", "URLs", "DataCompression", "OperatingSystem", "Values"]),
    target(
      "CurlTransport",
      ["CLibCurl", "CLibSSL", "LibC", "HTTPMessages", "URLs", "Cryptography", "Values", "OperatingSystem"]),
    target("WorkerProtocol", ["LibC", "HTTPMessages", "URLs", "OperatingSystem"]),
    target("WorkerTransport", ["LibC", "HTTPMessages", "WorkerProtocol", "OperatingSystem", "Values"]),
    .target(
      name: "URLSessionTransport", dependencies: ["HTTPMessages", "URLs", "Values"], exclude: appleOnly,
      swiftSettings: settings),
    target(
      "HTTPSemantics", ["HTTPMessages", "URLs", "Cryptography", "OperatingSystem", "ParameterEncoding", "Values"]),
    target(
      "OAuth", ["LibC", "OperatingSystem", "HTTPMessages", "URLs", "JSONQueries", "Cryptography", "Values"]),
    target(
      "Transfers",
      ["HTTPMessages", "URLs", "HTTPSemantics", "OperatingSystem", "Cryptography", "Values", "CLibArchive"],
      linked: "archive"),
  ])

/// Specs and plans: no network, no clock.
let specs = floor(
  "Specs",
  [
    target("Snapshots", ["Values", "Cryptography", "JSONQueries", "Matching", "OperatingSystem"]),
    target(
      "APIContracts",
      [
        "Values", "URLs", "Diagnostics", "HTTPMessages", "YAMLNodes", "JSONQueries", "JSONSchemas", "Matching",
        "EvaluationBudgets", "ParameterEncoding",
      ]),
    target(
      "RequestSpecs",
      [
        "Values", "URLs", "Diagnostics", "HTTPMessages", "YAMLNodes", "Templates", "ParameterEncoding", "JSONQueries",
        "RegularExpressions", "Matching", "JSONSchemas", "OperatingSystem", "MarkupQueries", "Transfers",
        "EventStreams", "OAuth", "Cryptography",
      ]),
    target(
      "RunPlanning",
      [
        "RequestSpecs", "JSONSchemas", "HTTPSemantics", "Values", "Diagnostics", "Templates", "HTTPMessages",
        "Snapshots", "OperatingSystem",
      ]),
  ])

/// Runs, and reports of them.
let runs = floor(
  "Runs",
  [
    target(
      "RunScopes",
      [
        "HTTPMessages", "RunPlanning", "RequestSpecs", "HTTPSemantics", "Values", "Diagnostics", "Templates",
        "ParameterEncoding",
        "Matching", "SecretMasking", "OperatingSystem", "Snapshots", "EvaluationBudgets", "URLs",
      ]),
    target(
      "RunEvents",
      [
        "URLs", "RunScopes", "RunPlanning", "RequestSpecs", "Matching", "HTTPMessages", "Values",
        "Diagnostics",
        "Templates", "Snapshots", "EvaluationBudgets",
      ]),
    target(
      "RequestResolution",
      [
        "RunScopes", "RunEvents", "RunPlanning", "RequestSpecs", "APIContracts", "Snapshots", "Matching", "JSONQueries",
        "JSONSchemas", "HTTPSemantics", "HTTPMessages", "Transfers", "RequestBodies", "ParameterEncoding",
        "EventStreams", "OAuth",
        "Templates", "Diagnostics", "Cryptography", "OperatingSystem", "Values", "URLs",
      ]),
    target(
      "CurlCommands",
      [
        "RequestResolution", "RunScopes", "RequestBodies", "HTTPSemantics", "HTTPMessages", "Diagnostics", "Values",
        "URLs",
      ]
    ),
    target(
      "Responses",
      [
        "RequestResolution", "RunScopes", "RunEvents", "RunPlanning", "RequestSpecs", "HTTPSemantics", "HTTPMessages",
        "Matching", "JSONQueries", "MarkupQueries", "TextDecoding", "Cryptography", "Diagnostics", "OperatingSystem",
        "Values", "URLs",
      ]),
    target(
      "ResponseChecks",
      [
        "MarkupQueries", "Responses", "RequestResolution", "RunScopes", "RunEvents", "RequestSpecs", "APIContracts",
        "Snapshots", "HTTPSemantics", "HTTPMessages", "Matching", "JSONQueries", "JSONSchemas", "RegularExpressions",
        "Templates", "Diagnostics", "EvaluationBudgets", "OperatingSystem", "Values", "URLs",
      ]),
    target(
      "SpecExecution",
      [
        "RunScopes", "RunEvents", "RequestResolution", "CurlCommands", "Responses", "ResponseChecks", "RunPlanning",
        "RequestSpecs", "HTTPSemantics", "HTTPMessages", "Values", "URLs", "Diagnostics", "Templates",
        "JSONQueries", "Matching", "Cryptography",
        "OperatingSystem", "Snapshots", "APIContracts", "JSONSchemas", "Transfers",
        "EventStreams", "RequestBodies", "EvaluationBudgets", "OAuth", "YAMLNodes",
      ]),
    // The page of the HTML report: its script and style sheet are files of their own.
    .target(
      name: "ReportPage", dependencies: ["Cryptography", "Values"],
      resources: [
        "page.css", "dom.js", "model.js", "filter.js", "charts.js", "highlight.js", "tree.js", "request.js",
        "overview.js", "app.js",
      ].map { .embedInCode("Page/\($0)") }, swiftSettings: settings),
    target(
      "RunReports",
      [
        "ReportPage", "RunEvents", "SpecExecution", "RunPlanning", "Matching", "Diagnostics", "Values", "URLs",
        "HTTPMessages", "OperatingSystem", "APIContracts", "JSONQueries", "DataCompression", "Snapshots",
        "RequestSpecs", "Responses", "MarkupQueries",
      ]),
  ])

/// The library, the command and the demo server.
var offered = floor(
  "Products",
  [
    target(
      "DemoServer",
      [
        "CLibMicroHTTPD", "LibC", "Cryptography", "Transfers", "HTTPMessages", "URLs", "Values", "JSONQueries",
      ]),
    target(
      "SpecExports",
      [
        "CurlCommands", "RequestResolution", "RunScopes", "RequestSpecs", "HTTPSemantics", "HTTPMessages", "Matching",
        "JSONQueries", "Templates", "YAMLNodes", "RegularExpressions", "Diagnostics", "URLs", "Values",
      ]),
    target(
      "LoadExports",
      [
        "SpecExports", "Diagnostics", "RequestResolution", "RequestSpecs", "HTTPSemantics", "HTTPMessages", "Matching",
        "Values",
        "JSONQueries", "URLs", "RegularExpressions", "Templates", "YAMLNodes",
      ]),
    target(
      "SpecImports",
      [
        "APIContracts", "Diagnostics", "HTTPMessages", "JSONQueries", "OAuth", "ParameterEncoding", "RequestSpecs",
        "RunPlanning",
        "Templates", "TextFormats", "URLs", "Values", "YAMLNodes",
      ]),
    target(
      "RequestLines",
      [
        "RequestBodies", "RequestSpecs", "JSONQueries", "Matching", "DataCompression", "Diagnostics", "URLs", "Values",
        "YAMLNodes",
      ]),
    target(
      "ReqrunKit",
      [
        "CurlCommands", "LoadExports", "SpecExports", "SpecImports",
        "RunScopes", "RunEvents", "Responses", "RequestResolution", "SpecExecution", "RunReports", "RunPlanning",
        "RequestSpecs", "CurlTransport", "WorkerTransport",
        "HTTPSemantics", "HTTPMessages", "DemoServer", "Diagnostics", "Values", "JSONQueries", "OAuth",
        "OperatingSystem", "Snapshots", "JSONSchemas", "YAMLNodes", "Templates",
        // Except on Linux, URLSession is safe and runs in-process.
        .target(name: "URLSessionTransport", condition: .when(platforms: [.macOS])),
      ]),
    // The documentation for the help: C embeds it, since the compiler of Swift takes long for 300 KB.
    .target(name: "CPages"),
    target("CommandLineOptions", ["CPages", "Diagnostics", "OperatingSystem", "ReqrunKit"]),
    .executableTarget(
      name: "ReqrunCommand",
      dependencies: [
        "ReqrunKit", "CommandLineOptions", "RequestLines", "RunReports", "DemoServer", "Diagnostics",
        "OperatingSystem", "YAMLNodes", "CAllocator", "LibC",
      ],
      swiftSettings: settings),
  ])

var products: [Product] = [
  .executable(name: "reqrun", targets: ["ReqrunCommand"]),
  .library(name: "ReqrunKit", targets: ["ReqrunKit"]),
]

#if os(Linux)
  // On Linux, URLSession runs in a worker process: a malformed response can crash the process that reads it.
  products.append(.executable(name: "reqrun-urlsession", targets: ["URLSessionWorker"]))
  offered += floor(
    "Wire",
    [
      .executableTarget(
        name: "URLSessionWorker",
        dependencies: ["URLSessionTransport", "WorkerProtocol", "HTTPMessages", "OperatingSystem", "LibC"],
        swiftSettings: settings)
    ])
#endif

let testSupport = Target.target(
  name: "TestSupport",
  dependencies: [
    "CLibZ", "HTTPMessages", "URLs", "CurlTransport", "WorkerTransport", "Diagnostics", "JSONQueries", "JSONSchemas",
    .target(name: "URLSessionTransport", condition: .when(platforms: [.macOS])),
  ],
  path: "Tests/TestSupport", swiftSettings: settings)

let systemTests = floor(
  "System", in: "Tests",
  [
    tests("OperatingSystemTests", ["OperatingSystem"]),
    tests("EvaluationBudgetsTests", ["EvaluationBudgets"]),
    tests("RegularExpressionsTests", ["RegularExpressions"]),
    tests("DataCompressionTests", ["DataCompression", "TestSupport"]),
    tests("TextDecodingTests", ["TextDecoding"]),
  ])

let documentTests = floor(
  "Documents", in: "Tests",
  [
    tests("ValuesTests", ["Values"]),
    tests("DiagnosticsTests", ["Diagnostics"]),
    tests("CryptographyTests", ["Cryptography", "Values", "TestSupport"]),
    tests("YAMLNodesTests", ["YAMLNodes", "Diagnostics", "JSONQueries", "TestSupport"]),
    tests("JSONQueriesTests", ["JSONQueries", "Values", "TestSupport"]),
    tests("MarkupQueriesTests", ["MarkupQueries", "EvaluationBudgets"]),
    tests(
      "JSONSchemasTests", ["OperatingSystem", "JSONSchemas", "JSONQueries", "Diagnostics", "Values", "TestSupport"]),
    tests("EventStreamsTests", ["EventStreams", "JSONQueries", "TestSupport"]),
    tests("SecretMaskingTests", ["SecretMasking", "Values"]),
    tests("TemplatesTests", ["Templates", "Values", "Diagnostics"]),
    tests("MatchingTests", ["Matching", "Values", "RegularExpressions", "TestSupport"]),
  ])

let wireTests = floor(
  "Wire", in: "Tests",
  [
    tests("HTTPMessagesTests", ["HTTPMessages", "URLs", "OperatingSystem", "Values", "TestSupport"]),
    tests("ParameterEncodingTests", ["ParameterEncoding", "Values", "TestSupport"]),
    tests("RequestBodiesTests", ["RequestBodies", "HTTPMessages", "TestSupport"]),
    tests("HTTPSemanticsTests", ["HTTPSemantics", "HTTPMessages", "URLs", "Cryptography", "Values", "TestSupport"]),
    tests("OAuthTests", ["OAuth", "LibC", "HTTPMessages", "OperatingSystem", "URLs", "Values"]),
    tests(
      "TransfersTests",
      [
        "Transfers", "CurlTransport", "HTTPSemantics", "HTTPMessages", "URLs", "DataCompression",
        "Cryptography", "Values", "TestSupport", "ReqrunCommand",
      ]),
    tests("URLSessionTransportTests", ["URLSessionTransport", "HTTPMessages", "TestSupport"]),
    tests("WorkerProtocolTests", ["WorkerProtocol", "HTTPMessages", "URLs", "OperatingSystem"]),
    tests(
      "WorkerTransportTests", ["WorkerTransport", "HTTPMessages", "URLs", "TestSupport", "ReqrunCommand"] + worker),
    tests(
      "TransportTests",
      ["CurlTransport", "WorkerTransport", "HTTPSemantics", "HTTPMessages", "URLs", "DemoServer", "TestSupport"]
        + worker),
    // Real servers: nginx, proxies, and one that misbehaves as scripted.
    tests("WireTests", ["CurlTransport", "HTTPMessages", "URLs", "Values", "TestSupport", "ReqrunCommand"] + worker),
  ])

let specTests = floor(
  "Specs", in: "Tests",
  [
    tests("SnapshotsTests", ["Snapshots", "JSONQueries", "Values", "TestSupport"]),
    tests(
      "APIContractsTests",
      ["APIContracts", "JSONQueries", "HTTPMessages", "URLs", "Values", "TestSupport"]),
    tests(
      "RequestSpecsTests",
      [
        "JSONSchemas", "JSONQueries", "YAMLNodes", "RequestSpecs", "Diagnostics", "HTTPMessages", "Matching",
        "OperatingSystem", "TestSupport",
        "Transfers",
      ]),
    tests(
      "RunPlanningTests",
      ["RunPlanning", "RequestSpecs", "Diagnostics", "Values", "HTTPMessages", "TestSupport"]),
  ])

let runTests = floor(
  "Runs", in: "Tests",
  [
    tests("RunScopesTests", ["RunScopes", "TestSupport"]),
    tests("CurlCommandsTests", ["CurlCommands"]),
    tests("ResponsesTests", ["Responses", "RequestResolution", "OperatingSystem"]),
    tests(
      "ResponseChecksTests",
      ["ResponseChecks", "Responses", "JSONQueries", "Matching", "OperatingSystem", "Values", "HTTPMessages"]),
    tests(
      "SpecExecutionTests",
      [
        "SpecExecution", "RunEvents", "RunScopes", "RequestSpecs", "Templates", "Diagnostics", "Values", "HTTPMessages",
        "Transfers", "TestSupport",
      ]),
    tests("ReportPageTests", ["ReportPage", "Cryptography", "Values", "JSONQueries"]),
    tests(
      "RunReportsTests",
      [
        "RunEvents", "RunReports", "SpecExecution", "RunPlanning", "Matching", "Diagnostics", "HTTPMessages",
        "APIContracts", "Snapshots", "Values", "ReqrunKit", "JSONQueries", "JSONSchemas", "TestSupport",
      ]),
  ])

let productTests = floor(
  "Products", in: "Tests",
  [
    tests(
      "ReqrunKitTests",
      [
        "ReqrunKit", "Diagnostics", "CurlTransport", "HTTPSemantics", "HTTPMessages", "URLs", "TestSupport",
        "RunEvents",
        "RunPlanning", "SpecExecution", "Values",
      ]),
    // Without package access: they see what a package that depends on this one sees.
    .testTarget(
      name: "ReqrunLibraryTests", dependencies: ["ReqrunKit"], packageAccess: false, swiftSettings: settings),
    tests("DemoServerTests", ["DemoServer"]),
    tests("SpecImportsTests", ["SpecImports", "Diagnostics", "TestSupport", "ReqrunCommand"]),
    tests("RequestLinesTests", ["RequestLines", "Diagnostics", "YAMLNodes", "Values"]),
    tests(
      "CommandLineOptionsTests",
      ["CommandLineOptions", "Matching", "ReqrunKit", "RequestSpecs", "Templates", "TestSupport"]),
    // The cases and the files of pages are data beside the source.
    tests(
      "EndToEndTests",
      [
        "ReqrunCommand", "ReqrunKit", "TestSupport", "DemoServer", "CommandLineOptions", "Diagnostics", "RequestSpecs",
        "YAMLNodes",
      ], exclude: ["Cases", "Pages"]),
  ])

let package = Package(
  name: "reqrun",
  platforms: [.macOS(.v15)],
  products: products,
  targets: system + documents + wire + specs + runs + offered
    + [testSupport] + systemTests + documentTests + wireTests + specTests + runTests + productTests,
  swiftLanguageModes: [.v6]
)
