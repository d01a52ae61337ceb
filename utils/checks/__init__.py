"""What a check cell calls: it asks a learner's code questions, judges the answers, and says why.

A task has one check cell: the visible cases first, then the hidden ones between nbgrader's markers, and the
points on its last line. Here is a whole one, for a kernel ``saxpy(out, a, x, y)`` and 3 points::

    from utils.checks import Case, Expected, Gate, Mistake, check_kernel, unwritten

    def inputs(rng, n):
        x, y = rng.standard_normal((2, n), dtype=np.float32)
        return dict(out=unwritten(n, np.float32), a=np.float32(rng.uniform(1, 2)), x=x, y=y)

    check = check_kernel(
        saxpy,
        reference=lambda a, x, y: Expected(a * x + y, scale=abs(a * x) + abs(y)),
        cases=[
            Case("1,000 elements", inputs, n=1_000, grid=4, block=256),
            Case("one past a block", inputs, n=257, grid=1, block=256, gated=False),
        ],
        gates=[
            Gate(
                "global loads, sectors per request",
                lambda report: report.global_loads.sectors_per_request,
                naive=32, ideal=4, gate=5,
                why="32 neighbours lie in 4 sectors; a stride moves 32 for as many values.",
            )
        ],
        mistakes=[Mistake(lambda case: case["a"] * case["x"], "This is a * x: y was never added.")],
        points=3, hidden=2, ops=2,
    )
    ### BEGIN HIDDEN TESTS
    check.hidden([
        Case("no elements", inputs, n=0, grid=1, block=64, gated=False),
        Case("a prime number of elements", inputs, n=1_009, grid=3, block=96),
    ])
    ### END HIDDEN TESTS
    check.points

**Points.** A gate has its own (``points=1`` unless said otherwise), the rest is for results, and every case
carries an equal part of both. ``hidden=2`` declares how many cases the hidden part brings: the release, which
lost that part, earns its visible share and says "2 more cases when graded". A case is right when its results
agree, no input was changed and the launch left no finding. A gate is judged where results are right, and
missed once is missed.

**The last line is** ``check.points``, a plain float from 0 to the points. Reading it asks, judges and shows.

**The starter.** Keep ``def`` and ``@cuda.jit`` outside the solution's markers, and set the names of
predictions to ``...`` before them: then the untouched notebook is told in one sentence what is to do.

**Inputs** are drawn from the batch's seed (the variable ``CHECK_SEED``), anew for every call. Give outputs as
`unwritten`, let sizes be 0, 1, a prime, one past a block, and let no input be all equal.

**Tolerance** is a bound, not a guess: ``ops`` counts the roundings on the longest path to one result (a fused
multiply-add rounds once, so counting two is safe), and `Expected` gives the magnitudes where terms of both
signs are added. A result that is exact anyway, an integer or a copy, takes ``ops=0``.

**A function** is checked alike with `check_function`, without a launch; a prediction with `check_answer`::

    check = check_answer({"warps": warps, "idle lanes": idle}, {"warps": count_warps()}, points=2, hidden=1)
    ### BEGIN HIDDEN TESTS
    check.hidden({"idle lanes": 24})
    ### END HIDDEN TESTS
    check.points

**A mistake** speaks only where every answer is what it produces and the right answer is another. Whoever
writes a check writes the wrong solutions too: each has to lose its points and to draw its sentence.

Evidence and verdict are two things: `evidence` gathers plain values from a learner's code, `verdict` judges
them and holds the reference. Nothing of a learner's reaches the judge but arrays, numbers, text and reports.
"""

from utils.checks.answers import check_answer, check_function
from utils.checks.cases import Case, seed, unwritten
from utils.checks.check import Check
from utils.checks.compare import Expected
from utils.checks.gates import Gate, Mistake
from utils.checks.kernels import check_kernel

__all__ = [
    "Case",
    "Check",
    "Expected",
    "Gate",
    "Mistake",
    "check_answer",
    "check_function",
    "check_kernel",
    "seed",
    "unwritten",
]
