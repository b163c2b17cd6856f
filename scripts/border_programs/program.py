"""A program in the making: what the features of `scripts/border` write into, and the versions of it that are compared.

A feature is a function that takes a `Part`, adds declarations with `top` and one body with `body`, and tells in the text
which values the program is judged by:

    OUT(e);     the value e
    MIX(e);     a checksum that takes in e each time it is executed

A program has one outcome, whatever the order of evaluation: where a call changes an object that the rest of the expression
reads, its result goes into a variable first. The features of `order` are the exception.

`$f` in a text is the number of the part, so that names of several parts do not meet. `$x` is the keyword argument x.
"""

import string

# The headers that any part may use.
HEADERS = """#include <ctype.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <wchar.h>
"""

# How a number of the generator enters the program: as a constant that a compiler may fold, or as an input that can have
# only this value, which an engine has to find out.
FIXED_NATIVE = "static int fixed(int x) { return x; }\n"
FIXED_INPUT = """extern int __VERIFIER_nondet_int(void);
static int fixed(int x) { int y = __VERIFIER_nondet_int(); if (y != x) _Exit(0); return y; }
"""


class Feature:
    """A function that writes a part, its name, and how often it is chosen."""

    def __init__(self, write, weight, order, ending):
        self.name = write.__name__
        self.write = write
        self.weight = weight
        # Whether it decides where the outcome is judged; a program has one of these at most.
        self.ending = ending
        # Whether the outcome depends on the order of evaluation.
        self.order = order


class Registry(dict):
    """The features of one kind of program, by name."""

    def feature(self, weight=2, order=False, ending=False):
        """Registers a function as a feature."""

        def register(write):
            assert write.__name__ not in self, f"two features are named {write.__name__}"
            self[write.__name__] = Feature(write, weight, order, ending)
            return write

        return register


FEATURES = Registry()
feature = FEATURES.feature


class Part:
    """The part of a program that one feature writes."""

    def __init__(self, program, number):
        self.program = program
        self.rng = program.rng
        self.number = number

    def top(self, text, /, **values):
        """Declarations of the file, in front of those of later parts."""
        self.program.tops.append(self._filled(text, values))

    def body(self, text, /, **values):
        """The statements of this part's function, which main calls."""
        text = self._filled(text, values)
        lines = "\n".join("    " + line if line else "" for line in text.strip("\n").split("\n"))
        self.program.tops.append(f"static void part{self.number}(void) {{\n{lines}\n}}\n")
        self.program.calls.append(f"part{self.number}();")

    def judge_late(self, statement):
        """The outcome is judged not at the end of main but where this statement, the first of main, arranges it."""
        self.program.late = statement

    def small(self, low=1, high=9):
        """A number as the program writes it."""
        value = self.rng.randint(low, high)
        if self.program.inputs and self.rng.random() < 0.5:
            return f"fixed({value})"
        return str(value)

    def numbers(self, count, low=0, high=99):
        """Constants for an initialiser."""
        return ", ".join(str(self.rng.randint(low, high)) for _ in range(count))

    def word(self, low=2, high=6, letters="abcdef"):
        """A short word."""
        return "".join(self.rng.choice(letters) for _ in range(self.rng.randint(low, high)))

    def pick(self, *choices):
        return self.rng.choice(choices)

    def expression(self, names, depth=2):
        """An expression over variables and constants; every operation is on `unsigned`, so nothing is undefined."""
        if depth == 0 or self.rng.random() < 0.15:
            leaf = self.pick(*names, *names, f"{self.rng.randint(0, 20)}u")
            return leaf if leaf[0].isdigit() else f"(unsigned){leaf}"
        left, right = self.expression(names, depth - 1), self.expression(names, depth - 1)
        shape = self.pick("({} + {})", "({} - {})", "({} * {})", "({} ^ {})", "({} & {})", "({} | {})", "({} < {})",
                          "({} == {})", "({} % ({} | 1))", "({} >> ({} & 7))", "({} << ({} & 3))", "({} / ({} | 1))")
        if self.rng.random() < 0.15:
            return f"({self.expression(names, 0)} & 1 ? {left} : {right})"
        return shape.format(left, right)

    def _filled(self, text, values):
        # More than once, because values may name others, and `$f`.
        text = text.strip("\n") + "\n"
        for _ in range(2):
            text = string.Template(text).safe_substitute(values)
        text = string.Template(text).substitute(values, f=self.number)
        return self.program.with_values(text)


class Program:
    """The parts of one seed."""

    def __init__(self, rng):
        self.rng = rng
        self.inputs = rng.random() < 0.3
        self.tops, self.calls = [], []
        self.late = None
        self.values = 0
        # Of a program whose outcome depends on the order of evaluation: the two possible values of v0.
        self.outcomes = None

    def add(self, chosen):
        chosen.write(Part(self, len(self.calls)))

    def with_values(self, text):
        """Replaces OUT and MIX by assignments of the next values."""
        for word in ("OUT", "MIX"):
            while f"{word}(" in text:
                v = f"v{self.values}"
                self.values += 1
                start = f"{v} = (" if word == "OUT" else f"{v} = ({v} * 31 & 0xffffff) + ("
                text = text.replace(f"{word}(", start, 1)
        return text

    def native(self):
        """Prints the values."""
        prints = "\n".join(f'    printf("%lld\\n", v{i});' for i in range(self.values))
        return self._text(FIXED_NATIVE, prints)

    def judged(self, condition):
        """Reaches the error if the condition on the values holds at the end."""
        declaration = "extern void reach_error(void);\n"
        fixed = FIXED_INPUT if self.inputs else FIXED_NATIVE
        return self._text(declaration + fixed, f"    if ({condition}) reach_error();")

    def _text(self, start, outcome):
        names = ", ".join(f"v{i}" for i in range(self.values))
        body = "\n".join("    " + call for call in self.calls)
        end = "" if self.late else "    outcome();\n"
        late = f"    {self.late}\n" if self.late else ""
        return (
            f"{HEADERS}\n{start}static long long {names};\n"
            f"static void outcome(void) {{\n{outcome}\n}}\n\n"
            + "\n".join(self.tops)
            + f"\nint main(void) {{\n{late}{body}\n{end}    return 0;\n}}\n"
        )
