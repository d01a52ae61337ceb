"""Statements and expressions that no kernel may hold, with something behind them that would leave a trace."""

# ruff: noqa: E731

from numba import cuda

from tests.simt.zoo.wall import LOG, PATH, forbidden, touch

COUNT = 0


@forbidden
@cuda.jit
def import_inside(x, out):
    import os  # <- here

    os.mkdir(PATH)


@forbidden
@cuda.jit
def import_from_inside(x, out):
    from os import mkdir  # <- here

    mkdir(PATH)


@forbidden
@cuda.jit
def call_starred(x, out):
    out[0] = touch(*(1.0, 2.0))  # <- here


@forbidden
@cuda.jit
def make_lambda(x, out):
    act = lambda: touch(1.0)  # <- here
    out[0] = act()


@forbidden
@cuda.jit
def comprehension(x, out):
    values = [touch(k) for k in range(3)]  # <- here
    out[0] = values[0]


@forbidden
@cuda.jit
def generator(x, out):
    out[0] = sum(touch(k) for k in range(3))  # <- here


@forbidden
@cuda.jit
def yields(x, out):
    yield touch(1.0)  # <- here


@forbidden
@cuda.jit
def nested_function(x, out):
    def act():  # <- here
        return touch(1.0)

    out[0] = act()


@forbidden
@cuda.jit
def nested_class(x, out):
    class Act:  # <- here
        value = touch(1.0)

    out[0] = Act.value


@forbidden
@cuda.jit
def format_string(x, out):
    name = f"{touch()}"  # <- here
    out[0] = len(name)


@forbidden
@cuda.jit
def delete_from_global(x, out):
    del LOG[0]  # <- here


@forbidden
@cuda.jit
def rebind_global(x, out):
    global COUNT  # <- here
    COUNT = 1


@forbidden
@cuda.jit
def try_and_catch(x, out):
    try:  # <- here
        touch()
    except ValueError:
        out[0] = 1.0


@forbidden
@cuda.jit
def match_value(x, out):
    match touch():  # <- here
        case 0:
            out[0] = 1.0


@forbidden
@cuda.jit
def list_literal(x, out):
    values = [1.0, 2.0]  # <- here
    out[0] = values[0]


@forbidden
@cuda.jit
def dict_literal(x, out):
    values = {0: 1.0}  # <- here
    out[0] = values[0]
