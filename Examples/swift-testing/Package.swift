// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "SpecTests",
  platforms: [.macOS(.v15)],
  dependencies: [
    // In a package of your own: .package(url: "https://…/reqrun", from: "…").
    .package(name: "reqrun", path: "../..")
  ],
  targets: [
    .testTarget(
      name: "SpecTests",
      dependencies: [
        .product(name: "ReqrunKit", package: "reqrun"), .product(name: "ReqrunTesting", package: "reqrun"),
      ], exclude: ["Specs"])
  ],
  swiftLanguageModes: [.v6]
)
