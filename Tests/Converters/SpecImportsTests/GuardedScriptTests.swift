/// Expectations under conditions.
extension ScriptImportTests {
  static let guarded = [
    Case(
      "expectations under a condition and behind else, with the other statuses that the conditions name",
      """
      const d = pm.response.json();
      if (pm.response.code === 200) {
        pm.test("ok", () => { pm.expect(d.id).to.eql(1); pm.expect(d.name).to.eql("Ann"); });
      } else if (pm.response.code === 404) {
        pm.test("none", () => pm.expect(d.error).to.eql("none"));
      }
      """,
      """
          expect:
            - status:
                - 2xx
                - 404
            - when:
                status: 200
              json:
                $.id: 1
                $.name: Ann
            - when:
                status: 404
              json:
                $.error: none
      """),
    Case(
      "a status that cannot come under the condition around it is not expected",
      """
      const d = pm.response.json();
      if (pm.response.code === 200) {
        if (pm.response.code === 404) { pm.expect(d.a).to.eql(1); }
        pm.expect(d.b).to.eql(1);
      }
      """,
      """
          expect:
            - when:
                status: 200
              json:
                $.b: 1
            - when:
                status:
                  all:
                    - equals: 200
                    - equals: 404
              json:
                $.a: 1
      """),
    Case(
      "conditions on variables, parts of the response, and both",
      """
      const d = pm.response.json();
      if (pm.environment.get("stage") == "test") { pm.expect(d.a).to.eql(1); } else { pm.expect(d.a).to.eql(2); }
      if (pm.environment.get("level") == "3") { pm.expect(d.b).to.eql(1); }
      if (d.c !== undefined && pm.environment.get("stage") === "test") { pm.expect(d.c).to.eql(1); }
      if (responseBody.has("hello")) { tests["d"] = d.d === 1; }
      pm.response.headers.has("X-E") && pm.expect(d.e).to.eql(1);
      """,
      """
      variables:
        stage: ${{ env.stage }}
        level: ${{ env.level }}
          expect:
            - when:
                values:
                  stage: test
              json:
                $.a: 1
            - when:
                values:
                  stage:
                    not_equals: test
              json:
                $.a: 2
            - when:
                values:
                  to_string(level): "3"
              json:
                $.b: 1
            - when:
                json:
                  $.c:
                    exists: true
                values:
                  stage: test
              json:
                $.c: 1
            - when:
                body:
                  contains: hello
              json:
                $.d: 1
            - when:
                headers:
                  X-E:
                    exists: true
              json:
                $.e: 1
      """),
    Case(
      "conditions that a spec would miss: what is missing, or of another type, holds for JavaScript",
      """
      const d = pm.response.json();
      if (d.a > 3) { pm.expect(d.z).to.eql(1); }
      if (d.a !== "x") { pm.expect(d.z).to.eql(2); }
      if (d.a == 1) { pm.expect(d.z).to.eql(3); }
      if (!d.a) { pm.expect(d.z).to.eql(4); }
      if (d.a === 1) { tests.z = d.z === 5; } else { tests.z = d.z === 6; }
      if (d.a == null) { pm.expect(d.z).to.eql(7); }
      d.items.forEach(one => { if (one.a === 1) { pm.expect(one.z).to.eql(8); } });
      pm.environment.set("b", d.b);
      if (pm.environment.get("b") === "x") { pm.expect(d.z).to.eql(9); }
      """,
      """
        # not translated (statements of scripts): if (d.a > 3) { pm.expect(d.z).to.eql(1); }
        # not translated (statements of scripts): if (d.a !== "x") { pm.expect(d.z).to.eql(2); }
        # not translated (statements of scripts): if (d.a == 1) { pm.expect(d.z).to.eql(3); }
        # not translated (statements of scripts): if (!d.a) { pm.expect(d.z).to.eql(4); }
        # not translated (statements of scripts): if (d.a === 1) { tests.z = d.z === 5; } else { tests.z = d.z === 6; }
        # not translated (statements of scripts): if (d.a == null) { pm.expect(d.z).to.eql(7); }
        # not translated (statements of scripts): d.items.forEach(one => { if (one.a === 1) { pm.expect(one.z).to.eql(8); } });
        # not translated (statements of scripts): if (pm.environment.get("b") === "x") { pm.expect(d.z).to.eql(9); }
          capture:
            b: $.b
      """),
    Case(
      "a condition around a failure is expected, and what ends a function is a condition of the rest",
      """
      const d = pm.response.json();
      if (d.ok === true) { pm.expect(d.a).to.eql(1); } else { pm.expect.fail("not ok"); }
      pm.test("b", () => {
        if (pm.response.code !== 200) { console.log("no"); return; }
        pm.expect(d.b).to.eql(1);
      });
      pm.test("c", () => { if (strange(d)) return; pm.expect(d.c).to.eql(1); });
      """,
      """
        # not translated (statements of scripts): if (strange(d)) return; pm.expect(d.c).to.eql(1);
          expect:
            - json:
                $.ok: true
                $.a: 1
            - when:
                status: 200
              json:
                $.b: 1
      """),
    Case(
      "a name that a condition changes has no value behind it, and a statement within has none of its own",
      """
      const d = pm.response.json();
      let most = 1;
      if (pm.response.code === 201) { most = 2; pm.expect(d.a).to.eql(most); }
      pm.expect(d.b).to.eql(most);
      if (pm.response.code === 201) { pm.expect(d.c).to.eql(1); strange(d); }
      """,
      """
        # not translated (statements of scripts): let most = 1;
        # not translated (statements of scripts): pm.expect(d.b).to.eql(most);
        # not translated (statements of scripts): if (pm.response.code === 201) { pm.expect(d.c).to.eql(1); strange(d); }
          expect:
            - when:
                status: 201
              json:
                $.a: 2
      """),
    Case(
      "a name that statements assign again decides no condition",
      """
      const d = pm.response.json();
      let found = "no";
      while (strange(d)) { found = "yes"; }
      if (found === "yes") { pm.expect(d.a).to.eql(1); }
      let state = d.state;
      while (strange(d)) { state = "x"; }
      if (state === "done") { pm.expect(d.b).to.eql(1); }
      """,
      """
        # not translated (statements of scripts): let found = "no";
        # not translated (statements of scripts): while (strange(d)) { found = "yes"; }
        # not translated (statements of scripts): if (found === "yes") { pm.expect(d.a).to.eql(1); }
        # not translated (statements of scripts): while (strange(d)) { state = "x"; }
        # not translated (statements of scripts): if (state === "done") { pm.expect(d.b).to.eql(1); }
      """),
    Case(
      "the request's name is known",
      """
      const d = pm.response.json();
      if (pm.info.requestName === "Get") { pm.expect(d.a).to.eql(1); } else { pm.expect(d.a).to.eql(2); }
      if (["Put", "Post"].includes(pm.info.requestName) || pm.response.code === 200) { pm.expect(d.b).to.eql(1); }
      """,
      """
          expect:
            - json:
                $.a: 1
            - when:
                status: 200
              json:
                $.b: 1
      """),
  ]
}
