"""What gets through lowering, what is refused, and with which words."""

import ast
import re

import numpy as np
import pytest
from numba import cuda

from utils import connect, simt
from utils.simt.forms import LaneForm, ScalarForm
from utils.simt.lower import lower
from utils.simt.source import KernelSource, NotOnGpu, UndefinedName

FORMS = [LaneForm, ScalarForm]
COUNT = 3
NEEDED = {"cuda": cuda, "np": np, "COUNT": COUNT}


@pytest.fixture(autouse=True, scope="module")
def device():
    return connect()


def kernel(body, **free):
    """Return a kernel of these statements, as data."""
    text = "def kernel(a, out):\n" + "".join(f"    {line}\n" for line in body.splitlines())
    definition = ast.parse(text).body[0]
    return KernelSource("kernel", text, 10, "<test>", NEEDED | free, definition)


def refusal(body, form=LaneForm, **free):
    with pytest.raises(NotOnGpu) as caught:
        lower(kernel(body, **free), form)
    return caught.value


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("x = [1, 2]", "no lists"),
        ("x = [i for i in a]", "write a loop"),
        ("x = {1: 2}", "dictionaries"),
        ("x = {1}", "sets"),
        ("x = lambda y: y", "no lambda"),
        ("import os", "cannot import"),
        ("from os import path", "cannot import"),
        ("with a:\n    pass", "no 'with'"),
        ("try:\n    pass\nfinally:\n    pass", "catch"),
        ("def inner():\n    pass", "inside a kernel"),
        ("global COUNT", "global"),
        ("class C:\n    pass", "does not exist"),
        ("yield 1", "does not exist|returns nothing|Yield"),
        ("await a", "does not exist"),
        ("x = a.__class__", "__class__"),
        ("x = a.sum()", "write the loop"),
        ("x = a @ a", "MatMult"),
        ("x = f'{a}'", "no strings"),
        ("return 1", "a kernel returns nothing"),
        ("for i in range(3):\n    pass\nelse:\n    pass", "else is not simulated"),
        ("x = max(**a)", r"spread arguments with \*"),
        ("(x, *y) = a", "assigned"),
        ("x = open", "open does not exist"),
        ("x = 2 ** 64 + 99999999999999999999", "64 bits"),
        ("x = np.load('f')", "np.load does not exist"),
        ("x = cuda.to_device(a)", "cuda.to_device does not exist"),
        ("x = cuda.shared.array(a.size, np.float32)", "not known when the kernel is compiled"),
        ("x = cuda.shared.array(-1, np.float32)", "negative extent"),
        ("x = cuda.shared.array(8)", "a shape and a dtype"),
        ("x = cuda.shared.array(8, 'nonsense')", "not the type of an array element"),
        ("x = cuda.const.array_like(a)", "takes a NumPy array defined outside"),
    ],
)
def test_what_is_not_on_the_list_is_refused_at_its_line(form, statement, words):
    refused = refusal("y = 1\n" + statement, form)
    assert re.search(words, refused.reason)
    assert refused.line >= 12


def test_an_unknown_name_is_a_name_error_of_its_own_kind():
    with pytest.raises(UndefinedName, match="name 'missing' is not defined"):
        lower(kernel("x = missing"), LaneForm)


def helper(x):
    return x


def test_a_plain_function_needs_its_decorator():
    refused = refusal("out[0] = helper(1)", helper=helper)
    assert "put @cuda.jit(device=True) above it" in refused.reason


@cuda.jit(device=True)
def bad_inside(x):
    return [x]


def test_a_refusal_inside_a_device_function_names_its_line_and_source():
    refused = refusal("out[0] = bad_inside(1)", bad_inside=bad_inside)
    assert refused.source.name == "bad_inside" and refused.source.statement(refused.line) == "return [x]"


@cuda.jit(device=True)
def endless(x):
    return endless(x)


def test_recursion_is_refused():
    assert "calls itself" in refusal("out[0] = endless(1)", endless=endless).reason


@pytest.mark.parametrize("form", FORMS)
def test_a_program_can_reach_nothing_but_its_own_constants(form):
    """What does ``__builtins__`` hold when a lowered kernel runs, and which names can it set?"""
    program = lower(kernel("R = a[0]\nk0 = R\nt1 = k0\nout[0] = t1"), form)
    assert program.run.__globals__["__builtins__"] == {}
    assert {"v_R", "v_k0", "v_t1"} <= set(program.run.__code__.co_varnames)


def test_decorators_defaults_and_annotations_are_dropped():
    text = "@nothing\ndef kernel(a: nothing, out=nothing) -> nothing:\n    out[0]: nothing = a[0]\n"
    source = KernelSource("kernel", text, 1, "<test>", {}, ast.parse(text).body[0])
    assert lower(source, LaneForm).run.__defaults__ is None


@pytest.mark.parametrize("form", FORMS)
def test_sites_have_the_same_numbers_in_both_forms(form):
    program = lower(kernel("i = cuda.grid(1)\nif i < COUNT:\n    out[i] += a[i]"), form)
    assert [(s.op, s.source, s.line) for s in program.sites] == [
        ("branch", "i < COUNT", 12),
        ("load", "out[i]", 13),
        ("load", "a[i]", 13),
        ("store", "out[i]", 13),
    ]


def test_a_program_knows_what_it_needs():
    plain = lower(kernel("out[0] = a[0]"), LaneForm)
    assert not (plain.waits or plain.atomics or plain.fences or plain.spins)
    assert lower(kernel("cuda.syncthreads()"), LaneForm).waits
    assert lower(kernel("cuda.threadfence()"), LaneForm).fences
    spinning = lower(kernel("while cuda.atomic.cas(out, 0, 0, 1) != 0:\n    pass"), LaneForm)
    assert spinning.atomics and spinning.spins


def test_a_docstring_is_no_statement():
    program = lower(kernel("'what it does'\nout[0] = 1"), LaneForm)
    assert [site.op for site in program.sites] == ["store"]


@cuda.jit(device=True)
def sign_or_nothing(value):
    if value > 0:
        return 1
    if value < 0:
        return -1


@cuda.jit(device=True)
def sign(value):
    if value > 0:
        return 1
    else:
        return -1


@cuda.jit
def uses_half_a_function(x):
    x[cuda.grid(1)] = sign_or_nothing(x[cuda.grid(1)])


@cuda.jit
def uses_a_whole_function(x):
    x[cuda.grid(1)] = sign(x[cuda.grid(1)])


def test_a_device_function_that_forgets_a_return_is_refused():
    with pytest.raises(simt.LaunchError, match="return -1: sign_or_nothing returns a value here and nothing"):
        simt.profile(uses_half_a_function, 1, 32, np.ones(32))
    assert simt.profile(uses_a_whole_function, 1, 32, np.ones(32)).ok
