import SpecImports
import Testing
import Values

/// What scripts of tests become, in the words of Postman: all collections share one translation.
struct ScriptImportTests {
  struct Case: CustomTestStringConvertible {
    let testDescription: String
    let script: String
    /// The request below its URL, and the comments above it.
    let spec: String

    init(_ name: String, _ script: String, _ spec: String) {
      testDescription = name
      self.script = script
      self.spec = spec
    }
  }

  @Test(arguments: cases + guarded) func becomes(_ testCase: Case) throws {
    let lines = testCase.script.split(separator: "\n").map { "\"\(jsonEscaped(String($0)))\"" }
    let source = """
      {"info": {"name": "Shop"}, "item": [{"name": "Get", "request": "http://a.example/x", "event": [
        {"listen": "test", "script": {"exec": [\(lines.joined(separator: ","))]}}]}]}
      """
    let text = try #require(try ImportedSources("postman", [("shop.json", source)]).files["shop.yaml"])
    let body = text.split(separator: "\n").filter {
      !["name: Shop", "requests:", "  - name: Get", "    url: http://a.example/x"].contains($0)
    }
    #expect(body.joined(separator: "\n") == testCase.spec)
  }

  static let cases = [
    Case(
      "conditions that there is something to capture: sources in order, then what the name had",
      """
      const d = pm.response.json();
      if (d.results && d.results[0] && d.results[0].id) { pm.environment.set("id", d.results[0].id); }
      if (d.id) { pm.environment.set("id", d.id); }
      d.key !== undefined && pm.environment.set("key", d.key);
      """,
      """
          capture:
            id_2:
              json: $.results[0].id
              default: null
            id:
              json: $.id
              default: ${{ id_2 }}
            key:
              json: $.key
              default: null
      """),
    Case(
      "one of several sources, also behind else",
      """
      const d = pm.response.json();
      pm.environment.set("a", d.x || d.y);
      pm.environment.set("b", d.x ? d.x : "none");
      if (d.x) { pm.environment.set("c", d.x) } else { pm.environment.set("c", d.y) }
      """,
      """
          capture:
            a_2: $.y
            a:
              json: $.x
              default: ${{ a_2 }}
            b_2:
              value: none
            b:
              json: $.x
              default: ${{ b_2 }}
            c_2: $.y
            c:
              json: $.x
              default: ${{ c_2 }}
      """),
    Case(
      "other conditions of captures are told, with what they set; that of a success alone is told",
      """
      const d = pm.response.json();
      if (d.type === "a") { pm.environment.set("id", d.id); }
      if (pm.response.code === 200) { pm.environment.set("token_id", d.id); }
      """,
      """
        # not translated (statements of scripts): if (d.type === "a") { pm.environment.set("id", d.id); }
        # not translated (conditions of captures): if (pm.response.code === 200) { pm.environment.set("token_id", d.id); }
          capture:
            token_id:
              json: $.id
              default: null
      """),
    Case(
      "conditions that a test expects, before or after",
      """
      const d = pm.response.json();
      if (pm.response.code === 200) { pm.environment.set("id", d.id); }
      pm.test("s", () => pm.response.to.have.status(200));
      tests["has id"] = d.hasOwnProperty("id");
      if (tests["has id"]) { pm.globals.set("other", d.id); }
      if (!d.ok) { pm.expect.fail("no") }
      """,
      """
          expect:
            status: 200
            json:
              $.id:
                exists: true
              $.ok:
                not:
                  one_of:
                    - null
                    - false
                    - 0
                    - ""
          capture:
            id: $.id
            other: $.id
      """),
    Case(
      "failures that are caught: tests report, captures are optional, other expectations are told as a whole",
      """
      try { var j = JSON.parse(responseBody); pm.environment.set("id", j.id); } catch (e) { console.log(e); }
      try { pm.expect(pm.response.json().a).to.equal(5); } catch (e) { failed = true; }
      try { pm.test("t", () => pm.expect(pm.response.json().b).to.eql(1)); } catch (e) {}
      try { pm.expect(pm.response.json().c).to.eql(2); } catch (e) { throw e; }
      """,
      """
        # not translated (statements of scripts): try { pm.expect(pm.response.json().a).to.equal(5); } catch (e) { failed = true; }
          expect:
            json:
              $.b: 1
              $.c: 2
          capture:
            id:
              json: $.id
              default: null
      """),
    Case(
      "several schemas; one that refers to itself stands alone",
      """
      pm.response.to.have.jsonSchema({type: "object", required: ["a"]});
      pm.response.to.have.jsonSchema({required: ["b"]});
      pm.response.to.have.jsonSchema({properties: {c: {$ref: "#/x"}}});
      """,
      """
        # not translated (statements of scripts): pm.response.to.have.jsonSchema({properties: {c: {$ref: "#/x"}}});
          expect:
            schema:
              allOf:
                - type: object
                  required:
                    - a
                - required:
                    - b
      """),
    Case(
      "schemas of a member, and of what is not the body",
      """
      const d = pm.response.json();
      pm.expect(d.a.b).to.have.jsonSchema({type: "object"});
      d.l.forEach(x => pm.expect(x).to.have.jsonSchema({type: "object"}));
      pm.expect(123).to.be.jsonSchema({type: "object"});
      pm.expect(d.c).to.have.jsonSchema({definitions: {A: {}}, properties: {a: {$ref: "#/definitions/A"}}});
      """,
      """
        # not translated (statements of scripts): d.l.forEach(x => pm.expect(x).to.have.jsonSchema({type: "object"}));
        # not translated (statements of scripts): pm.expect(123).to.be.jsonSchema({type: "object"});
        # not translated (statements of scripts): pm.expect(d.c).to.have.jsonSchema({definitions: {A: {}}, properties: {a: {$ref: "#/definitions/A"}}});
          expect:
            schema:
              type: object
              required:
                - a
              properties:
                a:
                  type: object
                  required:
                    - b
                  properties:
                    b:
                      type: object
      """),
    Case(
      "items without a member, flags of chains, classes of statuses",
      """
      const d = pm.response.json();
      d.l.forEach(x => { pm.expect(x).to.have.property("id"); pm.expect(x.name).to.not.equal("q"); });
      pm.expect(d.m.map(x => x.id)).to.eql([1, 2]);
      pm.expect(d.a).to.not.be.null.and.not.be.undefined;
      pm.expect(pm.response).to.not.be.clientError;
      pm.response.to.not.be.clientError;
      pm.response.to.not.be.serverError;
      """,
      """
          expect:
            status:
              - 1xx
              - 2xx
              - 3xx
            json:
              $.l[*].id:
                exists: true
              $.l[?!@.id]:
                exists: false
              $.l[*].name:
                every:
                  not_equals: q
              $.m[*].id:
                - 1
                - 2
              $.m[?!@.id]:
                exists: false
              $.a:
                not_equals: null
      """),
    Case(
      "other types of values: text, JSON, numbers",
      """
      const d = pm.response.json();
      pm.expect(JSON.stringify(d)).to.not.include("error");
      pm.expect(String(d.a)).to.equal("1");
      pm.expect(Number(d.b)).to.be.above(2);
      pm.expect(parseInt(d.c) === 3).to.be.true;
      pm.expect(d.e + "").to.eql("5");
      pm.expect(JSON.stringify(d.f)).to.eql("{}");
      pm.expect(d.g.trim()).to.not.equal("x");
      pm.environment.set("all", JSON.stringify(d));
      """,
      """
        # not translated (statements of scripts): pm.expect(JSON.stringify(d.f)).to.eql("{}");
        # not translated (statements of scripts): pm.expect(d.g.trim()).to.not.equal("x");
          expect:
            json:
              $:
                as: string
                not_contains: error
              $.a:
                as: string
                equals: "1"
              $.b:
                as: number
                greater_than: 2
              $.c:
                as: integer
                equals: 3
              $.e:
                as: string
                equals: "5"
          capture:
            all:
              json: $
              as: string
      """),
    Case(
      "what counts as false, or isn't there",
      """
      const d = pm.response.json();
      tests["a"] = !d.err;
      pm.expect(d["x y"].b).to.not.exist;
      """,
      """
          expect:
            json:
              $:
                includes:
                  err: !is?
                    one_of:
                      - null
                      - false
                      - 0
                      - ""
              $['x y']:
                includes:
                  b: !is?
                    one_of:
                      - null
      """),
    Case(
      "lists: find, filter, map, some, every, for … of",
      """
      const d = pm.response.json();
      pm.expect(d.l.find(x => x.id === 3 && x.ok !== false).name).to.eql("q");
      pm.expect(d.l.filter(x => x.id > 1).length).to.eql(2);
      pm.expect(d.l.map(x => x.id)).to.include(3);
      pm.expect(d.l.some(x => x.name === "it's")).to.be.true;
      pm.expect(d.m.every(x => x.n > 0)).to.be.true;
      for (const x of d.m) { pm.expect(x.n).to.be.a("number"); }
      pm.environment.set("first", d.l.find(x => x.id === 3).name);
      """,
      #"""
          expect:
            json:
              $.l[?(@.id == 3 && @.ok != false)].name:
                as: first
                equals: q
              $.l[?@.id > 1]:
                count: 2
              $.l[*].id:
                contains: 3
              "$.l[?@.name == 'it\\'s']":
                exists: true
              $.m:
                is: array
              $.m[?!(@.n > 0)]:
                exists: false
              $.m[*].n:
                every:
                  is: number
              $.m[?!@.n]:
                exists: false
          capture:
            first:
              json: $.l[?@.id == 3].name
              as: first
      """#),
    Case(
      "functions, texts of several parts, chance, and what a told line reads",
      """
      const d = pm.response.json();
      function has(o, k) { pm.test(k, () => pm.expect(o).to.have.property(k)); }
      has(d, "a");
      ["b", "c"].forEach(k => has(d, k));
      pm.environment.set("auth", "Bearer " + d.token);
      pm.environment.set("count", d.l.length);
      const cards = ["1", "2"];
      pm.environment.set("card", cards[Math.floor(Math.random() * cards.length)]);
      pm.environment.set("at", new Date().toUTCString());
      const limit = 5;
      use(limit);
      """,
      """
        # not translated (statements of scripts): const limit = 5;
        # not translated (statements of scripts): use(limit);
          expect:
            json:
              $.a:
                exists: true
              $.b:
                exists: true
              $.c:
                exists: true
          capture:
            auth_token: $.token
            auth:
              value: Bearer ${{ auth_token }}
            count_l: $.l
            count:
              value: ${{ length(count_l) }}
            card:
              value: ${{ random_item(['1', '2']) }}
            at:
              value: ${{ now | format('http') }}
      """),
    Case(
      "assertions of Chai and Node",
      """
      const { assert } = require("chai");
      assert(pm.response.code === 200);
      assert.equal(pm.response.json().a, 1);
      assert.notStrictEqual(pm.response.json().b, 2);
      assert.isArray(pm.response.json().c);
      assert.include(pm.response.json().d, "x");
      """,
      """
          expect:
            status: 200
            json:
              $.a: 1
              $.b:
                not_equals: 2
              $.c:
                is: array
              $.d:
                contains: x
      """),
    Case(
      "a request that is sent again",
      """
      const d = pm.response.json();
      if (d.state !== "done") {
        setTimeout(() => {}, 500);
        postman.setNextRequest(pm.info.requestName);
      } else {
        pm.test("lines", () => pm.expect(d.lines).to.eql(42));
      }
      """,
      """
          poll:
            interval: 500ms
            until:
              json:
                $.state: done
          expect:
            json:
              $.lines: 42
      """),
    Case(
      "schemas of Zod",
      """
      const User = z.object({id: z.number().int().min(1), tags: z.array(z.string()).optional(), role: z.enum(["a", "b"])});
      pm.test("user", () => pm.expect(User.safeParse(pm.response.json()).success).to.be.true);
      const result = z.object({note: z.string().nullable()}).safeParse(pm.response.json().data);
      pm.test("data", () => pm.expect(result.success).to.equal(true));
      pm.test("email", () => pm.expect(z.string().email().safeParse(pm.response.json().mail).success).to.be.true);
      """,
      """
        # not translated (statements of scripts): pm.expect(z.string().email().safeParse(pm.response.json().mail).success).to.be.true
          expect:
            schema:
              allOf:
                - type: object
                  required:
                    - id
                    - role
                  properties:
                    id:
                      type: integer
                      minimum: 1
                    tags:
                      type: array
                      items:
                        type: string
                    role:
                      enum:
                        - a
                        - b
                - type: object
                  required:
                    - data
                  properties:
                    data:
                      type: object
                      required:
                        - note
                      properties:
                        note:
                          anyOf:
                            - type: string
                            - type: "null"
      """),
  ]
}
