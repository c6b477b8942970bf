/// The knowledge about the values below a key that its name and the names above it give.
enum SecretScope {
  /// Determined by the names of members.
  case open
  /// Everything is secret.
  case secret
  /// The file of one person: its keys are shown, and everything else is secret.
  case personal
  /// `cookies`: all values are secret, and members' names are shown.
  case secrets
  /// `secrets`: names alone are taken from the environment.
  case declared
  /// `auth` and the kinds of credentials: the identity may be shown, everything else not.
  case credentials
  /// `oauth2`: the parts of a grant that name no secret may be shown.
  case grant
  /// `user`, in which a password may follow a colon, as in curl.
  case user
  /// An address that may begin with credentials.
  case address
  /// `captures`: values describe their sources.
  case sources
  /// `expect`: predicates of a secret may be shown.
  case expectation
  /// Members are names of schemas.
  case schemas
  /// A description of a secret: its type may be shown, examples of it not.
  case described
  /// The value of a keyword of such a description.
  case description

  func member(_ name: String) -> SecretScope {
    switch self {
    case .secret, .secrets, .declared: return .secret
    case .personal: return .secrets
    case .sources: return .sources
    case .expectation: return isSecretName(name) ? .described : .expectation
    case .schemas: return isSecretName(name) ? .described : .open
    case .described, .description:
      if name == "properties" { return .schemas }
      if values.contains(name) { return .secret }
      return self == .description || keywords.contains(name) ? .description : .described
    case .credentials:
      if users.contains(name.lowercased()) || publicParts.contains(name) { return .user }
      if ["oauth2", "oauth"].contains(name) { return .grant }
      if ["type", "scheme", "kind"].contains(name) { return .credentials }
      if endpoints.contains(name) { return .address }
      return kinds.contains(name.lowercased()) ? .credentials : publicGrantParts.contains(name) ? .open : .secret
    case .grant:
      if users.contains(name.lowercased()) { return .user }
      if endpoints.contains(name) { return .address }
      if name == "key" { return .credentials }
      return name == "assertion" ? .grant : publicGrantParts.contains(name) ? .open : .secret
    case .open, .user, .address: break
    }
    switch name {
    case "capture", "captures": return .sources
    case "expect", "until": return .expectation
    case "secrets": return .declared
    case "auth": return .credentials
    case "proxy", "url", "base_url": return .address
    case "$defs", "definitions", "patternProperties", "properties", "schemas", "securitySchemes": return .schemas
    default: break
    }
    if users.contains(name.lowercased()) { return .user }
    return isSecretName(name) ? (plurals.contains(where: name.lowercased().hasSuffix) ? .secrets : .secret) : .open
  }

  /// Indicates whether a value here is a secret unless it is shown to be none.
  var isConcealing: Bool {
    switch self {
    case .secret, .personal, .secrets, .declared, .credentials, .grant, .described: true
    case .open, .user, .address, .sources, .expectation, .schemas, .description: false
    }
  }

  /// Returns whether a value is not a secret even here.
  func shows(_ value: String) -> Bool {
    switch value {
    case "", "null", "~", "true", "false", "***", "[]", "{}": return true
    default: break
    }
    switch self {
    case .credentials: return schemes.contains(value)
    // The policies of `session`.
    case .secrets: return ["keep", "shared", "none"].contains(value)
    case .declared:
      return value.utf8.first.map { !isDigit($0) } ?? false
        && value.utf8.allSatisfy { isAlphanumeric($0) || $0 == UInt8(ascii: "_") }
    default: return false
    }
  }
}

/// Names of several secrets, whose members have names of their own.
private let plurals = ["cookies", "credentials", "keys", "passwords", "secrets", "tokens"]
private let users: Set<String> = ["login", "user", "username"]
private let publicParts: Set<String> = ["access_key", "file", "name", "region", "service"]
/// Kinds of credentials that have parts.
private let kinds: Set<String> = ["basic", "digest", "ntlm", "aws_sigv4"]
/// The keys of `oauth2` whose values are not secrets, and words that people write in their place.
private let publicGrantParts: Set<String> = [
  "algorithm", "audience", "claims", "client_auth", "client_id", "expires_in", "grant", "grant_type", "kid",
  "parameters", "resource", "scope", "scopes", "token_cache",
]
/// The keys of `oauth2` whose values are URLs.
private let endpoints: Set<String> = [
  "access_token_url", "authorization_url", "device_authorization_url", "issuer", "redirect_uri",
  "token_url",
]
/// Keywords for kinds of credentials.
private let schemes: Set<String> = [
  "none", "netrc", "negotiate", "basic", "bearer", "digest", "ntlm", "oauth", "oauth2", "aws_sigv4",
]
/// The keywords of JSON Schema, OpenAPI and predicates whose values are secrets themselves.
private let values: Set<String> = ["const", "default", "enum", "equals", "example", "examples"]
/// The keywords of JSON Schema, OpenAPI, predicates and cookies whose values describe a secret, and are none.
private let keywords: Set<String> = [
  "$ref", "allOf", "anyOf", "count", "deprecated", "description", "domain", "exists", "expires", "format", "http_only",
  "in", "is", "items", "length", "max_age", "path", "same_site", "secure",
  "maxLength", "minLength", "name", "not", "nullable", "oneOf", "readOnly", "required", "schema", "title", "type",
  "writeOnly",
]
