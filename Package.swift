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
  /// pkg-config would link libraries that are loaded at run time, for users of this package, too.
  let linksAll = false
  /// Its headers include each other as `<libxml/…>`: a link beside its own header is where they are found.
  let libxml2 = Target.target(name: "CLibXML2")
#else
  let appleOnly: [String] = []
  let otherSystem = ["Linux"]
  let worker: [Target.Dependency] = []
  let linksAll = true
  let libxml2 = library(
    "CLibXML2", apt: ["libxml2-dev"], brew: ["libxml2"], pkgConfig: "libxml-2.0",
    path: "Sources/System/CLibXML2/include")
#endif

func library(
  _ name: String, apt: [String], brew: [String], pkgConfig: String?, path: String? = nil
) -> Target {
  .systemLibrary(name: name, path: path, pkgConfig: pkgConfig, providers: [.apt(apt), .brew(brew)])
}

/// - Parameter files: data that is part of the code.
func target(
  _ name: String, _ dependencies: [Target.Dependency] = [], linked library: String? = nil,
  embedding files: [String] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies, resources: files.isEmpty ? nil : files.map { .embedInCode($0) },
    swiftSettings: settings, linkerSettings: library.map { [.linkedLibrary($0, .when(platforms: [.macOS]))] })
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
  .testTarget(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: settings)
}

/// The targets of a floor, in its folder.
func floor(_ name: String, in folder: String = "Sources", _ targets: [Target]) -> [Target] {
  for target in targets { target.path = target.path ?? "\(folder)/\(name)/\(target.name)" }
  return targets
}

// The lowest floor first: a target imports those of its own floor and of the floors below.

/// The system, and its C libraries: a module map and a shim, no logic.
let system = floor(
  "System",
  [
    library("CLibYAML", apt: ["libyaml-dev"], brew: ["libyaml"], pkgConfig: "yaml-0.1"),
    library(
      "CLibCurlHeaders", apt: ["libcurl4-openssl-dev"], brew: ["curl"], pkgConfig: linksAll ? "libcurl" : nil),
    libxml2,
    library("CLibPCRE2", apt: ["libpcre2-dev"], brew: ["pcre2"], pkgConfig: "libpcre2-8"),
    library("CLibCrypto", apt: ["libssl-dev"], brew: ["openssl@3"], pkgConfig: "libcrypto"),
    library("CLibSSL", apt: ["libssl-dev"], brew: ["openssl@3"], pkgConfig: "libssl"),
    library(
      "CLibMicroHTTPDHeaders", apt: ["libmicrohttpd-dev"], brew: ["libmicrohttpd"],
      pkgConfig: linksAll ? "libmicrohttpd" : nil),
    library("CLibZ", apt: ["zlib1g-dev"], brew: ["zlib"], pkgConfig: "zlib"),
    library(
      "CLibArchive", apt: ["libarchive-dev"], brew: ["libarchive"], pkgConfig: linksAll ? "libarchive" : nil),
    .systemLibrary(name: "CAllocator"),
    .target(name: "CWithoutProc"),
    // Except on macOS, libraries that take long to load, or that few runs need, are loaded on demand.
    .target(
      name: "CLibCurl", dependencies: ["CLibCurlHeaders"],
      linkerSettings: [.linkedLibrary("curl", .when(platforms: [.macOS]))]),
    .target(
      name: "CLibMicroHTTPD", dependencies: ["CLibMicroHTTPDHeaders"],
      linkerSettings: [.linkedLibrary("microhttpd", .when(platforms: [.macOS]))]),
    target("LibC"),
    // iconv is part of libc, except on macOS.
    .target(
      name: "OperatingSystem", dependencies: ["CLibZ", "LibC"], exclude: otherSystem, swiftSettings: settings,
      linkerSettings: [.linkedLibrary("iconv", .when(platforms: [.macOS]))]),
  ])

/// Values and documents.
let documents = floor(
  "Documents",
  [
    target("Values", ["OperatingSystem"]),
    // Except on macOS, libxml2 is loaded at run time.
    target(
      "DocumentQueries", ["CLibPCRE2", "CLibXML2", "LibC", "OperatingSystem", "Values"], linked: "xml2"),
    target("Cryptography", ["CLibCrypto", "DocumentQueries", "Values"]),
    target("YAMLNodes", ["CLibYAML", "LibC", "OperatingSystem", "Values"]),
    // The meta-schemas are files of their own.
    .target(
      name: "JSONSchemas", dependencies: ["DocumentQueries", "OperatingSystem", "Values", "YAMLNodes"],
      resources: [
        "draft-04", "draft-07", "draft-2020-12", "applicator", "content", "core", "format-annotation",
        "format-assertion", "meta-data", "unevaluated", "validation",
      ].map { .embedInCode("MetaSchemas/\($0).json") }, swiftSettings: settings),
    // Names of characters and words for invented data are files of their own.
    .target(
      name: "Templates", dependencies: ["Cryptography", "DocumentQueries", "OperatingSystem", "Values"],
      resources: ["html-references", "first-names", "last-names", "words"].map { .embedInCode("Data/\($0).txt") },
      swiftSettings: settings),
    target("Matching", ["DocumentQueries", "OperatingSystem", "Values"]),
  ])

/// Exchanges, and transfers that consist of several.
let wire = floor(
  "Wire",
  [
    target(
      "CurlTransport", ["CLibCurl", "CLibSSL", "Cryptography", "HTTPSemantics", "LibC", "OperatingSystem", "Values"]),
    target("WorkerTransport", ["HTTPSemantics", "LibC", "OperatingSystem", "Values"]),
    .target(
      name: "URLSessionTransport", dependencies: ["HTTPSemantics", "Values"], exclude: appleOnly,
      swiftSettings: settings),
    target("WebSocket", ["Cryptography", "OperatingSystem", "Values"]),
    target(
      "LocalServer",
      ["CLibMicroHTTPD", "DocumentQueries", "HTTPSemantics", "LibC", "OperatingSystem", "Values", "WebSocket"]),
    target("HTTPSemantics", ["Cryptography", "DocumentQueries", "LibC", "OperatingSystem", "Values"]),
    target(
      "Transfers",
      ["CLibArchive", "Cryptography", "HTTPSemantics", "OperatingSystem", "Values"], linked: "archive"),
  ])

/// Specs and plans: no network, no clock.
let specs = floor(
  "Specs",
  [
    target(
      "APIContracts",
      ["DocumentQueries", "HTTPSemantics", "JSONSchemas", "Matching", "OperatingSystem", "Values", "YAMLNodes"]),
    target(
      "RequestSpecs",
      [
        "Cryptography", "DocumentQueries", "HTTPSemantics", "JSONSchemas", "Matching", "OperatingSystem", "Templates",
        "Transfers", "Values", "WebSocket", "YAMLNodes",
      ]),
  ])

/// Runs, and reports of them.
let runs = floor(
  "Runs",
  [
    target(
      "SpecExecution",
      [
        "APIContracts", "Cryptography", "DocumentQueries", "HTTPSemantics", "JSONSchemas", "Matching",
        "OperatingSystem", "RequestSpecs", "Templates", "Transfers", "Values", "WebSocket", "YAMLNodes",
      ]),
    // The script and the style sheet of the HTML report are files of their own.
    .target(
      name: "RunReports",
      dependencies: [
        "APIContracts", "Cryptography", "DocumentQueries", "HTTPSemantics", "Matching", "OperatingSystem",
        "RequestSpecs", "SpecExecution", "Values",
      ],
      resources: [
        "page.css", "dom.js", "model.js", "filter.js", "charts.js", "highlight.js", "tree.js", "request.js",
        "overview.js", "app.js",
      ].map { .embedInCode("ReportPage/Page/\($0)") }, swiftSettings: settings),
  ])

/// The library, the command and the demo server.
var offered = floor(
  "Products",
  [
    target(
      "DemoServer",
      [
        "Cryptography", "DocumentQueries", "HTTPSemantics", "LibC", "LocalServer", "Transfers", "Values", "WebSocket",
      ],
      embedding: ["page.html", "page.xml", "page.json", "unicode.html"].map { "Pages/\($0)" }),
    target(
      "MockServer",
      [
        "APIContracts", "DocumentQueries", "HTTPSemantics", "LocalServer", "Matching", "OperatingSystem",
        "RequestSpecs",
        "RunReports", "SpecExecution", "Templates", "Values",
      ]),
    target(
      "ReqrunKit",
      [
        "APIContracts", "CurlTransport", "DemoServer", "DocumentQueries", "HTTPSemantics", "JSONSchemas", "LocalServer",
        "MockServer", "OperatingSystem", "RequestSpecs", "RunReports", "SpecExecution", "Templates", "Transfers",
        "Values",
        "WorkerTransport", "YAMLNodes",
      ] + [
        // Except on Linux, URLSession is safe and runs in-process.
        .target(name: "URLSessionTransport", condition: .when(platforms: [.macOS]))
      ],
      embedding: ["reqrun.yaml", "smoke.yaml", "users.yaml", "login.yaml", "gitignore.txt"].map { "Starter/\($0)" }),
    // For tests alone: the program doesn't link it, and nothing else here imports Testing.
    target("ReqrunTesting", ["ReqrunKit"]),
    // The documentation for the help: C embeds it, since the compiler of Swift takes long for 300 KB.
    .target(name: "CPages"),
    target(
      "CommandLineOptions",
      [
        "CPages", "DocumentQueries", "HTTPSemantics", "LibC", "Matching", "OperatingSystem", "ReqrunKit",
        "RequestSpecs", "Values", "YAMLNodes",
      ], embedding: ["commands.txt", "completion.bash", "completion.zsh", "completion.fish"]),
    target("JSONRPC", ["DocumentQueries", "ReqrunKit"]),
    target(
      "LanguageServer",
      [
        "APIContracts", "DocumentQueries", "JSONRPC", "JSONSchemas", "OperatingSystem", "ReqrunKit", "RequestSpecs",
        "Templates", "Values", "YAMLNodes",
      ]),
    target(
      "AgentServer",
      [
        "CommandLineOptions", "DocumentQueries", "JSONRPC", "OperatingSystem", "ReqrunKit", "SpecExecution", "Values",
        "YAMLNodes",
      ]),
    target(
      "RecordingProxy",
      [
        "DocumentQueries", "HTTPSemantics", "LocalServer", "OperatingSystem", "RunReports", "SpecExecution", "Values",
        "WebSocket",
      ]),
    .executableTarget(
      name: "ReqrunCommand",
      dependencies: [
        "AgentServer", "CAllocator", "CWithoutProc", "CommandLineOptions", "CurlTransport", "DemoServer",
        "LanguageServer", "LibC", "LocalServer", "MockServer", "OperatingSystem", "RecordingProxy", "ReqrunKit",
        "RunReports", "SpecExecution", "Values", "YAMLNodes",
      ],
      swiftSettings: settings),
  ])

/// Imports and exports, which only `reqrun import` and `reqrun export` start.
let converters = floor(
  "Converters",
  [
    target(
      "SpecExports",
      [
        "DocumentQueries", "HTTPSemantics", "Matching", "RequestSpecs", "SpecExecution", "Templates", "Values",
      ], embedding: ["functions.sh", "Locust/reqrun_load.py"]),
    target(
      "SpecImports",
      [
        "APIContracts", "Cryptography", "DocumentQueries", "HTTPSemantics", "RequestSpecs", "Templates", "Values",
        "YAMLNodes",
      ]),
    target(
      "ReqrunConverters",
      [
        "OperatingSystem", "ReqrunKit", "RequestSpecs", "RunReports", "SpecExecution", "SpecExports", "SpecImports",
        "Templates", "Values",
      ]),
    .executableTarget(
      name: "ReqrunConvert",
      dependencies: ["CWithoutProc", "CommandLineOptions", "OperatingSystem", "ReqrunConverters", "ReqrunKit"],
      swiftSettings: settings),
  ])

var products: [Product] = [
  .executable(name: "reqrun", targets: ["ReqrunCommand"]),
  .executable(name: "reqrun-convert", targets: ["ReqrunConvert"]),
  .library(name: "ReqrunKit", targets: ["ReqrunKit"]),
  .library(name: "ReqrunConverters", targets: ["ReqrunConverters"]),
  .library(name: "ReqrunTesting", targets: ["ReqrunTesting"]),
]

#if os(Linux)
  // On Linux, URLSession runs in a worker process: a malformed response can crash the process that reads it.
  products.append(.executable(name: "reqrun-urlsession", targets: ["URLSessionWorker"]))
  offered += floor(
    "Wire",
    [
      .executableTarget(
        name: "URLSessionWorker",
        dependencies: ["HTTPSemantics", "LibC", "OperatingSystem", "URLSessionTransport", "WorkerTransport"],
        swiftSettings: settings)
    ])
#endif

let testSupport = Target.target(
  name: "TestSupport",
  dependencies: [
    "CLibZ", "CurlTransport", "DocumentQueries", "HTTPSemantics", "JSONSchemas", "OperatingSystem", "Values",
    "WebSocket", "WorkerTransport",
  ] + [
    .target(name: "URLSessionTransport", condition: .when(platforms: [.macOS]))
  ],
  path: "Tests/TestSupport", swiftSettings: settings)

let systemTests = floor(
  "System", in: "Tests",
  [
    tests("OperatingSystemTests", ["OperatingSystem", "TestSupport"])
  ])

let documentTests = floor(
  "Documents", in: "Tests",
  [
    tests("ValuesTests", ["TestSupport", "Values"]),
    tests("DocumentQueriesTests", ["DocumentQueries", "OperatingSystem", "TestSupport", "Values"]),
    tests("CryptographyTests", ["Cryptography", "TestSupport", "Values"]),
    tests("YAMLNodesTests", ["DocumentQueries", "TestSupport", "Values", "YAMLNodes"]),
    tests(
      "JSONSchemasTests",
      ["DocumentQueries", "JSONSchemas", "OperatingSystem", "TestSupport", "Values"]),
    tests("TemplatesTests", ["Templates", "Values"]),
    tests("MatchingTests", ["DocumentQueries", "Matching", "TestSupport", "Values"]),
  ])

let wireTests = floor(
  "Wire", in: "Tests",
  [
    tests(
      "WorkerTransportTests",
      ["HTTPSemantics", "OperatingSystem", "ReqrunCommand", "TestSupport", "Values", "WorkerTransport"] + worker),
    tests("WebSocketTests", ["TestSupport", "Values", "WebSocket"]),
    tests("URLSessionTransportTests", ["HTTPSemantics", "TestSupport", "URLSessionTransport"]),
    tests(
      "HTTPSemanticsTests",
      ["Cryptography", "HTTPSemantics", "LibC", "OperatingSystem", "TestSupport", "Values"]),
    tests(
      "TransfersTests",
      [
        "Cryptography", "CurlTransport", "HTTPSemantics", "OperatingSystem", "ReqrunCommand", "TestSupport",
        "Transfers", "Values",
      ]),
    tests(
      "TransportTests", ["CurlTransport", "DemoServer", "HTTPSemantics", "TestSupport", "Values"] + worker),
    // Real servers: nginx, proxies, and one that misbehaves as scripted.
    tests("WireTests", ["CurlTransport", "HTTPSemantics", "ReqrunCommand", "TestSupport", "Values"] + worker),
  ])

let specTests = floor(
  "Specs", in: "Tests",
  [
    tests("APIContractsTests", ["APIContracts", "DocumentQueries", "HTTPSemantics", "TestSupport", "Values"]),
    tests(
      "RequestSpecsTests",
      [
        "DocumentQueries", "HTTPSemantics", "JSONSchemas", "Matching", "OperatingSystem", "RequestSpecs",
        "TestSupport", "Transfers", "Values", "YAMLNodes",
      ]),
  ])

let runTests = floor(
  "Runs", in: "Tests",
  [
    tests(
      "SpecExecutionTests",
      [
        "DocumentQueries", "HTTPSemantics", "Matching", "OperatingSystem", "RequestSpecs", "SpecExecution",
        "Templates", "TestSupport", "Transfers", "Values",
      ]),
    tests(
      "RunReportsTests",
      [
        "APIContracts", "Cryptography", "DocumentQueries", "HTTPSemantics", "Matching", "ReqrunKit", "RequestSpecs",
        "RunReports", "SpecExecution", "TestSupport", "Values",
      ]),
  ])

let productTests = floor(
  "Products", in: "Tests",
  [
    tests(
      "ReqrunKitTests",
      ["CurlTransport", "HTTPSemantics", "ReqrunKit", "RequestSpecs", "SpecExecution", "TestSupport", "Values"]),
    // Without package access: they see what a package that depends on this one sees.
    .testTarget(
      name: "ReqrunLibraryTests", dependencies: ["ReqrunConverters", "ReqrunKit", "ReqrunTesting"],
      packageAccess: false,
      swiftSettings: settings),
    tests("DemoServerTests", ["DemoServer", "LocalServer", "Values", "WebSocket"]),
    tests(
      "MockServerTests",
      [
        "APIContracts", "DocumentQueries", "HTTPSemantics", "LocalServer", "Matching", "MockServer", "ReqrunKit",
        "Values",
      ]),
    target("JSONRPCClient", ["DocumentQueries", "JSONRPC", "ReqrunKit"]),
    tests(
      "LanguageServerTests",
      [
        "DocumentQueries", "JSONRPCClient", "LanguageServer", "OperatingSystem", "ReqrunKit", "TestSupport", "Values",
        "YAMLNodes",
      ]),
    tests(
      "AgentServerTests", ["AgentServer", "DemoServer", "JSONRPCClient", "ReqrunKit", "TestSupport", "Values"]),
    tests(
      "CommandLineOptionsTests",
      [
        "CommandLineOptions", "Matching", "ReqrunKit", "RequestSpecs", "Templates", "TestSupport", "Values",
        "YAMLNodes",
      ]),
    // The cases and the files of pages are data beside the source.
    tests(
      "EndToEndTests",
      [
        "CommandLineOptions", "DemoServer", "LocalServer", "ReqrunCommand", "ReqrunConvert", "ReqrunConverters",
        "ReqrunKit",
        "RequestSpecs", "TestSupport", "Values", "YAMLNodes",
      ], exclude: ["Cases", "Pages"]),
  ])

let converterTests = floor(
  "Converters", in: "Tests",
  [
    tests(
      "SpecImportsTests",
      [
        "ReqrunCommand", "ReqrunConvert", "ReqrunConverters", "ReqrunKit", "SpecImports", "TestSupport", "Values",
        "YAMLNodes",
      ])
  ])

let package = Package(
  name: "reqrun",
  platforms: [.macOS(.v15)],
  products: products,
  targets: system + documents + wire + specs + runs + offered + converters
    + [testSupport] + systemTests + documentTests + wireTests + specTests + runTests + productTests
    + converterTests,
  swiftLanguageModes: [.v6]
)

// Off the path of a request, size counts more than speed, and compiles sooner. `make release` sets the variable: SwiftPM
// refuses such flags in packages that others depend on.
if Context.environment["REQRUN_RELEASE"] == "1" {
  let compact = [
    "AgentServer", "APIContracts", "CommandLineOptions", "DemoServer", "JSONRPC", "JSONSchemas", "LanguageServer",
    "LocalServer", "MockServer", "ReqrunConvert", "ReqrunConverters", "RunReports", "SpecExports", "SpecImports",
    "Transfers",
    "URLSessionTransport",
    "URLSessionWorker", "WorkerTransport",
  ]
  for target in package.targets where compact.contains(target.name) {
    target.swiftSettings = settings + [.unsafeFlags(["-Osize"])]
  }
  // Nothing for tests: the release is linked statically, and Testing has no static library.
  package.targets.removeAll { $0.name == "ReqrunTesting" || $0.path?.hasPrefix("Tests") ?? false }
  package.products.removeAll { $0.name == "ReqrunTesting" }
}
