"""A kernel is read, never run: its text, its lines, and what its free names stood for."""

import functools

import numpy as np
import pytest
from numba import cuda, njit

from tests.simt.zoo.case import line_of
from utils import connect
from utils.simt.source import KernelSource, NotOnGpu, is_dispatcher, python_function, read

WIDTH = 7
UNUSED = "never mentioned"


@pytest.fixture(autouse=True, scope="module")
def device():
    return connect()


@cuda.jit
def scaled(
    a,
    out,
):
    i = cuda.grid(1)
    out[i] = a[i] * WIDTH  # <- here


def closure(factor):
    @cuda.jit
    def inner(out):
        out[0] = factor

    return inner


def test_text_and_lines_are_the_learners():
    source = read(scaled)
    assert (source.name, source.parameters) == ("scaled", ("a", "out"))
    assert source.text.startswith("@cuda.jit\ndef scaled(")
    line = line_of(scaled)
    assert source.statement(line) == "out[i] = a[i] * WIDTH  # <- here"
    assert source.line(source.definition.body[1]) == line
    assert source.filename == __file__
    assert source.statement(1).startswith('"""A kernel is read')  # elsewhere in the file, as a device function may be
    assert source.statement(100_000) == ""


def test_an_expression_over_several_lines_is_shown_on_one():
    source = read(scaled)
    assert source.expression(source.definition.body[1].value) == "a[i] * WIDTH"


def test_only_names_that_are_mentioned_are_kept():
    free = read(scaled).free
    assert free["WIDTH"] == 7 and free["cuda"] is cuda
    assert "UNUSED" not in free and "np" not in free


def test_a_closure_keeps_its_own_value():
    assert read(closure(3)).free["factor"] == 3
    assert read(closure(4)).free["factor"] == 4
    assert read(closure(3)).text.startswith("@cuda.jit\ndef inner")


def test_a_closure_without_a_value_has_no_name():
    """Does the global of the same name come in its place?"""

    def outer():
        @cuda.jit
        def inner(out):
            out[0] = WIDTH

        source = read(inner)
        WIDTH = 1
        return source, WIDTH

    assert "WIDTH" not in outer()[0].free


@cuda.jit(device=True)
def device_function(x):
    return x


@njit
def host_function(x):
    return x


def test_dispatchers_of_both_kinds_have_a_function_behind_them():
    for one in (scaled, device_function, host_function):
        assert is_dispatcher(one) and python_function(one).__name__
    assert python_function(read) is read


@pytest.mark.parametrize("value", [7, "text", np.add, functools.partial(read), KernelSource, print, None])
def test_what_is_no_function_is_no_kernel(value):
    assert python_function(value) is None
    with pytest.raises(TypeError, match=r"a kernel is a function under @cuda\.jit"):
        read(value)


async def coroutine(out):
    out[0] = 1


nameless = lambda out: None  # noqa: E731


@pytest.mark.parametrize("value", [nameless, coroutine], ids=["lambda", "coroutine"])
def test_what_is_no_plain_def_is_refused(value):
    with pytest.raises(NotOnGpu, match="is not a plain 'def'"):
        read(value)


def test_an_object_that_claims_to_be_everything_is_asked_nothing():
    class Loud:
        @property
        def __class__(self):
            raise AssertionError("asked")

        def __getattr__(self, name):
            raise AssertionError("asked")

    assert not is_dispatcher(Loud())
    assert python_function(Loud()) is None
