import Foundation

/// Certificates and keys for tests, made by `openssl` in a folder.
package struct TestCertificates: Sendable {
  package let folder: String

  /// Of all keys and files that have one.
  package static let passphrase = "open sesame"

  package static let isAvailable = FileManager.default.isExecutableFile(atPath: "/usr/bin/openssl")

  package init(in folder: String) throws {
    self.folder = folder
    try runShell(Self.script, in: folder)
  }

  /// Such as `ca.pem`: see the script for what there is.
  package func path(_ name: String) -> String { "\(folder)/\(name)" }

  /// The SHA-256 of the public key of `server.pem`, in base64.
  package var pin: String {
    get throws {
      try String(contentsOfFile: path("server.pin"), encoding: .utf8).trimmingCharacters(in: .whitespacesAndNewlines)
    }
  }

  /// A `server` for localhost, 127.0.0.1, ::1 and `*.wire.test`; an `expired`, a `self-signed` one, one for an `other`
  /// host; a `client`, its key also encrypted, all of it also in one file, in DER and in PKCS#12; a pin.
  private static let script = #"""
    key() { openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1.key"; }
    authority() { key "$1"; openssl req -x509 -new -key "$1.key" -subj "/CN=$2" -days 2 -out "$1.pem"; }
    leaf() {
      key "$1"
      printf 'subjectAltName=%s\nextendedKeyUsage=serverAuth,clientAuth\n' "$4" >names
      openssl req -new -key "$1.key" -subj "$3" -out "$1.csr"
      openssl x509 -req -in "$1.csr" -CA "$2.pem" -CAkey "$2.key" -CAcreateserial -days "$5" -extfile names -out "$1.pem"
    }
    authority ca "Wire Test CA"
    authority client-ca "Wire Client CA"
    leaf server ca "/CN=localhost" "DNS:localhost,DNS:*.wire.test,IP:127.0.0.1,IP:::1" 2
    leaf expired ca "/CN=localhost" "DNS:localhost" -1
    leaf other ca "/CN=other.test" "DNS:other.test" 2
    key self-signed
    openssl req -x509 -new -key self-signed.key -subj "/CN=localhost" -days 2 -addext subjectAltName=DNS:localhost \
      -addext extendedKeyUsage=serverAuth \
      -out self-signed.pem
    leaf client client-ca "/CN=Ann" "DNS:ann.test" 2
    cat client.pem client.key >client-both.pem
    openssl pkey -in client.key -aes256 -passout "pass:open sesame" -out client-encrypted.key
    openssl pkcs12 -export -inkey client.key -in client.pem -passout "pass:open sesame" -out client.p12
    openssl x509 -in client.pem -outform der -out client.der
    openssl pkey -in client.key -outform der -out client-key.der
    openssl x509 -in server.pem -pubkey -noout | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary |
      openssl base64 >server.pin
    """#
}
