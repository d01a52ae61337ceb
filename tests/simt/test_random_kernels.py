"""Random integer kernels, run by both engines and by an oracle that is plain Python.

A generator writes each kernel twice: as source for `numba.cuda`, and as a Python generator function for one thread,
whose integers wrap at 64 bits and which yields at a barrier.
"""

import linecache
import random
from itertools import count

import numpy as np
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from numba import cuda, int64

from utils import connect, simt

GRID, BLOCK = 2, 40
VALUES = [0, 1, -1, 5, -8, 1000, 2**62, -(2**63)]
KERNEL = """
{functions}
@cuda.jit
def kernel(a, out):
    i = cuda.grid(1)
    t = cuda.threadIdx.x
    x = a[i]
    y = i
    z = 0
    s = cuda.shared.array(64, int64)
    own = cuda.local.array(4, int64)
    for k in range(4):
        own[k] = k * x
{body}
    out[i] = {result}
"""
ORACLE = """
{functions}
def kernel(a, out, i, t, s):
    x, y, z = a[i], i, 0
    own = [wrap(k * x) for k in range(4)]
{body}
    out[i] = {result}
    yield
"""
numbers = count()


def wrap(value):
    """Return an integer as 64 bits hold it."""
    value &= 2**64 - 1
    return value - 2**64 if value >> 63 else value


class Writer:
    """Writes expressions and statements as pairs: for the kernel, and for the oracle."""

    def __init__(self, rnd):
        self.rnd, self.functions = rnd, []

    def expression(self, names, depth):
        rnd = self.rnd
        if depth <= 0 or rnd.random() < 0.2:
            leaf = (
                rnd.choice([n for n in names if n != "own"])
                if rnd.random() < 0.75
                else f"({rnd.choice([0, 1, 2, 7, -4, 2**40, -(2**62)])})"
            )
            return leaf, leaf
        (a, b), (c, d) = self.expression(names, depth - 1), self.expression(names, depth - 1)
        symbol, logic, least = rnd.choice("+-*&|^"), rnd.choice(["and", "or"]), rnd.choice(["min", "max"])
        division, shift, sign = rnd.choice(["//", "%"]), rnd.choice(["<<", ">>"]), rnd.choice("-~")
        test, same = self.test(names, depth - 2) if depth > 1 else (f"{names[0]} < {names[1]}",) * 2
        choices = [
            (f"({a} {symbol} {c})", f"wrap({b} {symbol} {d})"),
            (f"({a} {division} (({c} & 7) + 1))", f"wrap({b} {division} (({d} & 7) + 1))"),
            (f"({a} {shift} ({c} & 7))", f"wrap({b} {shift} ({d} & 7))"),
            (f"({sign}{a})", f"wrap({sign}{b})"),
            (f"abs({a})", f"wrap(abs({b}))"),
            (f"{least}({a}, {c})", f"{least}({b}, {d})"),
            (f"({a} {logic} {c})", f"({b} {logic} {d})"),
            (f"({a} if {test} else {c})", f"({b} if {same} else {d})"),
            (f"int({test})", f"int({same})"),
        ]
        choices += [(f"{f}({a}, {c})", f"{f}({b}, {d})") for f in self.functions]
        return rnd.choice(choices if "own" not in names else [*choices, (f"own[{a} & 3]", f"own[{b} & 3]")])

    def test(self, names, depth):
        rnd = self.rnd
        (a, b), (c, d), (e, f) = (self.expression(names, depth) for _ in range(3))
        one, two, logic = rnd.choice(["<", "<=", "==", "!="]), rnd.choice([">", "<", "!="]), rnd.choice(["and", "or"])
        return rnd.choice([
            (f"({a} {one} {c})", f"({b} {one} {d})"),
            (f"({a} {one} {c} {two} {e})", f"({b} {one} {d} {two} {f})"),
            (f"(not {a} {one} {c})", f"(not {b} {one} {d})"),
            (f"({a} {one} {c} {logic} {c} {two} {e})", f"({b} {one} {d} {logic} {d} {two} {f})"),
        ])  # fmt: skip

    def block(self, names, depth, leave):
        """Return one to three statements as lines; `leave` holds what may end the block early."""
        pairs = [self.statement(names, depth, leave) for _ in range(self.rnd.randint(1, 3))]
        return [line for lines, _ in pairs for line in lines], [line for _, lines in pairs for line in lines]

    def statement(self, names, depth, leave):
        rnd, free = self.rnd, [name for name in names if name in "xyzpq"]
        target, (a, b), (test, same) = rnd.choice(free), self.expression(names, 3), self.test(names, 1)
        kind = rnd.randrange(10 if depth > 0 else 4)
        if kind == 0:
            symbol = rnd.choice("+-*^")
            return [f"{target} {symbol}= {a}"], [f"{target} = wrap({target} {symbol} {b})"]
        if kind == 1 and "own" in names:
            return [f"own[{target} & 3] = {a}"], [f"own[{target} & 3] = {b}"]
        if kind == 2:
            return ([f"{free[0]}, {free[1]} = {free[1]}, {free[0]}"],) * 2
        if kind <= 4:
            return [f"{target} = {a}"], [f"{target} = {b}"]
        if kind == 5 and leave:
            way = rnd.choice(leave)
            written = {"return": "return {}", "store": "out[i] = {}; return"}.get(way, way)
            return [f"if {test}: {written.format(a)}"], [f"if {same}: {written.format(b)}"]
        if kind <= 7:
            made, oracle = self.inside(names, depth, leave, f"if {test}:", f"if {same}:")
            if rnd.random() < 0.5:
                more, oracle_more = self.inside(names, depth, leave, "else:", "else:")
                return made + more, oracle + oracle_more
            return made, oracle
        inner, loops = f"j{depth}", ["break", "continue", *leave]
        if kind == 8:
            head = "for " + inner + " in range({0} & 3, {0} & 7, 1 + ({0} & 1)):"
            return self.inside([*names, inner], depth, loops, head.format(a), head.format(b))
        made, oracle = self.inside([*names, inner], depth, loops, f"while {inner} > 0 and {test}:", "", f"{inner} -= 1")
        oracle[0] = f"while {inner} > 0 and {same}:"
        return [f"{inner} = 4", *made], [f"{inner} = 4", *oracle]

    def inside(self, names, depth, leave, head, oracle_head, first="pass"):
        """Return a compound statement."""
        made, oracle = self.block(names, depth - 1, leave)
        return [head, "    " + first, *("    " + m for m in made)], [
            oracle_head,
            "    " + first,
            *("    " + o for o in oracle),
        ]

    def function(self):
        """Write one device function."""
        made, oracle = self.block(["p", "q"], 2, ["return"])
        a, b = self.expression(["p", "q"], 2)
        named = f"def f{len(self.functions)}(p, q):"
        self.functions.append(named[4:6])
        return _text(["@cuda.jit(device=True)", named], made, a), _text([named], oracle, b)

    def program(self):
        """Write one kernel; return it and its oracle."""
        functions = [self.function() for _ in range(self.rnd.randrange(3))]
        names, bodies = ["x", "y", "z", "own"], ([], [])
        for phase in range(self.rnd.randint(0, 2), -1, -1):
            for body, lines in zip(bodies, self.block(names, 3, [] if phase else ["store"]), strict=True):
                body.extend(lines)
            if phase:
                name, other = self.rnd.choice("xyz"), f"t ^ {self.rnd.choice([1, 3, 7])}"
                for body, barrier in zip(bodies, ("cuda.syncthreads()", "yield"), strict=True):
                    body.extend([f"s[t] = {name}", barrier, f"{name} = s[{other}]", barrier])
        results = self.expression(names, 2)
        return [
            form.format(functions="\n".join(parts), body="\n".join("    " + line for line in body), result=result)
            for form, parts, body, result in zip(
                (KERNEL, ORACLE), zip(*functions, strict=True) if functions else ((), ()), bodies, results, strict=True
            )
        ]


def _text(head, body, result):
    return "\n".join([*head, *("    " + line for line in body), f"    return {result}"])


def built(source):
    """Return the kernel of a source text."""
    name = f"<random kernel {next(numbers)}>"
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    space = {"cuda": cuda, "int64": int64}
    exec(compile(source, name, "exec"), space)
    return space["kernel"]


def by_hand(source, a):
    """Return what the oracle says, thread after thread, from barrier to barrier."""
    space = {"wrap": wrap}
    exec(source, space)
    out = [0] * len(a)
    for block in range(GRID):
        shared = [0] * 64
        live = [space["kernel"](a, out, block * BLOCK + t, t, shared) for t in range(BLOCK)]
        while live:
            live = [thread for thread in live if next(thread, thread) is not thread]
    return out


@pytest.fixture(autouse=True, scope="module")
def device():
    return connect()


@settings(max_examples=30, phases=[Phase.generate], derandomize=True, deadline=None, database=None)
@given(st.integers(0, 2**32))
def test_a_random_kernel_does_what_plain_python_does(seed):
    rnd = random.Random(seed)
    kernel, oracle = Writer(rnd).program()
    a = [rnd.choice(VALUES) if rnd.random() < 0.5 else rnd.randint(-20, 20) for _ in range(GRID * BLOCK)]
    expected, made = by_hand(oracle, a), built(kernel)
    for schedule in ("lockstep", "ascending", "descending"):
        out = np.zeros(len(a), np.int64)
        report = simt.profile(made, GRID, BLOCK, np.array(a), out, schedule=schedule)
        assert report.ok and report.engine == ("lane" if schedule == "lockstep" else "scalar"), kernel
        assert out.tolist() == expected, kernel
