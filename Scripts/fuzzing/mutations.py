"""Mutations of bytes: edge cases in place of numbers, and damage by editors, disks or attackers."""

import re
import struct

EDGES = [
    b"-9223372036854775808",
    b"-1",
    b"0",
    b"9223372036854775807",
    b"18446744073709551615",
    b"1e309",
    b"9223372036854775808",
    b"4294967296",
    b"2147483648",
    b"-0",
]
NUMBER = re.compile(rb"(?<![A-Za-z0-9_.\-])-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
TOKEN = re.compile(rb"[A-Za-z0-9_]+|\s+|[^A-Za-z0-9_\s]")
LARGEST = 96 << 10


class Edges:
    """Every number of every seed replaced by every edge case, in random order."""

    def __init__(self, seeds, rng):
        self.seeds = seeds
        places = [(i, m.span()) for i, seed in enumerate(seeds) for m in NUMBER.finditer(seed)]
        self.all = [(i, span, edge) for i, span in places for edge in EDGES]
        rng.shuffle(self.all)

    def __getitem__(self, index):
        seed, (start, end), edge = self.all[index % len(self.all)]
        return self.seeds[seed][:start] + edge + self.seeds[seed][end:]


def mutated(rng, data, words=(), others=()):
    """The bytes with one to four changes: of tokens, or of bytes."""
    for _ in range(rng.choice((1, 1, 2, 4))):
        data = rng.choice((changed_tokens, changed_tokens, changed_bytes))(rng, data, words, others)
    return data[:LARGEST]


def changed_tokens(rng, data, words, others):
    tokens = TOKEN.findall(data)
    if not tokens:
        return rng.choice(words) if words else b"0"
    at, other = rng.randrange(len(tokens)), rng.randrange(len(tokens))
    what = rng.randrange(8)
    if what == 0:
        del tokens[at : at + rng.choice((1, 1, 3, 10))]
    elif what == 1:
        tokens.insert(at, tokens[other])
    elif what == 2:
        tokens[at], tokens[other] = tokens[other], tokens[at]
    elif what == 3 and words:
        tokens[at] = rng.choice(words)
    elif what == 4 and words:
        tokens.insert(at, rng.choice(words))
    elif what == 5 and others:
        theirs = TOKEN.findall(rng.choice(others))
        start = rng.randrange(len(theirs) or 1)
        tokens[at:at] = theirs[start : start + rng.choice((1, 5, 30))]
    elif what == 6:
        part = tokens[at : at + rng.choice((1, 2, 5))]
        tokens[at:at] = part * rng.choice((2, 20, 1000))
    else:
        numbers = [i for i, token in enumerate(tokens) if token.isdigit()]
        tokens[rng.choice(numbers) if numbers else at] = rng.choice(EDGES)
    return b"".join(tokens)


def changed_bytes(rng, data, words=(), others=()):
    data = bytearray(data or b"\0")
    at = rng.randrange(len(data))
    what = rng.randrange(6)
    if what == 0:
        data[at] ^= 1 << rng.randrange(8)
    elif what == 1:
        data[at:at] = rng.choice(
            (b"\0", b"\xff", b"\xc3", b"\r", b"\n", b"\t", b"\x1b[31m", b"\xef\xbb\xbf", b"\xe2\x80\xae")
        )
    elif what == 2:
        del data[at : at + rng.choice((1, 4, 64))]
    elif what == 3:
        del data[at:]
    elif what == 4:
        data[at:at] = data[at : at + 32] * rng.choice((1, 8, 300))
    else:
        # A number of an archive: 16, 32 or 64 bits, in either order.
        form, bits = rng.choice((("H", 16), ("I", 32), ("Q", 64)))
        number = rng.choice((0, 1, 2**bits - 1, 2 ** (bits - 1), 2 ** (bits - 1) - 1, len(data)))
        packed = struct.pack(rng.choice("<>") + form, number % 2**bits)
        data[at : at + len(packed)] = packed
    return bytes(data)
