"""Users that play specs of reqrun: one class for each file. Made by `reqrun export locust`."""

import random
import uuid
from functools import partial

from locust import constant, tag, task

from reqrun_load import (
    ENCODINGS, SpecUser, as_json, basic, data, env, in_json, in_path, in_query, once, resolved, secret_rows,
    text,
)


class KeywordsUser(SpecUser):
    "keywords.yaml"

    host = "http://h"
    wait_time = constant(0)
    weight = 1

    @task
    def play(self):
        v = self.begin()
        self.import_2(v)
        self.class_2(v)

    def import_2(self, v):
        def check(r):
            r.status(range(200, 300))

        self.send(
            "import", "GET",
            "http://h/a",
            [
                ("User-Agent", "reqrun/<version>
                ("Accept", "*/*"),
                ("Accept-Encoding", ENCODINGS),
            ], check,
        )

    def class_2(self, v):
        def check(r):
            r.status(range(200, 300))

        self.send(
            "class", "GET",
            "http://h/b",
            [
                ("User-Agent", "reqrun/<version>
                ("Accept", "*/*"),
                ("Accept-Encoding", ENCODINGS),
            ], check,
        )
