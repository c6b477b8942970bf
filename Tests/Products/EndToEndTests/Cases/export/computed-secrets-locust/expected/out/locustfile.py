"""Users that play specs of reqrun: one class for each file. Made by `reqrun export locust`."""

import random
import uuid
from functools import partial

from locust import constant, tag, task

from reqrun_load import (
    ENCODINGS, SpecUser, as_json, basic, data, env, in_json, in_path, in_query, once, resolved, secret_rows,
    text,
)


class SecretsUser(SpecUser):
    "secrets.yaml"

    host = "http://localhost:<port>"
    wait_time = constant(0)
    weight = 1

    @task
    def play(self):
        v = self.begin()
        self.one(v)
        self.two(v)
        self.three(v)
        self.four(v)

    def one(self, v):
        def check(r):
            r.status(range(200, 300))

        self.send(
            "one", "GET",
            "http://localhost:<port>/a",
            [
                ("X-A", text(env("REQRUN_X_UPPER_SECRETS_YAML_12"))),
                ("X-B", "pre " + text(env("x"))),
                ("X-C", text(env("y"))),
                ("User-Agent", "reqrun/<version>
                ("Accept", "*/*"),
                ("Authorization", "Bearer " + text(env("x"))),
                ("Accept-Encoding", ENCODINGS),
            ], check,
        )

    def two(self, v):
        def check(r):
            r.status(range(200, 300))

        self.send(
            "two", "GET",
            "http://localhost:<port>/b",
            [
                ("X-A", text(env("REQRUN_CREDS_A_SECRETS_YAML_18"))),
                ("X-B", text(env("REQRUN_CREDS_A_UPPER_SECRETS_YAML_18"))),
                ("User-Agent", "reqrun/<version>
                ("Accept", "*/*"),
                ("Authorization", basic("bob", text(env("REQRUN_CREDS_A_SECRETS_YAML_18")))),
                ("Accept-Encoding", ENCODINGS),
            ], check,
        )

    def three(self, v):
        def check(r):
            r.status(range(200, 300))

        self.send(
            "three", "GET",
            "http://localhost:<port>/c",
            [
                ("X-A", text(env("pin"))),
                ("User-Agent", "reqrun/<version>
                ("Accept", "*/*"),
                ("Authorization", basic("bob", text(env("y")) + "-tail")),
                ("Accept-Encoding", ENCODINGS),
            ], check,
        )

    def four(self, v):
        def check(r):
            r.status(range(200, 300))

        self.send(
            "four", "GET",
            "http://localhost:<port>/d" + "?q=" + in_query(env("REQRUN_X_SHA256_SECRETS_YAML_26")),
            [
                ("X-Pass", text(env("pin"))),
                ("User-Agent", "reqrun/<version>
                ("Accept", "*/*"),
                ("Accept-Encoding", ENCODINGS),
            ], check,
        )
