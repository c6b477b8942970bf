"""Users that play specs of reqrun: one class for each file. Made by `reqrun export locust`."""

import random
import uuid

from locust import constant, tag, task

from reqrun_load import (
    ENCODINGS, SpecUser, as_json, basic, data, env, in_json, in_path, in_query, once, resolved, text,
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
                ("Accept-Encoding", ENCODINGS),
                ("Authorization", "Bearer " + text(v["token"])),
            ], check,
            body=("{\"name\":\"Freja Hölm\",\"email\":\"" + in_json(once(v, "uuid 1", lambda: str(uuid.uuid4()))) + "@example.com\",\"balance\":12.50}").encode(),
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
                ("Accept-Encoding", ENCODINGS),
                ("Authorization", "Bearer " + text(v["token"])),
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
        self.members(v)
        self.large(v)
        self.checks(v)

    def basic(self, v):
        def check(r):
            r.status(range(100, 600))

        self.send(
            "basic", "GET",
            "http://127.0.0.1:<port>/api/basic",
            [
                ("User-Agent", "reqrun/<version>
                ("Accept", "*/*"),
                ("Accept-Encoding", ENCODINGS),
                ("Authorization", basic("ann", env("REQRUN_PASSWORD_MORE_YAML_3"))),
            ], check,
        )

    def items(self, v):
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
