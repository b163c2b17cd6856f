"""Random C programs that use what csmith leaves out; see `scripts/border`."""

import random

from . import extensions, language, library, order, values  # noqa: F401  (they register their features)
from .program import FEATURES, Program

# One program in so many depends on the order of evaluation.
ORDER_EVERY = 12


def generate(seed, names):
    """A program of up to three of the named features, and the features it has."""
    rng = random.Random(seed)
    known = [FEATURES[name] for name in names]
    ordered = [one for one in known if one.order]
    others = [one for one in known if not one.order]
    program = Program(rng)
    if ordered and (not others or rng.randrange(ORDER_EVERY) == 0):
        chosen = [rng.choice(ordered)]
    else:
        count = rng.choice((1, 1, 2, 2, 3))
        chosen = rng.choices(others, [one.weight for one in others], k=count)
    ending = [one for one in chosen if one.ending][:1]
    chosen = [one for one in chosen if not one.ending] + ending
    for one in chosen:
        program.add(one)
    return program, [one.name for one in chosen]
