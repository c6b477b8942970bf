import Values

/// AWS keys, with the region and service that they sign for.
package struct AWSCredentials: Sendable, Hashable {
  package var accessKey: String
  package var secretKey: String
  package var sessionToken: String?
  /// Nil takes it from the host's name.
  package var region: String?
  /// Nil takes it from the host's name.
  package var service: String?

  package init(
    accessKey: String, secretKey: String, sessionToken: String? = nil, region: String? = nil, service: String? = nil
  ) {
    self.accessKey = accessKey
    self.secretKey = secretKey
    self.sessionToken = sessionToken
    self.region = region
    self.service = service
  }
}

/// The scope in which a signature is valid.
package struct AWSScope: Sendable, Hashable {
  package var region: String
  package var service: String

  package init(region: String, service: String) {
    self.region = region
    self.service = service
  }

  /// Takes region and service from the credentials, and what is missing from the host name; nil if that isn't an AWS
  /// host.
  package init?(_ credentials: AWSCredentials, host: String) {
    let found = AWSScope(host: host)
    guard let region = credentials.region ?? found?.region, let service = credentials.service ?? found?.service else {
      return nil
    }
    self.init(region: region, service: service)
  }

  /// Reads `service.region.amazonaws.com` and AWS's variants of it; without a region it is the global endpoint.
  package init?(host: String) {
    var name = host[...]
    if name.hasSuffix(".cn") { name = name.dropLast(3) }
    guard name.hasSuffix(".amazonaws.com") else { return nil }
    var labels = name.dropLast(".amazonaws.com".utf8.count).split(separator: ".").map(String.init)
    guard let last = labels.popLast() else { return nil }
    if isRegion(last) {
      if labels.last == "dualstack" { labels.removeLast() }
      guard let service = labels.last else { return nil }
      self.init(region: last, service: service)
    } else if let region = labels.last, isRegion(region) {
      self.init(region: region, service: last)
    } else if last.hasPrefix("s3-"), isRegion(String(last.dropFirst(3))) {
      self.init(region: String(last.dropFirst(3)), service: "s3")
    } else {
      self.init(region: "us-east-1", service: last)
    }
  }

  /// S3 takes paths as they are and requires the body's hash in a header.
  var isS3: Bool { service == "s3" || service.hasPrefix("s3-") || service == "s3express" }
}

/// Returns whether the label is a region, such as `eu-central-1` or `us-gov-west-1`.
private func isRegion(_ label: String) -> Bool {
  let parts = label.split(separator: "-", omittingEmptySubsequences: false)
  guard parts.count >= 3, parts[0].utf8.count == 2, let number = parts.last else { return false }
  return !number.isEmpty && number.utf8.allSatisfy(isDigit)
    && parts.dropLast().allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { $0 >= 0x61 && $0 <= 0x7A } }
}

func unknownScope(host: String) -> (message: String, help: String) {
  (
    "an AWS signature is for a region and a service, and the host \(host) contains neither",
    "write `region` and `service` under `aws_sigv4`"
  )
}

/// Keeps secrets out of logs that print values by reflection.
extension AWSCredentials: CustomStringConvertible, CustomReflectable {
  package var description: String { "AWS credentials" }
  package var customMirror: Mirror { Mirror(self, children: []) }
}
