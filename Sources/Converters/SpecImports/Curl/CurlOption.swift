/// An option of curl.
struct CurlOption: Sendable {
  let name: String
  let letter: Character?
  let takesValue: Bool
  let meaning: Meaning

  enum Meaning: Sendable {
    /// A part of the request.
    case request
    /// Output, or a thing that a spec does anyway.
    case ignored
    /// A thing that no spec can say, with the reason.
    case untranslated(String)
  }

  private init(_ names: Substring, takesValue: Bool, _ meaning: Meaning) {
    let pieces = names.split(separator: ",")
    name = pieces.first.map(String.init) ?? ""
    letter = pieces.dropFirst().first?.first
    self.takesValue = takesValue
    self.meaning = meaning
  }

  /// The option of a long name, or the only one that begins so; nil for an unknown or an ambiguous one.
  static func named(_ name: String) -> CurlOption? {
    if let option = byName[name] { return option }
    let found = all.filter { $0.name.hasPrefix(name) }
    return found.count == 1 && !name.isEmpty ? found.first : nil
  }

  static func lettered(_ letter: Character) -> CurlOption? { byLetter[letter] }

  private static let byName = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  private static let byLetter = Dictionary(
    all.compactMap { option in option.letter.map { ($0, option) } }, uniquingKeysWith: { first, _ in first })

  private static func options(_ names: String, takesValue: Bool, _ meaning: Meaning) -> [CurlOption] {
    names.split(whereSeparator: \.isWhitespace).map { CurlOption($0, takesValue: takesValue, meaning) }
  }

  /// The options of curl 8, each with its letter.
  static let all: [CurlOption] =
    options(
      """
      abstract-unix-socket aws-sigv4 cacert cert,E cert-type connect-timeout connect-to cookie,b cookie-jar,c data,d
      data-ascii data-binary data-raw data-urlencode form,F form-string header,H interface json key key-type limit-rate
      max-redirs max-time,m noproxy oauth2-bearer pass pinnedpubkey proto-default proxy,x proxy-user,U proxy1.0 range,r
      referer,e request,X request-target resolve retry retry-delay socks4 socks4a socks5 socks5-hostname time-cond,z
      tls-max unix-socket upload-file,T url url-query user,u user-agent,A variable
      """, takesValue: true, .request)
    + options(
      """
      anyauth basic digest follow get,G globoff,g head,I http1.0,0 http1.1 http2 http2-prior-knowledge http3 http3-only
      insecure,k ipv4,4 ipv6,6 location,L location-trusted negotiate netrc,n netrc-optional ntlm path-as-is post301
      post302 proxy-basic proxy-digest proxy-negotiate proxy-ntlm proxytunnel,p tlsv1,1 tlsv1.0 tlsv1.1 tlsv1.2 tlsv1.3
      """, takesValue: false, .request)
    + options(
      """
      create-file-mode dump-header,D etag-save expect100-timeout happy-eyeballs-timeout-ms keepalive-cnt keepalive-time
      libcurl max-filesize output,o output-dir parallel-max parallel-max-host proto proto-redir rate retry-max-time
      speed-limit,Y speed-time,y ssl-sessions stderr trace trace-ascii trace-config write-out,w
      """, takesValue: true, .ignored)
    + options(
      """
      append,a buffer no-buffer,N clobber compressed compressed-ssh create-dirs dump-ca-embed disable,q
      disallow-username-in-url fail,f fail-early fail-with-body form-escape help,h include,i show-headers
      junk-session-cookies,j keepalive manual,M metalink alpn npn out-null parallel,Z parallel-immediate progress-bar,#
      progress-meter raw remote-header-name,J remote-name,O remote-name-all remote-time,R remove-on-error
      retry-all-errors retry-connrefused sessionid show-error,S silent,s skip-existing styled-output
      suppress-connect-headers tcp-fastopen tcp-nodelay trace-ids trace-time use-ascii,B verbose,v version,V
      xattr
      """, takesValue: false, .ignored)
    + options(
      """
      alt-svc capath ciphers crlfile curves dns-interface dns-ipv4-addr dns-ipv6-addr dns-servers doh-url ech egd-file
      engine hsts proxy-cacert proxy-capath proxy-cert proxy-cert-type proxy-ciphers proxy-crlfile proxy-key
      proxy-key-type proxy-pass proxy-pinnedpubkey proxy-service-name proxy-tls13-ciphers proxy-tlsauthtype
      proxy-tlspassword proxy-tlsuser random-file service-name sigalgs signature-algorithms socks5-gssapi-service
      tls13-ciphers tlsauthtype tlspassword tlsuser
      """, takesValue: true, .untranslated("options of TLS and proxies"))
    + options(
      """
      ca-native cert-status doh-cert-status doh-insecure false-start proxy-anyauth proxy-ca-native proxy-http2
      proxy-http3 proxy-insecure proxy-ssl-allow-beast proxy-ssl-auto-client-cert proxy-tlsv1 socks5-basic socks5-gssapi
      socks5-gssapi-nec ssl ssl-allow-beast ssl-auto-client-cert ssl-no-revoke ssl-reqd ssl-revoke-best-effort sslv2,2
      sslv3,3 tls-earlydata
      """, takesValue: false, .untranslated("options of TLS and proxies"))
    + options(
      """
      config,K continue-at,C delegation etag-compare haproxy-clientip httpsig-algo httpsig-headers httpsig-key httpsig-keyid ip-tos ipfs-gateway local-port login-options
      netrc-file preproxy proxy-header sasl-authzid upload-flags vlan-priority
      """, takesValue: true, .untranslated("options of the connection"))
    + options(
      """
      crlf haproxy-protocol http0.9 ignore-content-length mptcp ntlm-wb post303 sasl-ir tr-encoding
      """, takesValue: false, .untranslated("options of the connection"))
    + options(
      """
      ftp-account ftp-alternative-to-user ftp-method ftp-port,P ftp-ssl-ccc-mode hostpubmd5 hostpubsha256 knownhosts krb
      mail-auth mail-from mail-rcpt pubkey quote,Q telnet-option,t tftp-blksize
      """, takesValue: true, .untranslated("options of other protocols"))
    + options(
      """
      disable-eprt disable-epsv ftp-create-dirs ftp-pasv ftp-pret ftp-skip-pasv-ip ftp-ssl-ccc ftp-ssl-control
      list-only,l mail-rcpt-allowfails tftp-no-options
      """, takesValue: false, .untranslated("options of other protocols"))
}
