"""Real ``numba.cuda`` kernels, right and wrong, as a learner writes them.

`right.RIGHT` holds kernels with a launch, seeded arguments and an oracle in NumPy or plain Python;
`wrong.WRONG` their wrong twins with the findings that they must draw; `wall.FORBIDDEN` what must never run.
Nothing here imports the simulator, so the same kernels serve a real GPU and Numba's own simulator.
"""
