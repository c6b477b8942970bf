"""Users that play specs of reqrun: one class for each file. Made by `reqrun export locust`."""

import random
import uuid
from functools import partial

from locust import constant, tag, task

from reqrun_load import (
    ENCODINGS, SpecUser, as_json, basic, data, env, in_json, in_path, in_query, once, resolved, secret_rows,
    text,
)


class ChecksUser(SpecUser):
    "checks.yaml"

    host = "http://127.0.0.1:<port>"
    wait_time = constant(0)
    weight = 1

    @task
    def play(self):
        v = self.begin()
        self.checks(v)
        self.waits(v)

    def checks(self, v):
        # not played: `expect.duration` in Locust
        # not played: `expect.json` in Locust
        # not played: `capture` of json
        def check(r):
            r.status(range(200, 300))
            r.expect("content_type", "header", "Content-Type", "starts_with", "application/json")
            r.expect("body", "body", None, "not_contains", "error")
            r.expect("body", "body", None, "not_matches", "^<")
            r.expect("json $.n", "json", ["n"], "at_least", 1)
            r.expect("json $.n", "json", ["n"], "at_most", 2)
            r.expect("json $.list", "json", ["list"], "count", 2)
            r.expect("json $.list", "json", ["list", 0], "equals", 1)
            r.expect("json $.list", "json", ["list", 1, "*"], "count", 1)
            r.expect("json $.list", "json", ["list", 1, "a"], "equals", "b")
            r.expect("json $.list[*].a", "json", ["list", "*", "a"], "equals", ["b"])
            r.expect("json $.object", "json", ["object", "a"], "equals", 1)
            r.expect("json $.password", "json", ["password"], "equals", env("REQRUN_PASSWORD_CHECKS_YAML_3"))
            v["id"] = r.capture("json $.id", "json", ["id"])
            v["fixed"] = "id " + text(v["id"])

        self.send(
            "checks", "GET",
            "http://127.0.0.1:<port>/checks",
            [
                ("User-Agent", "reqrun/<version>
                ("Accept", "*/*"),
                ("Accept-Encoding", ENCODINGS),
            ], check,
        )

    def waits(self, v):
        def check(r):
            r.status(range(404, 405))

        def until(r):
            r.status(range(404, 405))
            r.expect("json $.state", "json", ["state"], "not_equals", "open")

        self.send(
            "waits", "GET",
            "http://127.0.0.1:<port>/waits",
            [
                ("User-Agent", "reqrun/<version>
                ("Accept", "*/*"),
                ("Accept-Encoding", ENCODINGS),
            ], check,
            poll=(until, 2.0, 0.1, None),
        )
