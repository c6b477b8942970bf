import CommandLineOptions
import Testing
import Values
import YAMLNodes

/// Request lines, many of them from the documentation of HTTPie and xh, and the requests that they stand for.
@Suite struct LineTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let arguments: [String]
    var form: SendArguments.Form?
    var raw: String?
    var graphQL: String?
    var input: String?
    var auth: String?
    var scheme: String?
    var compression: SendArguments.Compression?
    var isSaved = false
    var isPathAsIs = false
    var taken: Set<String> = []
    /// The keys of the request in flow style, or the error.
    let expected: String

    init(
      _ arguments: [String], form: SendArguments.Form? = nil, raw: String? = nil, graphQL: String? = nil,
      input: String? = nil, auth: String? = nil, scheme: String? = nil, compression: SendArguments.Compression? = nil,
      isSaved: Bool = false, isPathAsIs: Bool = false,
      taken: Set<String> = [], _ expected: String
    ) {
      (self.arguments, self.form, self.raw, self.graphQL, self.input) = (arguments, form, raw, graphQL, input)
      (self.auth, self.scheme, self.compression, self.taken) = (auth, scheme, compression, taken)
      (self.isSaved, self.isPathAsIs) = (isSaved, isPathAsIs)
      self.expected = expected
    }

    var testDescription: String { arguments.joined(separator: " ") }

    var actual: String {
      do throws(SendProblem) {
        var line = try SendArguments(arguments)
        (line.form, line.raw, line.graphQL, line.compression, line.takenNames) = (
          form, raw, graphQL, compression, taken
        )
        (line.isSaved, line.isPathAsIs) = (isSaved, isPathAsIs)
        line.input = input.map { $0 == "\u{FF}" ? [0xFF] : Array($0.utf8) }
        if let auth { line.credentials = try SendCredentials(auth, scheme: scheme) }
        let request = try line.request(
          SendArguments.Files(home: "/home/ann") { (path) throws(SendProblem) in
            guard let text = LineTests.files[path] else { throw SendProblem("there is no \(path)") }
            return text == "\u{FF}" ? [0xFF] : Array(text.utf8)
          })
        let secrets = request.secrets.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
        return flow(.mapping(request.keys)) + (secrets.isEmpty ? "" : " \(secrets)")
      } catch {
        return error.message + (error.help.map { " — \($0)" } ?? "")
      }
    }
  }

  static let files = [
    "files/text.txt": "John is nice.\n", "files/data.json": #"{"HTTPie": "https://httpie.org"}"#,
    "template.txt": "${{ no }}", "template.json": #"["${{ no }}"]"#, "binary.bin": "\u{FF}",
  ]

  static let cases = [
    Case(
      ["PUT", "pie.dev/put", "X-API-Token:123", "name=John"],
      #"{method: PUT, url: https://pie.dev/put, headers: {X-API-Token: "${{ X_API_TOKEN }}", Accept: "application/json, */*;q=0.5"}, json: {name: John}} X_API_TOKEN=123"#
    ),
    Case(
      ["POST", "pie.dev/post", "hello=World"], form: .form,
      "{url: https://pie.dev/post, form: {hello: World}}"),
    Case(
      ["pie.dev/get"],
      "{url: https://pie.dev/get}"),
    Case(
      ["POST", "pie.dev/post", "hello=world"],
      #"{url: https://pie.dev/post, headers: {Accept: "application/json, */*;q=0.5"}, json: {hello: world}}"#),
    Case(
      ["AHOY", "pie.dev/post"],
      "{method: AHOY, url: https://pie.dev/post}"),
    Case(
      ["DELETE", "pie.dev/delete"],
      "{method: DELETE, url: https://pie.dev/delete}"),
    Case(
      ["GET", "pie.dev/get", "hello=world"],
      #"{method: GET, url: https://pie.dev/get, headers: {Accept: "application/json, */*;q=0.5"}, json: {hello: world}, body_on_get: true}"#
    ),
    Case(
      ["POST", "pie.dev/post"],
      "{method: POST, url: https://pie.dev/post}"),
    Case(
      ["GET", "pie.dev/get"],
      "{url: https://pie.dev/get}"),
    Case(
      ["pie.dev/post", "hello=world"],
      #"{url: https://pie.dev/post, headers: {Accept: "application/json, */*;q=0.5"}, json: {hello: world}}"#),
    Case(
      ["://pie.dev"],
      "{url: https://pie.dev}"),
    Case(
      [":3000/bar"],
      "{url: http://localhost:3000/bar}"),
    Case(
      [":3000"],
      "{url: http://localhost:3000}"),
    Case(
      ["pie.dev/search/repositories", "q==httpie", "per_page==1"],
      #"{url: https://pie.dev/search/repositories, query: {q: httpie, per_page: "1"}}"#),
    Case(
      ["pie.dev/get", "text==@files/text.txt"],
      "{url: https://pie.dev/get, query: {text: John is nice.}}"),
    Case(
      ["PUT", "pie.dev/put", "X-Date:today", "token==secret", "name=John", "age:=29"],
      #"{method: PUT, url: https://pie.dev/put, headers: {X-Date: today, Accept: "application/json, */*;q=0.5"}, query: {token: "${{ TOKEN }}"}, json: {name: John, age: 29}} TOKEN=secret"#
    ),
    Case(
      [
        "POST", "pie.dev/post", "X-Data:@files/text.txt", "token==@files/text.txt", "name=@files/text.txt",
        "bookmarks:=@files/data.json",
      ],
      #"{url: https://pie.dev/post, headers: {X-Data: John is nice., Accept: "application/json, */*;q=0.5"}, query: {token: "${{ TOKEN }}"}, json: {name: "John is nice.\n", bookmarks: {HTTPie: https://httpie.org}}} TOKEN=John is nice."#
    ),
    Case(
      ["pie.dev/post", #"foo\==bar"#],
      #"{url: https://pie.dev/post, headers: {Accept: "application/json, */*;q=0.5"}, json: {foo=: bar}}"#),
    Case(
      ["pie.dev/post", "foo=bar baz"],
      #"{url: https://pie.dev/post, headers: {Accept: "application/json, */*;q=0.5"}, json: {foo: bar baz}}"#),
    Case(
      ["pie.dev/post", "-name-starting-with-dash=foo", "-Unusual-Header:bar"],
      #"{url: https://pie.dev/post, headers: {-Unusual-Header: bar, Accept: "application/json, */*;q=0.5"}, json: {-name-starting-with-dash: foo}}"#
    ),
    Case(
      ["PUT", "pie.dev/put", "name=John", "email=john@example.org"],
      #"{method: PUT, url: https://pie.dev/put, headers: {Accept: "application/json, */*;q=0.5"}, json: {name: John, email: john@example.org}}"#
    ),
    Case(
      ["pie.dev/get"], form: .json,
      #"{url: https://pie.dev/get, headers: {Content-Type: application/json, Accept: "application/json, */*;q=0.5"}}"#),
    Case(
      [
        "PUT", "pie.dev/put", "name=John", "age:=29", "married:=false", #"hobbies:=["http", "pies"]"#,
        #"favorite:={"tool": "HTTPie"}"#, "bookmarks:=@files/data.json", "description=@files/text.txt",
      ],
      #"{method: PUT, url: https://pie.dev/put, headers: {Accept: "application/json, */*;q=0.5"}, json: {name: John, age: 29, married: false, hobbies: [http, pies], favorite: {tool: HTTPie}, bookmarks: {HTTPie: https://httpie.org}, description: "John is nice.\n"}}"#
    ),
    Case(
      [
        "pie.dev/post", "platform[name]=HTTPie", "platform[about][mission]=Make APIs simple and intuitive",
        "platform[about][homepage]=httpie.io", "platform[about][homepage]=httpie.io", "platform[about][stars]:=54000",
        "platform[apps][]=Terminal", "platform[apps][]=Desktop", "platform[apps][]=Web", "platform[apps][]=Mobile",
      ],
      #"{url: https://pie.dev/post, headers: {Accept: "application/json, */*;q=0.5"}, json: {platform: {name: HTTPie, about: {mission: Make APIs simple and intuitive, homepage: httpie.io, stars: 54000}, apps: [Terminal, Desktop, Web, Mobile]}}}"#
    ),
    Case(
      ["pie.dev/post", "category=tools", "search[type]=id", "search[id]:=1"],
      #"{url: https://pie.dev/post, headers: {Accept: "application/json, */*;q=0.5"}, json: {category: tools, search: {type: id, id: 1}}}"#
    ),
    Case(
      ["pie.dev/post", "category=tools", "search[type]=keyword", "search[keywords][]=APIs", "search[keywords][]=CLI"],
      #"{url: https://pie.dev/post, headers: {Accept: "application/json, */*;q=0.5"}, json: {category: tools, search: {type: keyword, keywords: [APIs, CLI]}}}"#
    ),
    Case(
      [
        "pie.dev/post", "category=tools", "search[type]=keyword", "search[keywords][1]=APIs", "search[keywords][0]=CLI",
      ],
      #"{url: https://pie.dev/post, headers: {Accept: "application/json, */*;q=0.5"}, json: {category: tools, search: {type: keyword, keywords: [CLI, APIs]}}}"#
    ),
    Case(
      [
        "pie.dev/post", "category=tools", "search[type]=platforms", "search[platforms][]=Terminal",
        "search[platforms][1]=Desktop", "search[platforms][3]=Mobile",
      ],
      #"{url: https://pie.dev/post, headers: {Accept: "application/json, */*;q=0.5"}, json: {category: tools, search: {type: platforms, platforms: [Terminal, Desktop, null, Mobile]}}}"#
    ),
    Case(
      [
        "pie.dev/post", "category=tools", "search[type]=platforms", #"search[platforms]:=["Terminal", "Desktop"]"#,
        "search[platforms][]=Web", "search[platforms][]=Mobile",
      ],
      #"{url: https://pie.dev/post, headers: {Accept: "application/json, */*;q=0.5"}, json: {category: tools, search: {type: platforms, platforms: [Terminal, Desktop, Web, Mobile]}}}"#
    ),
    Case(
      [
        "PUT", "pie.dev/put", "shallow=value", "object[key]=value", "array[]:=1", "array[1]:=2", "array[2]:=3",
        "very[nested][json][3][httpie][power][]=Amaze",
      ],
      #"{method: PUT, url: https://pie.dev/put, headers: {Accept: "application/json, */*;q=0.5"}, json: {shallow: value, object: {key: value}, array: [1, 2, 3], very: {nested: {json: [null, null, null, {httpie: {power: [Amaze]}}]}}}}"#
    ),
    Case(
      ["pie.dev/post", "[]:=1", "[]:=2", "[]:=3"],
      #"{url: https://pie.dev/post, headers: {Accept: "application/json, */*;q=0.5"}, json: [1, 2, 3]}"#),
    Case(
      ["pie.dev/post", "[0][type]=platform", "[0][name]=terminal", "[1][type]=platform", "[1][name]=desktop"],
      #"{url: https://pie.dev/post, headers: {Accept: "application/json, */*;q=0.5"}, json: [{type: platform, name: terminal}, {type: platform, name: desktop}]}"#
    ),
    Case(
      ["pie.dev/post", #"foo\[bar\]:=1"#, #"baz[\[]:=2"#, #"baz[\]]:=3"#],
      #"{url: https://pie.dev/post, headers: {Accept: "application/json, */*;q=0.5"}, json: {foo[bar]: 1, baz: {[: 2, ]: 3}}}"#
    ),
    Case(
      ["pie.dev/post", #"backslash[\\]:=1"#],
      #"{url: https://pie.dev/post, headers: {Accept: "application/json, */*;q=0.5"}, json: {backslash: {\: 1}}}"#),
    Case(
      ["pie.dev/post", #"object[\1]=stringified"#, #"object[\100]=same"#, "array[1]=indexified"],
      #"{url: https://pie.dev/post, headers: {Accept: "application/json, */*;q=0.5"}, json: {object: {1: stringified, 100: same}, array: [null, indexified]}}"#
    ),
    Case(
      ["pie.dev/post", "foo[bar]=OK", "foo[baz][quux=FAIL"],
      #"the name "foo[baz][quux" lacks a "]" — close each "["; \[ is a bracket itself"#),
    Case(
      ["pie.dev/post", "array[]:=1", "array[]:=2", "array[key]:=3"],
      #"the item "array[key]:=3" puts a key into what is a list — an earlier item made it so: write them alike"#),
    Case(
      ["pie.dev/post", "user[name]:=411", "user[name]=string"],
      #"{url: https://pie.dev/post, headers: {Accept: "application/json, */*;q=0.5"}, json: {user: {name: string}}}"#),
    Case(
      ["POST", "pie.dev/post", "name=John Smith"], form: .form,
      "{url: https://pie.dev/post, form: {name: John Smith}}"),
    Case(
      ["POST", "pie.dev/post", "name=John Smith", "cv@files/data.xml"], form: .form,
      "{url: https://pie.dev/post, multipart: {name: John Smith, cv: {file: files/data.xml}}}"),
    Case(
      ["POST", "pie.dev/post", "name=John Smith", "cv@files/data.bin;type=application/pdf"], form: .form,
      "{url: https://pie.dev/post, multipart: {name: John Smith, cv: {file: files/data.bin, type: application/pdf}}}"),
    Case(
      ["pie.dev/post", "hello=world"], form: .multipart,
      "{url: https://pie.dev/post, multipart: {hello: world}}"),
    Case(
      ["pie.dev/post", "hello=world", "Content-Type:multipart/letter"], form: .multipart,
      "{url: https://pie.dev/post, headers: {Content-Type: multipart/letter}, multipart: {hello: world}}"),
    Case(
      [
        "pie.dev/headers", "User-Agent:Bacon/1.0-custom", "Cookie:valued-visitor=yes;foo=bar", "X-Foo:Bar",
        "Referer:https://httpie.org/",
      ],
      #"{url: https://pie.dev/headers, headers: {User-Agent: Bacon/1.0-custom, Cookie: "${{ COOKIE }}", X-Foo: Bar, Referer: https://httpie.org/}} COOKIE=valued-visitor=yes;foo=bar"#
    ),
    Case(
      ["pie.dev/headers", "X-Data:@files/text.txt"],
      "{url: https://pie.dev/headers, headers: {X-Data: John is nice.}}"),
    Case(
      ["pie.dev/headers", "Accept:", "User-Agent:"],
      "{url: https://pie.dev/headers, headers: {Accept: null, User-Agent: null}}"),
    Case(
      ["pie.dev/headers", "Header;"],
      #"{url: https://pie.dev/headers, headers: {Header: ""}}"#),
    Case(
      ["pie.dev/cookies", "Cookie:sessionid=foo"],
      #"{url: https://pie.dev/cookies, headers: {Cookie: "${{ COOKIE }}"}} COOKIE=sessionid=foo"#),
    Case(
      ["pie.dev/cookies", "Cookie:sessionid=foo;another-cookie=bar"],
      #"{url: https://pie.dev/cookies, headers: {Cookie: "${{ COOKIE }}"}} COOKIE=sessionid=foo;another-cookie=bar"#),
    Case(
      ["pie.dev/basic-auth/username/password"], auth: "username:password",
      #"{url: https://pie.dev/basic-auth/username/password, auth: {basic: {username: username, password: "${{ PASSWORD }}"}}} PASSWORD=password"#
    ),
    Case(
      ["pie.dev/bearer"], auth: "token", scheme: "bearer",
      #"{url: https://pie.dev/bearer, auth: {bearer: "${{ TOKEN }}"}} TOKEN=token"#),
    Case(
      ["pie.dev/headers"], auth: "username:",
      #"{url: https://pie.dev/headers, auth: {basic: {username: username, password: ""}}}"#),
    Case(
      ["pie.dev/post"], raw: "Hello, world!",
      #"{url: https://pie.dev/post, headers: {Content-Type: application/json, Accept: "application/json, */*;q=0.5"}, body: "Hello, world!"}"#
    ),
    Case(
      ["pie.dev/post"], raw: #"{"name": "John"}"#,
      #"{url: https://pie.dev/post, headers: {Content-Type: application/json, Accept: "application/json, */*;q=0.5"}, body: "{\"name\": \"John\"}"}"#
    ),
    Case(
      ["PUT", "pie.dev/put", "@files/data.xml"],
      #"{method: PUT, url: https://pie.dev/put, headers: {Content-Type: application/xml, Accept: "application/json, */*;q=0.5"}, body: {file: files/data.xml}}"#
    ),
    Case(
      ["pie.dev/post", "@files/data.json"],
      #"{url: https://pie.dev/post, headers: {Content-Type: application/json, Accept: "application/json, */*;q=0.5"}, body: {file: files/data.json}}"#
    ),
    Case(
      ["pie.dev/post", "@files/data.xml", "Content-Type:text/plain"],
      #"{url: https://pie.dev/post, headers: {Content-Type: text/plain, Accept: "application/json, */*;q=0.5"}, body: {file: files/data.xml}}"#
    ),
    Case(
      ["pie.dev/post", "a:=1", "b:=true", "c=x"], form: .form,
      "{url: https://pie.dev/post, form: {a: 1, b: true, c: x}}"),
    Case(
      ["pie.dev/post", "a=1", "a=2", "b=3"], form: .form,
      #"{url: https://pie.dev/post, form: {a: ["1", "2"], b: "3"}}"#),
    Case(
      ["pie.dev/get", "a==1", "b==2", "a==3"],
      #"{url: https://pie.dev/get, query: {a: ["1", "3"], b: "2"}}"#),
    Case(
      ["pie.dev/get?x=1", "a==1"],
      #"{url: https://pie.dev/get?x=1, query: {a: "1"}}"#),
    Case(
      ["pie.dev/headers", "X-A:1", "X-A:2"],
      #"{url: https://pie.dev/headers, headers: {X-A: ["1", "2"]}}"#),
    Case(
      ["pie.dev/headers", "X-A:  padded  "],
      "{url: https://pie.dev/headers, headers: {X-A: padded}}"),
    Case(
      ["pie.dev/post", "a[b][c]:=null"],
      #"{url: https://pie.dev/post, headers: {Accept: "application/json, */*;q=0.5"}, json: {a: {b: {c: null}}}}"#),
    Case(
      ["pie.dev/post", "a[0][b]:=1", "a[1][b]:=2"],
      #"{url: https://pie.dev/post, headers: {Accept: "application/json, */*;q=0.5"}, json: {a: [{b: 1}, {b: 2}]}}"#),
    Case(
      ["pie.dev/post", "n:=12345678901234567890", "f:=1.50", "e:=1e3"],
      #"{url: https://pie.dev/post, headers: {Accept: "application/json, */*;q=0.5"}, json: {n: 12345678901234567890, f: 1.50, e: 1e3}}"#
    ),
    Case(
      ["pie.dev/post", "name=ünïcödé", "emoji=🎉"],
      #"{url: https://pie.dev/post, headers: {Accept: "application/json, */*;q=0.5"}, json: {name: ünïcödé, emoji: "🎉"}}"#
    ),
    Case(
      ["pie.dev/get", "q==ä b&c=d"],
      "{url: https://pie.dev/get, query: {q: ä b&c=d}}"),
    Case(
      ["pie.dev/post", #"a\:b=c"#],
      #"{url: https://pie.dev/post, headers: {Accept: "application/json, */*;q=0.5"}, json: {a:b: c}}"#),
    Case(
      ["pie.dev/post", #"x\=y=z"#],
      #"{url: https://pie.dev/post, headers: {Accept: "application/json, */*;q=0.5"}, json: {x=y: z}}"#),
    Case(
      ["pie.dev/post", #"a\@b=c"#],
      #"{url: https://pie.dev/post, headers: {Accept: "application/json, */*;q=0.5"}, json: {a@b: c}}"#),
    Case(
      ["pie.dev/post", "email=a@b.c", "url=http://x.y/z?a=b"],
      #"{url: https://pie.dev/post, headers: {Accept: "application/json, */*;q=0.5"}, json: {email: a@b.c, url: http://x.y/z?a=b}}"#
    ),
    Case(
      ["pie.dev/post", "a=b:=c"],
      #"{url: https://pie.dev/post, headers: {Accept: "application/json, */*;q=0.5"}, json: {a: b:=c}}"#),
    Case(
      ["pie.dev/post", "x:y=z"],
      "{url: https://pie.dev/post, headers: {x: y=z}}"),
    Case(
      ["pie.dev/post", #"json:={"a": {"b": [1, {"c": null}]}}"#],
      #"{url: https://pie.dev/post, headers: {Accept: "application/json, */*;q=0.5"}, json: {json: {a: {b: [1, {c: null}]}}}}"#
    ),
    Case(
      ["pie.dev/post", "bad:=nojson"],
      #"the value in "bad:=nojson" is not JSON: expected a value, found `nojson` — write bad=nojson for text"#),
    Case(
      ["pie.dev/post", "f@files/text.txt"],
      #"the file in "f@files/text.txt" is a part of a form — give --form, or f=@… for its text in JSON"#),
    Case(
      ["pie.dev/post", "up@files/pic.png", "up@files/text.txt;type=text/markdown"], form: .form,
      "{url: https://pie.dev/post, multipart: {up: [{file: files/pic.png}, {file: files/text.txt, type: text/markdown}]}}"
    ),
    Case(
      ["PUT", "pie.dev/put"], form: .form,
      "{method: PUT, url: https://pie.dev/put, headers: {Content-Type: application/x-www-form-urlencoded; charset=utf-8}}"
    ),
    Case(
      ["HEAD", "pie.dev/get"],
      "{method: HEAD, url: https://pie.dev/get}"),
    Case(
      ["OPTIONS", "pie.dev/get"],
      "{method: OPTIONS, url: https://pie.dev/get}"),
    Case(
      ["get", "pie.dev/get"],
      "{url: https://pie.dev/get}"),
    Case(
      ["post", "pie.dev/post", "a=b"],
      #"{url: https://pie.dev/post, headers: {Accept: "application/json, */*;q=0.5"}, json: {a: b}}"#),
    Case(
      ["pie.dev/post", "a=", #"b:="""#],
      #"{url: https://pie.dev/post, headers: {Accept: "application/json, */*;q=0.5"}, json: {a: "", b: ""}}"#),
    Case(
      ["pie.dev/post", "a[]=", "a[]=x"],
      #"{url: https://pie.dev/post, headers: {Accept: "application/json, */*;q=0.5"}, json: {a: ["", x]}}"#),
    Case(
      ["pie.dev/post", "a b=c d"],
      #"{url: https://pie.dev/post, headers: {Accept: "application/json, */*;q=0.5"}, json: {a b: c d}}"#),
    Case(
      ["pie.dev/post", "a[b c][d]=x"],
      #"{url: https://pie.dev/post, headers: {Accept: "application/json, */*;q=0.5"}, json: {a: {b c: {d: x}}}}"#),
    Case(
      ["pie.dev/post", "[]=a"],
      #"{url: https://pie.dev/post, headers: {Accept: "application/json, */*;q=0.5"}, json: [a]}"#),
    Case(
      ["pie.dev/post", "[3]=a"],
      #"{url: https://pie.dev/post, headers: {Accept: "application/json, */*;q=0.5"}, json: [null, null, null, a]}"#),
    Case(
      ["pie.dev/post", "a=1", "a[b]=2"],
      #"the item "a[b]=2" puts a key into what is a single value — an earlier item made it so: write them alike"#),
    Case(
      ["pie.dev/post", "a[-1]=2"],
      #"the name "a[-1]" has a negative index — items are counted from 0"#),
    Case(
      ["pie.dev/post", "a]=2"],
      #"the name "a]" has text after a "]" — a "[" follows, or the end; \[ is a bracket itself"#),
    Case(
      ["pie.dev/post", "Authorization:Token abc", "a=b"],
      #"{url: https://pie.dev/post, headers: {Authorization: "Token ${{ AUTHORIZATION }}", Accept: "application/json, */*;q=0.5"}, json: {a: b}} AUTHORIZATION=abc"#
    ),
    Case(
      ["pie.dev/post", "password=hunter22", "user[token]=abcdefgh"],
      #"{url: https://pie.dev/post, headers: {Accept: "application/json, */*;q=0.5"}, json: {password: "${{ PASSWORD }}", user: {token: "${{ TOKEN }}"}}} PASSWORD=hunter22 TOKEN=abcdefgh"#
    ),
    Case(
      ["pie.dev/post", "a=1", "f@files/data.bin", "b=@files/text.txt"], form: .multipart,
      #"{url: https://pie.dev/post, multipart: {a: "1", f: {file: files/data.bin}, b: "John is nice.\n"}}"#),
    Case(
      ["pie.dev/post", "Content-Type:application/vnd.api+json", "data[type]=x"],
      #"{url: https://pie.dev/post, headers: {Content-Type: application/vnd.api+json, Accept: "application/json, */*;q=0.5"}, json: {data: {type: x}}}"#
    ),
    Case(
      ["pie.dev/post", "Accept:text/html", "a=b"],
      "{url: https://pie.dev/post, headers: {Accept: text/html}, json: {a: b}}"),
    Case(
      ["POST", "pie.dev/post"], form: .json,
      #"{method: POST, url: https://pie.dev/post, headers: {Content-Type: application/json, Accept: "application/json, */*;q=0.5"}}"#
    ),
    Case(
      ["pie.dev/anything/a%20b/c"],
      "{url: https://pie.dev/anything/a%20b/c}"),
    Case(
      ["pie.dev/a/../b/./c?d=/../e#/../f"],
      "{url: https://pie.dev/b/c?d=/../e#/../f}"),
    Case(
      ["/a/../../b"],
      "{url: /b}"),
    Case(
      ["pie.dev/${{ a }}/../b"],
      #"{url: "https://pie.dev/${{ a }}/../b"}"#),
    Case(
      ["pie.dev/a/../b"], isPathAsIs: true,
      "{url: https://pie.dev/a/../b}"),
    Case(
      ["pie.dev/post"], form: .form,
      #"{url: https://pie.dev/post, headers: {Content-Type: application/x-www-form-urlencoded; charset=utf-8}}"#),
    Case(
      ["pie.dev/post"], form: .multipart,
      "{url: https://pie.dev/post}"),
    Case(
      ["pie.dev/post"], raw: "",
      #"{method: POST, url: https://pie.dev/post, headers: {Content-Type: application/json, Accept: "application/json, */*;q=0.5"}}"#
    ),
    Case(
      ["pie.dev/post"], raw: "abcabc", compression: .ifSmaller,
      #"{url: https://pie.dev/post, headers: {Content-Type: application/json, Accept: "application/json, */*;q=0.5"}, body: abcabc}"#
    ),
    Case(
      ["pie.dev/post"], raw: "abcabcabcabcabcabc", compression: .ifSmaller,
      #"{url: https://pie.dev/post, headers: {Content-Type: application/json, Accept: "application/json, */*;q=0.5"}, body: abcabcabcabcabcabc, compress: deflate}"#
    ),
    Case(
      ["pie.dev/post", "a=@files/text.txt"], form: .form, compression: .ifSmaller,
      #"{url: https://pie.dev/post, form: {a: "John is nice.\n"}}"#),
    Case(
      ["pie.dev/post", "a=@files/text.txt", "b=@files/text.txt", "c=@files/text.txt"], form: .form,
      compression: .ifSmaller,
      #"{url: https://pie.dev/post, form: {a: "John is nice.\n", b: "John is nice.\n", c: "John is nice.\n"}, compress: deflate}"#
    ),
    Case(
      ["example.org", String(repeating: "x", count: 300)],
      "\"\(String(repeating: "x", count: 200))…\" is not an item of a request — write Name:value for a header, name==value for the query, name=value or name:=json for the body"
    ),
    Case(
      ["example.org", #"a:={"b":1,"b":2}"#, "a[c]=3"],
      #"{url: https://example.org, headers: {Accept: "application/json, */*;q=0.5"}, json: {a: {b: 2, c: "3"}}}"#),
    Case(
      ["example.org", "password:=hunter2"],
      #"the value in "password:=***" is not JSON — write password=*** for text"#),
    Case(
      ["example.org", "X-Api-Key;hunter2"],
      #"the item "X-Api-Key;***" has a value after ";" — write X-Api-Key:***, or X-Api-Key; for an empty header"#),
    Case(
      ["pie.dev/post", "@files/data.xml"], compression: .always,
      #"{url: https://pie.dev/post, headers: {Content-Type: application/xml, Accept: "application/json, */*;q=0.5"}, body: {file: files/data.xml}, compress: deflate}"#
    ),
    Case(
      ["/users/1"],
      "{url: /users/1}"),
    Case(
      ["?page=2"],
      #"{url: "?page=2"}"#),
    Case(
      [":"],
      "{url: http://localhost}"),
    Case(
      [":/foo"],
      "{url: http://localhost/foo}"),
    Case(
      ["http+unix://%2Fvar%2Frun%2Fdocker.sock/info"],
      "{url: http://localhost/info, unix_socket: /var/run/docker.sock}"),
    Case(
      ["[::1]:8080/x"],
      #"{url: "http://[::1]:8080/x"}"#),
    Case(
      ["127.0.0.1/x"],
      "{url: http://127.0.0.1/x}"),
    Case(
      ["ann@localhost:8080"],
      "{url: http://localhost:8080, auth: {basic: {username: ann, password: \"\"}}}"),
    Case(
      ["http://ann:se%40t@example.org:1/x?a=b@c"],
      #"{url: http://example.org:1/x?a=b@c, auth: {basic: {username: ann, password: "${{ PASSWORD }}"}}} PASSWORD=se@t"#
    ),
    Case(
      ["http://ann:set@example.org"], auth: "bearer:tok",
      #"{url: http://example.org, auth: {bearer: "${{ TOKEN }}"}} TOKEN=tok"#),
    Case(
      ["example.org/?a=1&api_key=k%20y&token=&token=t#token=x"],
      #"{url: "https://example.org/?a=1&api_key=${{ API_KEY }}&token=&token=${{ TOKEN }}#token=x"} API_KEY=k%20y TOKEN=t"#
    ),
    Case(
      ["example.org"], raw: #"{"password": "p", "n": 1.0}"#, isSaved: true,
      #"{url: https://example.org, headers: {Accept: "application/json, */*;q=0.5"}, json: {password: "${{ PASSWORD }}", n: 1.0}} PASSWORD=p"#
    ),
    Case(
      ["example.org", "Content-Type:text/x"], input: "[1]", isSaved: true,
      #"{url: https://example.org, headers: {Content-Type: text/x, Accept: "application/json, */*;q=0.5"}, body: "[1]"}"#
    ),
    Case(
      ["https://example.org"],
      "{url: https://example.org}"),
    Case(
      ["HTTP://example.org/A"],
      "{url: HTTP://example.org/A}"),
    Case(
      ["${{ api }}/x", "n:=${{ n }}", "id=${{ uuid }}"],
      #"{url: "${{ api }}/x", headers: {Accept: "application/json, */*;q=0.5"}, json: {n: "${{ n }}", id: "${{ uuid }}"}}"#
    ),
    Case(
      ["localhost", "a=1"],
      #"{url: http://localhost, headers: {Accept: "application/json, */*;q=0.5"}, json: {a: "1"}}"#),
    Case(
      ["example.org"], raw: "plain ${{ x }}",
      #"{url: https://example.org, headers: {Content-Type: application/json, Accept: "application/json, */*;q=0.5"}, body: "plain ${{ x }}"}"#
    ),
    Case(
      ["example.org"], input: "literal ${{ x }}",
      #"{url: https://example.org, headers: {Content-Type: application/json, Accept: "application/json, */*;q=0.5"}, body: "literal $${{ x }}"}"#
    ),
    Case(
      ["example.org"], input: "",
      "{url: https://example.org}"),
    Case(
      ["example.org"], input: "\u{FF}",
      #"{url: https://example.org, headers: {Content-Type: application/json, Accept: "application/json, */*;q=0.5"}, body: {base64: /w==}}"#
    ),
    Case(
      ["example.org", "file=@template.txt", "json:=@template.json"],
      #"{url: https://example.org, headers: {Accept: "application/json, */*;q=0.5"}, json: {file: "$${{ no }}", json: ["$${{ no }}"]}}"#
    ),
    Case(
      ["example.org", "n:=1", "id=7"], graphQL: "query q($n: Int) { a(n: $n) }",
      #"{url: https://example.org, graphql: {query: "query q($n: Int) { a(n: $n) }", variables: {n: 1, id: "7"}}}"#),
    Case(
      ["example.org"], graphQL: "@files/q.graphql",
      "{url: https://example.org, graphql: {query: {file: files/q.graphql}}}"),
    Case(
      ["example.org", "a@files/pic.png;type=image/x;filename=b.png", "c@~/d.txt"], form: .form,
      "{url: https://example.org, multipart: {a: {file: files/pic.png, filename: b.png, type: image/x}, c: {file: /home/ann/d.txt}}}"
    ),
    Case(
      ["example.org", "a@x;filename=y.png;type=image/png"], form: .multipart,
      "{url: https://example.org, multipart: {a: {file: x, filename: y.png, type: image/png}}}"),
    Case(
      ["example.org", "@~/d.bin;type=image/png"],
      #"{url: https://example.org, headers: {Content-Type: image/png, Accept: "application/json, */*;q=0.5"}, body: {file: /home/ann/d.bin}}"#
    ),
    Case(
      ["example.org", "X-API-Key:abcdef", "Authorization:Bearer tok tok", "Cookie:a=b", "token==t1", "token==t2"],
      #"{url: https://example.org, headers: {X-API-Key: "${{ X_API_KEY }}", Authorization: "Bearer ${{ AUTHORIZATION }}", Cookie: "${{ COOKIE }}"}, query: {token: ["${{ TOKEN }}", "${{ TOKEN_2 }}"]}} X_API_KEY=abcdef AUTHORIZATION=tok tok COOKIE=a=b TOKEN=t1 TOKEN_2=t2"#
    ),
    Case(
      ["example.org", "Authorization:Bearer ${{ env.TOKEN }}"],
      #"{url: https://example.org, headers: {Authorization: "Bearer ${{ env.TOKEN }}"}}"#),
    Case(
      ["example.org", #"user:={"password": "p1", "list": [{"apiKey": "k"}], "name": "n"}"#],
      #"{url: https://example.org, headers: {Accept: "application/json, */*;q=0.5"}, json: {user: {password: "${{ PASSWORD }}", list: [{apiKey: "${{ API_KEY }}"}], name: n}}} PASSWORD=p1 API_KEY=k"#
    ),
    Case(
      ["example.org", "password=one", "PASSWORD=two"], form: .form,
      #"{url: https://example.org, form: {password: "${{ PASSWORD }}", PASSWORD: "${{ PASSWORD_2 }}"}} PASSWORD=one PASSWORD_2=two"#
    ),
    Case(
      ["example.org", "password=taken"], taken: ["PASSWORD"],
      #"{url: https://example.org, headers: {Accept: "application/json, */*;q=0.5"}, json: {password: "${{ PASSWORD_2 }}"}} PASSWORD_2=taken"#
    ),
    Case(
      ["example.org"], auth: "basic:ann:a:b",
      #"{url: https://example.org, auth: {basic: {username: ann, password: "${{ PASSWORD }}"}}} PASSWORD=a:b"#),
    Case(
      ["example.org"], auth: "bearer:tok",
      #"{url: https://example.org, auth: {bearer: "${{ TOKEN }}"}} TOKEN=tok"#),
    Case(
      ["example.org"], auth: "digest:ann:s",
      #"{url: https://example.org, auth: {digest: {username: ann, password: "${{ PASSWORD }}"}}} PASSWORD=s"#),
    Case(
      ["example.org"], auth: "ann:${{ env.PW }}",
      #"{url: https://example.org, auth: {basic: {username: ann, password: "${{ env.PW }}"}}}"#),
    Case(
      ["example.org"], auth: "ann:basic:x", scheme: "ntlm",
      #"{url: https://example.org, auth: {ntlm: {username: ann, password: "${{ PASSWORD }}"}}} PASSWORD=basic:x"#),
    Case(
      ["example.org", "X-A:1", "x-a:", "X-A:2"],
      #"{url: https://example.org, headers: {X-A: "2"}}"#),
    Case(
      ["example.org", "X-A:1", "X-A:"],
      "{url: https://example.org, headers: {X-A: null}}"),
    Case(
      ["example.org", "a[9999]:=1", "a[10000]:=1"],
      #"the name "a[10000]" has an index above 9999 — write [\10000] for a key"#),
    Case(
      ["example.org", "[a]=1"],
      #"the name "[a]" begins with a key in brackets — write the first key without them, or [] for a list"#),
    Case(["name=Ann", ":8080/x"], "the URL stands before the items — write :8080/x name=…"),
    Case(
      ["x.test", "[1, 2]"],
      "JSON is a whole body, and not an item — write --raw '{…}', with quotes around all of it"),
    Case(
      ["{\"a\":1}", ":8080/a"], "JSON is a whole body, and not a URL — write :8080/a --raw '{…}'"),
    Case(
      [":8080/a", ":8080/b"],
      "here are two URLs, and a request has one — write [METHOD] URL [ITEM…], with one URL"),
    Case(
      ["x.test", "https://a.test/b"],
      "here are two URLs, and a request has one — write [METHOD] URL [ITEM…], with one URL"),
    Case(["x.test", "name", "=", "Ann"], "an item has no blanks around = — write name=value"),
    Case(["x.test", "X-Key:", "secret"], "X-Key: and its value are one item — put both in quotes: 'X-Key: …'"),
    Case(
      ["x.test", #"{"name": "Ann"}"#],
      "JSON is a whole body, and not an item — write --raw '{…}', with quotes around all of it"),
    Case(
      ["x.test", "{name:", "Ann}"],
      "JSON is a whole body, and not an item — write --raw '{…}', with quotes around all of it"),
    Case(
      ["example.org", "noseparator"],
      #""noseparator" is not an item of a request — write Name:value for a header, name==value for the query, name=value or name:=json for the body"#
    ),
    Case(
      ["example.org", "Header;value"],
      #"the item "Header;value" has a value after ";" — write Header:value, or Header; for an empty header"#),
    Case(
      [],
      "there is no URL — write [METHOD] URL [ITEM…]"),
    Case(
      ["POST"],
      "there is no URL after POST — write [METHOD] URL [ITEM…]"),
    Case(
      [""],
      "the URL is empty — write a host, :PORT/path or /path"),
    Case(
      ["http+unix:///x"],
      #""http+unix:///x" has no path of a socket — write http+unix://%2Frun%2Fservice.sock/path"#),
    Case(
      ["example.org", "@a", "b=c"],
      #"the body comes from "@a" and from fields — leave one out"#),
    Case(
      ["example.org", "b=c"], raw: "x",
      "the body comes from --raw and from fields — leave one out"),
    Case(
      ["example.org", "@missing.txt"], input: "x",
      #"the body comes from "@missing.txt" and from standard input — leave one out; --ignore-stdin reads no input"#),
    Case(
      ["example.org", "a=@missing.txt"],
      "there is no missing.txt"),
    Case(
      ["example.org", "a=@binary.bin"],
      #"the file in "a=@binary.bin" is not UTF-8 — send it as a file: a@binary.bin"#),
    Case(
      ["example.org", "a@x"], graphQL: "q",
      #"a variable of GraphQL can't be a file, as in "a@x" — write name=@file"#),
    Case(
      ["example.org", "a:=[1]"], form: .form,
      #"the value in "a:=[1]" is not text, a number, true or false — only JSON has other values"#),
    Case(
      ["example.org", "a:=null"], form: .multipart,
      #"the value in "a:=null" is not text, a number, true or false — only JSON has other values"#),
    Case(
      ["example.org", "a@"], form: .form,
      #"the item "a@" names no file"#),
    Case(
      ["example.org", "@a;filename=b"],
      #"the body in "@a;filename=b" has no file name — only parts of a form have one"#),
    Case(
      ["example.org"], auth: "",
      "--auth has no user — write basic:USER:PASSWORD, basic:USER or bearer:TOKEN"),
  ]

  static let proxies: [(values: [String], url: String, expected: String?)] = [
    ([], "a.org", nil),
    (["http://p:1"], "a.org", "http://p:1"),
    (["p:1", "q:2"], "a.org", "q:2"),
    (["http:http://p:1"], "a.org", nil),
    (["http:http://p:1", "https:socks5://q"], "a.org", "socks5://q"),
    (["HTTP:http://p:1", "https:http://q"], "http://a.org", "http://p:1"),
    (["https:p:1", "all:http://q"], "https://a.org", "p:1"),
    (["all:http://q"], "a.org", "http://q"),
    (["https://p:1"], "a.org", "https://p:1"),
    (["all:3128"], "a.org", "all:3128"),
    (["https:http://p"], "/x", "http://p"),
    (["none"], "a.org", "none"),
  ]

  @Test(arguments: proxies)
  func proxy(_ test: (values: [String], url: String, expected: String?)) throws {
    #expect(try SendArguments([test.url]).proxy(among: test.values) == test.expected)
  }

  @Test(arguments: cases)
  func request(_ test: Case) {
    #expect(test.actual == test.expected)
  }
}

/// A node in one line: texts in quotes if they could be taken for something else.
func flow(_ node: YAMLNode) -> String {
  if let members = node.members {
    return "{" + members.map { "\($0.key): \(flow($0.value))" }.joined(separator: ", ") + "}"
  }
  if let items = node.items { return "[" + items.map { flow($0) }.joined(separator: ", ") + "]" }
  guard let scalar = node.scalar else { return "" }
  guard case .text(let text) = scalar.meaning else { return scalar.text }
  let isPlain = text.first.map { $0.isLetter || $0 == "/" } ?? false && !["true", "false", "null"].contains(text)
  return isPlain && !text.contains { ",{}[]\"\n".contains($0) } ? text : "\"\(jsonEscaped(text))\""
}
