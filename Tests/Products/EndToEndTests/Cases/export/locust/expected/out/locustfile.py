"""Users that play specs of reqrun: one class for each file. Made by `reqrun export locust`."""

import random
import uuid
from functools import partial

from locust import constant, tag, task

from reqrun_load import (
    ENCODINGS, SpecUser, as_json, basic, data, env, in_json, in_path, in_query, once, resolved, secret_rows,
    text,
)


class UsersUser(SpecUser):
    "users.yaml: Users"

    host = "http://127.0.0.1:<port>"
    wait_time = constant(0)
    weight = 3

    @tag("smoke")
    @task
    def play(self):
        v = self.begin()
        try:
            self.log_in(v)
            self.create_a_user(v)
            self.echo(v)
            self.search(v)
        finally:
            self.clean_up(v, self.delete_the_user)

    def log_in(self, v):
        def check(r):
            r.status(range(200, 300))
            v["token"] = r.capture("json $.access_token", "json", ["access_token"])

        self.send(
            "log in", "POST",
            "http://127.0.0.1:<port>/api/login",
            [
                ("Accept", "application/json"),
                ("User-Agent", "reqrun/<version>
                ("Content-Type", "application/json"),
                ("Accept-Encoding", ENCODINGS),
            ], check,
            body=("{\"username\":\"ann\",\"password\":" + as_json(env("API_PASSWORD")) + "}").encode(),
        )

    def create_a_user(self, v):
        def check(r):
            r.status(range(201, 202))
            r.expect("json $.id", "json", ["id"], "exists", True)
            r.expect("json $.name", "json", ["name"], "equals", "Freja Hölm")
            v["user"] = r.capture("header Location", "header", "Location")
            v["id"] = r.capture("json $.id", "json", ["id"])

        self.send(
            "create a user", "POST",
            "http://127.0.0.1:<port>/api/users",
            [
                ("Accept", "application/json"),
                ("User-Agent", "reqrun/<version>
                ("Content-Type", "application/json"),
                ("Authorization", "Bearer " + text(v["token"])),
                ("Accept-Encoding", ENCODINGS),
            ], check,
            body=("{\"name\":\"Freja Hölm\",\"email\":\"" + in_json(once(v, "uuid users.yaml:6 1", lambda: str(uuid.uuid4()))) + "@example.com\",\"balance\":12.50}").encode(),
        )

    def echo(self, v):
        def check(r):
            r.status(range(200, 300))

        self.send(
            "echo", "POST",
            "http://127.0.0.1:<port>/anything/a%20b/" + in_path(v["id"]) + "?q=x%20y%26z&id=" + in_query(v["id"]) + "&tags=a&tags=b",
            [
                ("Accept", "application/json"),
                ("X-Two", "a " + text(v["id"])),
                ("User-Agent", "reqrun/<version>
                ("Content-Type", "application/x-www-form-urlencoded; charset=utf-8"),
                ("Accept-Encoding", ENCODINGS),
            ], check,
            body=("name=%C3%A4%20%C3%B6&id=" + in_query(v["id"])).encode(),
        )

    def search(self, v):
        def check(r):
            r.status(range(200, 300))
            r.expect("json $.items", "json", ["items"], "count", 1)
            r.expect("header Content-Type", "header", "Content-Type", "contains", "json")

        self.send(
            "search", "GET",
            "http://127.0.0.1:<port>/api/users?role=viewer&limit=1",
            [
                ("Accept", "application/json"),
                ("User-Agent", "reqrun/<version>
                ("Accept-Encoding", ENCODINGS),
            ], check,
        )

    def delete_the_user(self, v):
        def check(r):
            r.status(range(200, 300))

        self.send(
            "delete the user", "DELETE",
            resolved("http://127.0.0.1:<port>/", v["user"]),
            [
                ("Accept", "application/json"),
                ("User-Agent", "reqrun/<version>
                ("Authorization", "Bearer " + text(v["token"])),
                ("Accept-Encoding", ENCODINGS),
            ], check,
        )


class RowsUser(SpecUser):
    "rows.yaml"

    host = "http://127.0.0.1:<port>"
    wait_time = constant(0)
    weight = 1

    @task
    def play(self):
        v = self.begin()
        self.need(v, "_login.yaml", "admin", self.log_in_again)
        self.users(v)
        partial(self.each, "data/rows-1.jsonl", [self.list], captures=["ids"])(v)
        partial(self.each, "data/rows-2.jsonl", [self.csv], fresh=["uuid rows.yaml:13 1"])(v)
        partial(self.each, lambda v: v["items"], [self.of_a_response])(v)
        partial(self.each, "data/rows-3.jsonl", [self.of_a_matrix], fail_fast=True)(v)
        partial(self.each, range(2), [self.counted])(v)
        partial(self.use, {"other": "token"}, [self.log_in_again_2])(v)
        self.send_2(v)
        self.form(v)

    def log_in_again(self, v):
        def check(r):
            r.status(range(200, 300))
            v["token"] = r.capture("json $.access_token", "json", ["access_token"])

        self.send(
            "log in again", "POST",
            "http://127.0.0.1:<port>/api/login",
            [
                ("User-Agent", "reqrun/<version>
                ("Accept", "*/*"),
                ("Content-Type", "application/json"),
                ("Accept-Encoding", ENCODINGS),
            ], check,
            body=("{\"username\":\"ann\",\"password\":" + as_json(env("REQRUN_PASSWORD_LOGIN_YAML_3")) + "}").encode(),
        )

    def users(self, v):
        def check(r):
            r.status(range(200, 300))
            v["items"] = r.capture("json $.items", "json", ["items"])

        self.send(
            "users", "GET",
            "http://127.0.0.1:<port>/api/users?limit=1",
            [
                ("X-Run", text(once(v, "uuid rows.yaml:2 1", lambda: str(uuid.uuid4())))),
                ("User-Agent", "reqrun/<version>
                ("Accept", "*/*"),
                ("Accept-Encoding", ENCODINGS),
            ], check,
        )

    def list(self, v):
        def check(r):
            r.status(range(200, 300))
            v["ids"] = r.capture("json $.id", "json", ["id"], default="none")

        self.send(
            "list", "GET",
            "http://127.0.0.1:<port>/anything/" + in_path(v["row"]),
            [
                ("User-Agent", "reqrun/<version>
                ("Accept", "*/*"),
                ("Accept-Encoding", ENCODINGS),
            ], check,
        )

    def csv(self, v):
        def check(r):
            r.status(range(200, 300))

        self.send(
            "csv", "POST",
            "http://127.0.0.1:<port>/anything/" + in_path(v["row"]["sku"]) + "?n=" + in_query(v["row"]["n"]) + "&i=" + in_query(v["row_index"]) + "&c=" + in_query(v["row_count"]) + "&u=" + in_query(once(v, "uuid rows.yaml:13 1", lambda: str(uuid.uuid4()))) + "&run=" + in_query(once(v, "uuid rows.yaml:2 1", lambda: str(uuid.uuid4()))),
            [
                ("User-Agent", "reqrun/<version>
                ("Accept", "*/*"),
                ("Content-Type", "application/json"),
                ("Accept-Encoding", ENCODINGS),
            ], check,
            body=("{\"n\":" + as_json(v["row"]["n"]) + ",\"name\":" + as_json(v["row"]["first name"]) + "}").encode(),
        )

    def of_a_response(self, v):
        def check(r):
            r.status(range(200, 300))

        self.send(
            "of a response", "POST",
            "http://127.0.0.1:<port>/anything",
            [
                ("User-Agent", "reqrun/<version>
                ("Accept", "*/*"),
                ("Content-Type", "application/json"),
                ("Accept-Encoding", ENCODINGS),
            ], check,
            body=("{\"name\":" + as_json(v["row"]["name"]) + ",\"ids\":" + as_json(v["ids"]) + "}").encode(),
        )

    def of_a_matrix(self, v):
        def check(r):
            r.status(range(200, 300))

        self.send(
            "of a matrix", "GET",
            "http://127.0.0.1:<port>/anything" + "?a=" + in_query(v["row"]["a"]) + "&b=" + in_query(v["row"]["b"]),
            [
                ("User-Agent", "reqrun/<version>
                ("Accept", "*/*"),
                ("Accept-Encoding", ENCODINGS),
            ], check,
        )

    def counted(self, v):
        def check(r):
            r.status(range(200, 300))

        self.send(
            "counted", "GET",
            "http://127.0.0.1:<port>/anything/" + in_path(v["row"]),
            [
                ("User-Agent", "reqrun/<version>
                ("Accept", "*/*"),
                ("Accept-Encoding", ENCODINGS),
            ], check,
        )

    def log_in_again_2(self, v):
        def check(r):
            r.status(range(200, 300))
            v["token"] = r.capture("json $.access_token", "json", ["access_token"])

        self.send(
            "log in again", "POST",
            "http://127.0.0.1:<port>/api/login",
            [
                ("User-Agent", "reqrun/<version>
                ("Accept", "*/*"),
                ("Content-Type", "application/json"),
                ("Accept-Encoding", ENCODINGS),
            ], check,
            body=("{\"username\":\"ann\",\"password\":" + as_json(env("REQRUN_PASSWORD_LOGIN_YAML_3")) + "}").encode(),
        )

    def send_2(self, v):
        def check(r):
            r.status(range(200, 201))

        def until(r):
            r.status(range(200, 201))

        self.send(
            "send", "GET",
            "http://127.0.0.1:<port>/anything" + "?api_key=" + in_query(env("REQRUN_API_KEY_ROWS_YAML_26")),
            [
                ("X-Admin", text(v["admin"]["token"])),
                ("Authorization", "Bearer " + text(v["other"])),
                ("X-Api-Key", text(env("REQRUN_X_API_KEY_ROWS_YAML_26"))),
                ("User-Agent", "reqrun/<version>
                ("Accept", "*/*"),
                ("Cookie", "sid=" + text(env("REQRUN_COOKIE_SID_ROWS_YAML_26"))),
                ("Accept-Encoding", ENCODINGS),
            ], check,
            poll=(until, 2.0, 0.1, None),
        )

    def form(self, v):
        # not played: `proxy`
        # not played: `retry`
        def check(r):
            r.status(range(200, 300))

        self.send(
            "form", "POST",
            "http://127.0.0.1:<port>/anything",
            [
                ("User-Agent", "reqrun/<version>
                ("Accept", "*/*"),
                ("Content-Type", "application/x-www-form-urlencoded; charset=utf-8"),
                ("Accept-Encoding", ENCODINGS),
            ], check,
            body=("password=" + in_query(env("REQRUN_PASSWORD_LOGIN_YAML_3")) + "&name=x").encode(),
        )


class FlowUser(SpecUser):
    "flow.yaml"

    host = "http://127.0.0.1:<port>"
    wait_time = constant(0)
    weight = 1

    @task
    def play(self):
        v = self.begin()
        self.before(v)
        self.over(v, "data/rows-4.jsonl", [self.one], [])

    def before(self, v):
        def check(r):
            r.status(range(200, 300))

        self.send(
            "before", "GET",
            "http://127.0.0.1:<port>/anything",
            [
                ("User-Agent", "reqrun/<version>
                ("Accept", "*/*"),
                ("Accept-Encoding", ENCODINGS),
            ], check,
        )

    def one(self, v):
        def check(r):
            r.status(range(200, 300))

        self.send(
            "one", "GET",
            "http://127.0.0.1:<port>/anything/" + in_path(v["row"]["u"]),
            [
                ("User-Agent", "reqrun/<version>
                ("Accept", "*/*"),
                ("Accept-Encoding", ENCODINGS),
            ], check,
        )


class MoreUser(SpecUser):
    "more.yaml"

    host = "http://127.0.0.1:<port>"
    wait_time = constant(0)
    weight = 1

    @task
    def play(self):
        v = self.begin()
        self.basic(v)
        self.items(v)
        self.braces(v)
        self.members(v)
        self.large(v)
        self.checks(v)
        partial(self.each, lambda v: secret_rows("REQRUN_ROWS_MORE_YAML_26"), [self.secret_rows])(v)
        self.through_a_proxy(v)

    def basic(self, v):
        def check(r):
            r.status(range(100, 600))

        self.send(
            "basic", "GET",
            "http://127.0.0.1:<port>/api/basic",
            [
                ("User-Agent", "reqrun/<version>
                ("Accept", "*/*"),
                ("Authorization", basic("ann", env("REQRUN_PASSWORD_LOGIN_YAML_3"))),
                ("Accept-Encoding", ENCODINGS),
            ], check,
        )

    def items(self, v):
        # not played: `capture` of json
        def check(r):
            r.status(range(200, 300))
            v["second"] = r.capture("json $.items[0].name", "json", ["items", 0, "name"], pattern="(\\d+)", default="none")
            v["third"] = r.capture("json $.c", "json", ["c"])

        self.send(
            "items", "GET",
            "http://127.0.0.1:<port>/api/items",
            [
                ("User-Agent", "reqrun/<version>
                ("Accept", "*/*"),
                ("Accept-Encoding", ENCODINGS),
            ], check,
        )

    def braces(self, v):
        def check(r):
            r.status(range(200, 300))

        self.send(
            "braces", "GET",
            "http://127.0.0.1:<port>/api/x/%7D%7D/" + in_path(v["second"]),
            [
                ("User-Agent", "reqrun/<version>
                ("Accept", "*/*"),
                ("Accept-Encoding", ENCODINGS),
            ], check,
        )

    def members(self, v):
        def check(r):
            r.status(range(200, 300))

        self.send(
            "members", "POST",
            "http://127.0.0.1:<port>/api/x/" + in_path(v["third"]["a"][0]),
            [
                ("User-Agent", "reqrun/<version>
                ("Accept", "*/*"),
                ("Accept-Encoding", ENCODINGS),
            ], check,
            body=("third: " + text(v["third"])).encode(),
        )

    def large(self, v):
        def check(r):
            r.status(range(200, 300))

        self.send(
            "large", "POST",
            "http://127.0.0.1:<port>/api/large",
            [
                ("User-Agent", "reqrun/<version>
                ("Accept", "*/*"),
                ("Accept-Encoding", ENCODINGS),
            ], check,
            body=data("data/body-1"),
        )

    def checks(self, v):
        # not played: `expect.json` in Locust
        def check(r):
            r.status(range(200, 201), range(300, 400))
            r.expect("header Server", "header", "Server", "matches", "^a")
            r.expect("json $.a[*].b", "json", ["a", "*", "b"], "contains", 1)
            r.expect("json $.c", "json", ["c"], "at_least", 2.5)
            r.expect("json $.d", "json", ["d"], "one_of", ["a", True])

        self.send(
            "checks", "GET",
            "http://127.0.0.1:<port>/api/checks",
            [
                ("User-Agent", "reqrun/<version>
                ("Accept", "*/*"),
                ("Accept-Encoding", ENCODINGS),
            ], check,
            redirects=False,
        )

    def secret_rows(self, v):
        def check(r):
            r.status(range(200, 300))

        self.send(
            "secret rows", "GET",
            "http://127.0.0.1:<port>/api/x/" + in_path(v["row"]["user"]),
            [
                ("User-Agent", "reqrun/<version>
                ("Accept", "*/*"),
                ("Accept-Encoding", ENCODINGS),
            ], check,
        )

    def through_a_proxy(self, v):
        # not played: `proxy`
        # not played: `delay`
        # not played: userinfo in its URL, which is sent as an `Authorization` header
        def check(r):
            r.status(range(200, 300))

        self.send(
            "through a proxy", "GET",
            "http://127.0.0.1:<port>/x",
            [
                ("User-Agent", "reqrun/<version>
                ("Accept", "*/*"),
                ("Accept-Encoding", ENCODINGS),
            ], check,
        )
