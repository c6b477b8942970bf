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
    target("Diagnostics", ["OperatingSystem", "Values"]),
    // Except on macOS, libxml2 is loaded at run time.
    target(
      "DocumentQueries", ["CLibPCRE2", "CLibXML2", "Diagnostics", "LibC", "OperatingSystem", "Values"], linked: "xml2"),
    target("Cryptography", ["CLibCrypto", "DocumentQueries", "Values"]),
    target("YAMLNodes", ["CLibYAML", "Diagnostics", "LibC", "OperatingSystem", "Values"]),
    target("JSONSchemas", ["Diagnostics", "DocumentQueries", "OperatingSystem", "Values", "YAMLNodes"]),
    target("Templates", ["Cryptography", "Diagnostics", "DocumentQueries", "OperatingSystem", "Values"]),
    target("Matching", ["Diagnostics", "DocumentQueries", "OperatingSystem", "Values"]),
  ])

/// Exchanges, and transfers that consist of several.
let wire = floor(
  "Wire",
  [
    target("HTTPMessages", ["OperatingSystem", "Values"]),
    target(
      "CurlTransport", ["CLibCurl", "CLibSSL", "Cryptography", "HTTPMessages", "LibC", "OperatingSystem", "Values"]),
    target("WorkerTransport", ["HTTPMessages", "LibC", "OperatingSystem", "Values"]),
    .target(
      name: "URLSessionTransport", dependencies: ["HTTPMessages", "Values"], exclude: appleOnly,
      swiftSettings: settings),
    target("HTTPSemantics", ["Cryptography", "DocumentQueries", "HTTPMessages", "LibC", "OperatingSystem", "Values"]),
    target(
      "Transfers",
      ["CLibArchive", "Cryptography", "HTTPMessages", "HTTPSemantics", "OperatingSystem", "Values"], linked: "archive"),
  ])

/// Specs and plans: no network, no clock.
let specs = floor(
  "Specs",
  [
    target(
      "APIContracts",
      [
        "Diagnostics", "DocumentQueries", "HTTPMessages", "JSONSchemas", "Matching", "OperatingSystem", "Values",
        "YAMLNodes",
      ]),
    target(
      "RequestSpecs",
      [
        "Cryptography", "Diagnostics", "DocumentQueries", "HTTPMessages", "HTTPSemantics", "JSONSchemas", "Matching",
        "OperatingSystem", "Templates", "Transfers", "Values", "YAMLNodes",
      ]),
    target(
      "RunPlanning",
      [
        "Cryptography", "Diagnostics", "DocumentQueries", "HTTPMessages", "HTTPSemantics", "JSONSchemas", "Matching",
        "OperatingSystem", "RequestSpecs", "Templates", "Values",
      ]),
  ])

/// Runs, and reports of them.
let runs = floor(
  "Runs",
  [
    target(
      "RequestResolution",
      [
        "APIContracts", "Cryptography", "Diagnostics", "DocumentQueries", "HTTPMessages", "HTTPSemantics",
        "JSONSchemas", "Matching", "OperatingSystem", "RequestSpecs", "RunPlanning", "Templates", "Transfers", "Values",
      ]),
    target(
      "ResponseChecks",
      [
        "APIContracts", "Cryptography", "Diagnostics", "DocumentQueries", "HTTPMessages", "HTTPSemantics",
        "JSONSchemas", "Matching", "OperatingSystem", "RequestResolution", "RequestSpecs", "RunPlanning", "Templates",
        "Values",
      ]),
    target(
      "SpecExecution",
      [
        "APIContracts", "Cryptography", "Diagnostics", "DocumentQueries", "HTTPMessages", "HTTPSemantics",
        "JSONSchemas", "Matching", "OperatingSystem", "RequestResolution", "RequestSpecs", "ResponseChecks",
        "RunPlanning", "Templates", "Transfers", "Values", "YAMLNodes",
      ]),
    // The script and the style sheet of the HTML report are files of their own.
    .target(
      name: "RunReports",
      dependencies: [
        "APIContracts", "Cryptography", "Diagnostics", "DocumentQueries", "HTTPMessages", "Matching", "OperatingSystem",
        "RequestResolution", "RequestSpecs", "ResponseChecks", "RunPlanning", "SpecExecution", "Values",
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
      ["CLibMicroHTTPD", "Cryptography", "DocumentQueries", "HTTPMessages", "LibC", "Transfers", "Values"]),
    target(
      "ReqrunKit",
      [
        "CurlTransport", "DemoServer", "Diagnostics", "DocumentQueries", "HTTPMessages", "HTTPSemantics", "JSONSchemas",
        "OperatingSystem", "RequestResolution", "RequestSpecs", "ResponseChecks", "RunPlanning", "RunReports",
        "SpecExecution", "Templates", "Transfers", "Values", "WorkerTransport", "YAMLNodes",
      ] + [
        // Except on Linux, URLSession is safe and runs in-process.
        .target(name: "URLSessionTransport", condition: .when(platforms: [.macOS]))
      ]),
    // For tests alone: the program doesn't link it, and nothing else here imports Testing.
    target("ReqrunTesting", ["ReqrunKit"]),
    // The documentation for the help: C embeds it, since the compiler of Swift takes long for 300 KB.
    .target(name: "CPages"),
    target(
      "CommandLineOptions",
      [
        "CPages", "Diagnostics", "DocumentQueries", "HTTPMessages", "LibC", "Matching", "OperatingSystem", "ReqrunKit",
        "RequestSpecs", "Values", "YAMLNodes",
      ]),
    .executableTarget(
      name: "ReqrunCommand",
      dependencies: [
        "CAllocator", "CommandLineOptions", "DemoServer", "Diagnostics", "LibC", "OperatingSystem", "ReqrunKit",
        "RunReports", "YAMLNodes",
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
        "Diagnostics", "DocumentQueries", "HTTPMessages", "HTTPSemantics", "Matching", "RequestResolution",
        "RequestSpecs", "RunPlanning", "Templates", "Values", "YAMLNodes",
      ]),
    target(
      "SpecImports",
      [
        "APIContracts", "Diagnostics", "DocumentQueries", "HTTPMessages", "HTTPSemantics", "RequestSpecs",
        "RunPlanning", "Templates", "Values", "YAMLNodes",
      ]),
    target(
      "ReqrunConverters",
      [
        "Diagnostics", "OperatingSystem", "ReqrunKit", "RequestResolution", "RequestSpecs", "RunPlanning", "RunReports",
        "SpecExecution", "SpecExports", "SpecImports", "Templates", "Values",
      ]),
    .executableTarget(
      name: "ReqrunConvert", dependencies: ["CommandLineOptions", "OperatingSystem", "ReqrunConverters", "ReqrunKit"],
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
        dependencies: ["HTTPMessages", "LibC", "OperatingSystem", "URLSessionTransport", "WorkerTransport"],
        swiftSettings: settings)
    ])
#endif

let testSupport = Target.target(
  name: "TestSupport",
  dependencies: [
    "CLibZ", "CurlTransport", "Diagnostics", "DocumentQueries", "HTTPMessages", "JSONSchemas", "Values",
    "WorkerTransport",
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
    tests("ValuesTests", ["Values"]),
    tests("DiagnosticsTests", ["Diagnostics"]),
    tests("DocumentQueriesTests", ["DocumentQueries", "OperatingSystem", "TestSupport", "Values"]),
    tests("CryptographyTests", ["Cryptography", "TestSupport", "Values"]),
    tests("YAMLNodesTests", ["Diagnostics", "DocumentQueries", "TestSupport", "YAMLNodes"]),
    tests(
      "JSONSchemasTests",
      ["Diagnostics", "DocumentQueries", "JSONSchemas", "OperatingSystem", "TestSupport", "Values"]),
    tests("TemplatesTests", ["Diagnostics", "Templates", "Values"]),
    tests("MatchingTests", ["DocumentQueries", "Matching", "TestSupport", "Values"]),
  ])

let wireTests = floor(
  "Wire", in: "Tests",
  [
    tests("HTTPMessagesTests", ["HTTPMessages", "OperatingSystem", "TestSupport", "Values"]),
    tests(
      "WorkerTransportTests",
      ["HTTPMessages", "OperatingSystem", "ReqrunCommand", "TestSupport", "Values", "WorkerTransport"] + worker),
    tests("URLSessionTransportTests", ["HTTPMessages", "TestSupport", "URLSessionTransport"]),
    tests(
      "HTTPSemanticsTests",
      ["Cryptography", "HTTPMessages", "HTTPSemantics", "LibC", "OperatingSystem", "TestSupport", "Values"]),
    tests(
      "TransfersTests",
      [
        "Cryptography", "CurlTransport", "HTTPMessages", "HTTPSemantics", "OperatingSystem", "ReqrunCommand",
        "TestSupport", "Transfers", "Values",
      ]),
    tests(
      "TransportTests", ["CurlTransport", "DemoServer", "HTTPMessages", "TestSupport", "Values"] + worker),
    // Real servers: nginx, proxies, and one that misbehaves as scripted.
    tests("WireTests", ["CurlTransport", "HTTPMessages", "ReqrunCommand", "TestSupport", "Values"] + worker),
  ])

let specTests = floor(
  "Specs", in: "Tests",
  [
    tests("APIContractsTests", ["APIContracts", "DocumentQueries", "HTTPMessages", "TestSupport", "Values"]),
    tests(
      "RequestSpecsTests",
      [
        "Diagnostics", "DocumentQueries", "HTTPMessages", "JSONSchemas", "Matching", "OperatingSystem", "RequestSpecs",
        "TestSupport", "Transfers", "YAMLNodes",
      ]),
    tests(
      "RunPlanningTests",
      ["Diagnostics", "DocumentQueries", "HTTPMessages", "RequestSpecs", "RunPlanning", "TestSupport", "Values"]),
  ])

let runTests = floor(
  "Runs", in: "Tests",
  [
    tests("RequestResolutionTests", ["RequestResolution", "TestSupport"]),
    tests(
      "ResponseChecksTests",
      [
        "DocumentQueries", "HTTPMessages", "Matching", "OperatingSystem", "RequestResolution", "ResponseChecks",
        "Values",
      ]),
    tests(
      "SpecExecutionTests",
      [
        "Diagnostics", "HTTPMessages", "RequestResolution", "RequestSpecs", "SpecExecution", "Templates", "TestSupport",
        "Transfers", "Values",
      ]),
    tests(
      "RunReportsTests",
      [
        "APIContracts", "Cryptography", "Diagnostics", "DocumentQueries", "HTTPMessages", "Matching", "ReqrunKit",
        "RequestResolution", "RunPlanning", "RunReports", "SpecExecution", "TestSupport", "Values",
      ]),
  ])

let productTests = floor(
  "Products", in: "Tests",
  [
    tests(
      "ReqrunKitTests",
      [
        "CurlTransport", "Diagnostics", "HTTPMessages", "HTTPSemantics", "ReqrunKit", "RequestResolution",
        "RunPlanning", "SpecExecution", "TestSupport", "Values",
      ]),
    // Without package access: they see what a package that depends on this one sees.
    .testTarget(
      name: "ReqrunLibraryTests", dependencies: ["ReqrunConverters", "ReqrunKit", "ReqrunTesting"],
      packageAccess: false,
      swiftSettings: settings),
    tests("DemoServerTests", ["DemoServer"]),
    tests(
      "CommandLineOptionsTests",
      [
        "CommandLineOptions", "Diagnostics", "Matching", "ReqrunKit", "RequestSpecs", "Templates", "TestSupport",
        "Values", "YAMLNodes",
      ]),
    // The cases and the files of pages are data beside the source.
    tests(
      "EndToEndTests",
      [
        "CommandLineOptions", "DemoServer", "Diagnostics", "ReqrunCommand", "ReqrunConvert", "ReqrunConverters",
        "ReqrunKit", "RequestSpecs", "TestSupport", "YAMLNodes",
      ], exclude: ["Cases", "Pages"]),
  ])

let converterTests = floor(
  "Converters", in: "Tests",
  [
    tests(
      "SpecImportsTests",
      [
        "Diagnostics", "ReqrunCommand", "ReqrunConvert", "ReqrunConverters", "ReqrunKit", "SpecImports", "TestSupport",
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
    "APIContracts", "CommandLineOptions", "DemoServer", "JSONSchemas", "ReqrunConvert", "ReqrunConverters",
    "RunReports", "SpecExports", "SpecImports", "Transfers", "URLSessionTransport", "URLSessionWorker",
    "WorkerTransport",
  ]
  for target in package.targets where compact.contains(target.name) {
    target.swiftSettings = settings + [.unsafeFlags(["-Osize"])]
  }
  // Nothing for tests: the release is linked statically, and Testing has no static library.
  package.targets.removeAll { $0.name == "ReqrunTesting" || $0.path?.hasPrefix("Tests") ?? false }
  package.products.removeAll { $0.name == "ReqrunTesting" }
}
