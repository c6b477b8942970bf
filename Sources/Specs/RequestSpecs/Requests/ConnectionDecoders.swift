import HTTPSemantics
import Values

extension ValueDecoder where Output: RawRepresentable & CaseIterable, Output.RawValue == String {
  /// One of a fixed set of keywords, some of which look like numbers.
  package static func wordOrNumber() -> ValueDecoder {
    let words = word()
    let numbers = Output.allCases.map(\.rawValue).filter { Number(parsing: $0) != nil }
    return ValueDecoder(words.expected, words.shape.or(.constants(numbers.map { .number(Number(lexeme: $0)) }))) {
      value throws(DecodingProblem) in
      guard case .number(let number) = value else { return try words.decode(value) }
      do throws(DecodingProblem) {
        return try words.decode(.text(Text(number.lexeme, isSecret: number.isSecret)))
      } catch {
        // No number is a misspelling of another, but `1` may be meant for `1.1`.
        let meant = Output.allCases.map(\.rawValue).filter { $0.hasPrefix("\(number.lexeme).") }
        let choice = meant.map { "\"\($0)\"" }.joined(separator: " or ")
        throw DecodingProblem(
          error.code, error.message, help: meant.isEmpty || number.isSecret ? nil : "write \(choice)")
      }
    }
  }
}

extension ValueDecoder where Output == AddressFamily {
  /// `4`, `6`, `any`
  package static var ipVersion: ValueDecoder {
    let words = ValueDecoder<IPVersion>.wordOrNumber()
    return ValueDecoder(words.expected, words.shape) { value throws(DecodingProblem) in
      switch try words.decode(value) {
      case .four: .ipv4
      case .six: .ipv6
      case .any: .any
      }
    }
  }
}

private enum IPVersion: String, CaseIterable, Sendable {
  case four = "4"
  case six = "6"
  case any
}

extension ValueDecoder where Output == FileReference {
  package static var filePath: ValueDecoder {
    ValueDecoder("a path", .someText) { value throws(DecodingProblem) in
      switch value {
      case .text, .number: break
      default: return nil
      }
      let text = try ValueDecoder<Text>.text.decode(value)
      if text.isEmpty { throw DecodingProblem(.emptyValue, "an empty path names no file") }
      if text.string.utf8.contains(0) { throw DecodingProblem(.invalidValue, "a path cannot contain NUL") }
      return FileReference(text)
    }
  }

  /// A path, or Linux's abstract name of a socket after an `@`.
  package static var socketPath: ValueDecoder {
    ValueDecoder("the path of a socket", .someText) { value throws(DecodingProblem) in
      let reference = try filePath.decode(value)
      // `sun_path` has 108 bytes on Linux and 104 on macOS.
      guard reference.path.string.utf8.count < 104, reference.path.string != "@" else {
        throw DecodingProblem(.invalidValue, "the path of a socket has from 1 to 103 bytes")
      }
      return reference
    }
  }
}

extension ValueDecoder where Output == Text {
  /// The name of a network interface, an address or a host.
  package static var interface: ValueDecoder {
    ValueDecoder("the name of a network interface, an address or a host", .pattern("^[!-~]+$")) {
      value throws(DecodingProblem) in
      let text = try Self.text.decode(value)
      guard !text.isEmpty, text.string.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else {
        throw DecodingProblem(
          .invalidValue, "\"\(jsonEscaped(text.masked))\" is neither a network interface nor an address")
      }
      return text
    }
  }
}

extension ValueDecoder where Output == Int64 {
  /// A size for each second.
  package static var rate: ValueDecoder {
    let shape: @Sendable () -> SchemaShape = {
      .any([.integer(1...Int.max), .pattern("^[0-9][0-9.eE+-]* ?(KiB|MiB|GiB|KB|MB|GB|B)?(/s)?$")])
    }
    return ValueDecoder("a size for each second, such as 300KB or 1MiB", shape()) { value throws(DecodingProblem) in
      var value = value
      if case .text(let text) = value, text.string.hasSuffix("/s") { value = .text(text.dropping(last: 2)) }
      guard let rate = try? size.decode(value) else { return nil }
      guard rate > 0 else {
        throw DecodingProblem(.invalidValue, "a rate is more than 0", help: "leave it out for no limit")
      }
      return rate
    }
  }
}

extension ValueDecoder {
  /// A list, or one item alone.
  package static func list<Item>(of item: ValueDecoder<Item>) -> ValueDecoder where Output == [Item] {
    ValueDecoder(item.expected, item.shape.orList) { value throws(DecodingProblem) in
      guard case .list(let values) = value else { return [try item.decode(value)] }
      var result: [Item] = []
      for value in values { result.append(try item.decode(value)) }
      return result
    }
  }
}

extension ValueDecoder where Output == ProxyChoice {
  package static var proxy: ValueDecoder {
    ValueDecoder("`none` or a proxy such as http://host:port", .someText) { value throws(DecodingProblem) in
      guard case .text(let text) = value else { return nil }
      if text.string == "none" { return .direct }
      do throws(URLProblem) {
        return .proxy(Written(try Proxy(parsing: text.string), as: withoutProxyUserinfo(text)))
      } catch {
        throw DecodingProblem(error, in: text)
      }
    }
  }
}

private func withoutProxyUserinfo(_ url: Text) -> Text {
  guard let userinfo = Proxy.userinfo(of: url.string) else { return url }
  return url.prefix(utf8: userinfo.lowerBound) + url.dropping(first: userinfo.upperBound + 1)
}

extension ValueDecoder where Output == Written<[ProxyExceptions.Entry]> {
  /// A host, `.host`, address, network or `*`; several separated by commas, as in the variable `no_proxy`.
  package static var proxyExceptions: ValueDecoder {
    ValueDecoder("a host, an address or a network", .text) { value throws(DecodingProblem) in
      let text = try ValueDecoder<Text>.text.decode(value)
      var entries: [ProxyExceptions.Entry] = []
      for part in ProxyExceptions.split(text.string) {
        guard let entry = ProxyExceptions.Entry(part) else {
          throw DecodingProblem(
            .invalidValue,
            "\(text.isSecret ? "this" : "\"\(jsonEscaped(String(part)))\"") is not a host, address or network",
            help: "write example.com, .example.com, example.com:8080, 10.0.0.1, 10.0.0.0/8 or *")
        }
        entries.append(entry)
      }
      return Written(entries, as: text)
    }
  }
}

extension ValueDecoder where Output == Written<AddressOverride> {
  /// `host:port:address[,address]`
  package static var addressOverride: ValueDecoder {
    ValueDecoder("text such as example.com:443:127.0.0.1", .pattern(":")) { value throws(DecodingProblem) in
      guard case .text(let text) = value else { return nil }
      do throws(URLProblem) {
        return Written(try AddressOverride(parsing: text.string), as: text)
      } catch {
        throw DecodingProblem(error, in: text)
      }
    }
  }
}

extension ValueDecoder where Output == [Written<AddressOverride>] {
  /// A list of ``addressOverride``, or a mapping of `host:port` to an address or a list of them.
  package static var addressOverrides: ValueDecoder {
    let list = list(of: .addressOverride)
    return ValueDecoder(list.expected, list.shape.or(.names(of: SchemaShape.text.orList))) {
      value throws(DecodingProblem) in
      guard case .mapping(let mapping) = value else { return try list.decode(value) }
      var result: [Written<AddressOverride>] = []
      for member in mapping.members { result.append(try addressOverride(member)) }
      return result
    }
  }

  static func addressOverride(_ member: Mapping.Member) throws(DecodingProblem) -> Written<AddressOverride> {
    var text = member.key + Text(":")
    for (index, address) in try ValueDecoder<[Text]>.list(of: .text).decode(member.value).enumerated() {
      if index > 0 { text.append(",") }
      text.append(address)
    }
    do {
      return try ValueDecoder<Written<AddressOverride>>.addressOverride.decode(.text(text))
    } catch {
      throw DecodingProblem(
        error.code, error.message, help: "write {\"example.com:443\": 127.0.0.1}")
    }
  }
}

extension ValueDecoder where Output == Written<ConnectTo> {
  /// `host:port:other-host:other-port`
  package static var connectTo: ValueDecoder {
    ValueDecoder("text such as example.com:443:127.0.0.1:8443", .pattern(":")) { value throws(DecodingProblem) in
      guard case .text(let text) = value else { return nil }
      do throws(URLProblem) {
        return Written(try ConnectTo(parsing: text.string), as: text)
      } catch {
        throw DecodingProblem(error, in: text)
      }
    }
  }
}

extension ValueDecoder where Output == String {
  /// `sha256//` and the base64 of a public key's SHA-256, as for curl's `--pinnedpubkey`.
  package static var pinnedKey: ValueDecoder {
    ValueDecoder("sha256// and a hash in base64", .pattern("^sha256//")) { value throws(DecodingProblem) in
      guard case .text(let text) = value else { return nil }
      let prefix = "sha256//"
      guard text.string.hasPrefix(prefix) else {
        throw DecodingProblem(
          .invalidValue, "a pinned key begins with sha256//", help: "write sha256// and the hash in base64")
      }
      let hash = String(text.string.dropFirst(prefix.count))
      guard base64Decoded(hash)?.count == 32 else {
        throw DecodingProblem(
          .invalidValue, "this is not the base64 of a SHA-256: it has 44 characters, the last of which is =",
          at: prefix.utf8.count..<max(prefix.utf8.count, text.string.utf8.count))
      }
      return hash
    }
  }
}

extension DecodingProblem {
  fileprivate init(_ problem: URLProblem, in text: Text) {
    self.init(.invalidValue, problem.message, at: problem.range, help: problem.help)
  }
}
