/// The names of keys of a request, which their tables and importers share.
package enum RequestKey: String, Sendable {
  case auth, body, capture, compressed, cookies, delay, description, download, each, expect, form, graphql, headers,
    hls, interface, json, method, mock, multipart, name, namespaces, openapi, path, poll, proxy, query, redirects,
    resolve, retry, send, session, skip, stream, tags, timeout, tls, upload, url, validate, variables, when, parameters
  case baseURL = "base_url"
  case bodyOnGet = "body_on_get"
  case continueOnFailure = "continue_on_failure"
  case connectTo = "connect_to"
  case httpVersion = "http_version"
  case ipVersion = "ip_version"
  case limitRate = "limit_rate"
  case requestTarget = "request_target"
  case unixSocket = "unix_socket"
}

/// The names of the keys of `redirects`.
package enum RedirectsKey: String, Sendable {
  case max
  case allowHTTP = "allow_http"
  case keepMethod = "keep_method"
  case trustHosts = "trust_hosts"
}

/// The names of the keys of `proxy`.
package enum ProxyKey: String, Sendable {
  case auth, password, tunnel, url, username
  case noProxy = "no_proxy"
}

/// The names of the keys of `retry`.
package enum RetryKey: String, Sendable {
  case attempts, backoff, causes, interval, jitter
  case maxInterval = "max_interval"
}

/// The names of the keys of `session`.
package enum SessionKey: String, Sendable {
  case cache, cookies
  case cacheDirectory = "cache_directory"
  case maxConnectionsPerHost = "max_connections_per_host"
}

/// The names of the keys of `timeout`.
package enum TimeoutKey: String, Sendable {
  case connect, request, resource
}

/// The names of the keys of `tls`.
package enum TLSKey: String, Sendable {
  case ca, cert, format, key, passphrase, pinned, verify
  case maxVersion = "max_version"
  case minVersion = "min_version"
}
