"""One seed of `scripts/border --kind memory` or `--kind uninit`: all executions of a program, and what robusto says of it.

The compiled program takes its inputs from choices; after each run the last choice that has an alternative is changed, until there is
none. What the runs tell are the truths: an answer that contradicts one is wrong.
"""

import functools
import os
import random
import re
import shutil
import subprocess

from . import memory, unset
from .processes import answer_of, execute, first_line, general, last_line

RUN_SECONDS = 20
CHECK_SECONDS = 10
# Programs with more executions than this are dropped.
MOST_RUNS = 100

MACHINE = {"lp64": [], "ilp32": ["-m32"]}
UNDEFINED = {"deref", "free", "uninit"}
ARITHMETIC = ["no-overflow", "bad-shift", "div-by-zero"]


class Kind:
    """What the programs of one kind are made of, and what they are compared with."""

    def __init__(self, features, compiler, options, models, modes):
        self.features, self.compiler, self.options, self.models, self.modes = features, compiler, options, models, modes


# A mode asks for some properties; with each stand the kinds of the runs that violate it.
ASSERTIONS = {"assert": {"assert"}, "unreach-call": {"assert"}}
MEMORY = {"valid-deref": {"deref"}, "valid-free": {"free"}}
KINDS = {
    "memory": Kind(
        memory.FEATURES,
        "gcc",
        ["-fsanitize=address,signed-integer-overflow,shift,integer-divide-by-zero"],
        ("lp64", "ilp32"),
        {"memory": {**ASSERTIONS, **MEMORY, **{name: {name} for name in ARITHMETIC}}, "assert": ASSERTIONS},
    ),
    "uninit": Kind(unset.FEATURES, "clang", ["-fsanitize=memory"], ("lp64",), {"uninit": {"uninit": {"uninit"}}}),
}


def generate(kind, seed, names):
    """A program of one or two of the named features, and the features it has."""
    rng = random.Random(seed)
    known = [KINDS[kind].features[name] for name in names]
    program = memory.Program(rng) if kind == "memory" else unset.Program(rng)
    ending = [one for one in known if one.ending]
    chosen = rng.choices(known, [one.weight for one in known], k=rng.choice((1, 1, 1, 2)))
    last = [one for one in chosen if one in ending][:1]
    chosen = [one for one in chosen if one not in ending] + last
    for one in chosen:
        program.add(one)
    return program, [program.model, program.assertion, *(one.name for one in chosen)]


class TracedCase:
    """One seed: its program, how its executions end, and what robusto answers."""

    def __init__(self, kind, seed, names, binary, folder, options):
        self.kind, self.name = KINDS[kind], kind
        self.program, self.features = generate(kind, seed, names)
        self.binary, self.folder, self.seed, self.options = binary, folder, seed, options
        # Builds from before allocations could fail have no option for it.
        self.malloc = has_option(binary, "--malloc")
        self.findings = []

    def judge(self):
        ends = self.ends_of_executions()
        if ends is None:
            return
        answers = [self.check(mode, asked, ends) for mode, asked in self.kind.modes.items()]
        decided = all(answer in ("true", "false", "undefined") for answer in answers)
        self.findings.append(("decided" if decided else "undecided", ""))
        if not any(kind in ("wrong", "alarm") for kind, _ in self.findings):
            for file in self.folder.glob(f"{self.name}-{self.seed}[-.]*"):
                file.unlink()

    def ends_of_executions(self):
        """How executions end: kinds of violations, and `ok`."""
        source = self.file("-native", self.program.native())
        binary = source.with_suffix(".exe")
        command = [self.kind.compiler, "-std=gnu17", "-w", "-O0", "-fwrapv", *MACHINE[self.program.model], *self.kind.options, str(source), "-o", str(binary), "-lm"]
        status, _, errors = execute(command, 60)
        if status != 0:
            self.findings.append(("dropped", f"{self.kind.compiler}: {first_line(errors)}"))
            return None
        ends, choices, runs = set(), [], 0
        while choices is not None:
            runs += 1
            counts, found, problem = self.execution(binary, choices)
            if problem or runs > MOST_RUNS:
                self.findings.append(("dropped", problem or "more executions than are looked at"))
                binary.unlink()
                return None
            ends |= found
            choices = next_choices(choices, counts)
        binary.unlink()
        return ends

    def execution(self, binary, choices):
        """The numbers of alternatives on the way, what was violated, and what went wrong with the run itself."""
        environment = dict(
            os.environ,
            CHOICES=",".join(map(str, choices)),
            ASAN_OPTIONS="detect_leaks=0:allocator_may_return_null=1:detect_stack_use_after_return=1:exitcode=1:handle_sigfpe=0",
            MSAN_OPTIONS="exit_code=1",
        )
        if self.fails():
            environment["FAILS"] = "1"
        status, output, errors = execute([str(binary)], RUN_SECONDS, environment)
        lines = output.decode(errors="replace").splitlines()
        counts = [int(line.split()[1]) for line in lines if line.startswith("choice ")]
        found = {line.removeprefix("bad ") for line in lines if line.startswith("bad ")}
        text = errors.decode(errors="replace")
        if "signed integer overflow" in text or "cannot be represented in type" in text:
            found.add("no-overflow")
        if re.search(r"runtime error: (?:left )?shift", text) and "cannot be represented" not in text:
            found.add("bad-shift")
        if "division by zero" in text:
            return counts, found | {"div-by-zero"}, None
        report = re.search(r"ERROR: AddressSanitizer: (?:attempting )?(\S+)", text)
        if report:
            frees = ("double-free", "bad-free", "free", "alloc-dealloc-mismatch")
            return counts, found | {"free" if report.group(1) in frees or "not malloc()-ed" in text else "deref"}, None
        if "MemorySanitizer: use-of-uninitialized-value" in text:
            return counts, found | {"uninit"}, None
        if found & (UNDEFINED | {"assert"}):
            return counts, found, None
        if status != 0:
            drop = [line for line in lines if line.startswith("drop")]
            return counts, found, f"the program ends with {status}: {drop[0] if drop else last_line(errors)}"
        return counts, found | {"ok"}, None

    def fails(self):
        """Whether allocations fail in some executions."""
        return self.malloc and self.program.fails and "--malloc" not in self.options

    def check(self, mode, asked, ends):
        """The answer to one question, compared with how executions end."""
        source = self.file("", self.program.judged())
        model = ["--data-model", self.program.model]
        if self.malloc and "--malloc" not in self.options:
            model += ["--malloc", "may-fail" if self.program.fails else "never-fails"]
        properties = [word for name in asked for word in ("--property", name)]
        command = [str(self.binary), "check", *properties, *model, *self.options, "--timeout", f"{CHECK_SECONDS}s", str(source)]
        status, output, errors = execute(command, CHECK_SECONDS * 3)
        text = output.decode(errors="replace")
        answer = answer_of(output)
        if status == 2:
            self.findings.append(("rejected", first_line(errors)))
            return "rejected"
        if not answer or status not in (0, 5, 10):
            self.remark("wrong", mode, f"status {status}: {last_line(errors) or last_line(output)}", output + errors)
            return "none"
        verdict, detail = answer
        violated = set().union(*asked.values()) & ends
        kept = output + errors + f"executions end with: {', '.join(sorted(ends))}\n$ {' '.join(command)}\n".encode()
        if verdict == "true" and violated:
            if self.program.assumed and re.search(self.program.assumed, text):
                self.findings.append(("assumed", mode))
            else:
                self.remark("wrong", mode, f"true, and executions end with {', '.join(sorted(violated))}", kept)
        elif verdict == "true" and ends & UNDEFINED:
            # Nothing that was asked for is violated; what lies behind is not looked at.
            self.findings.append(("ends", "says so" if "undefined behaviour" in text or "vacuous" in text else "silent"))
        elif verdict == "false" and not violated:
            self.remark("wrong", mode, f"false({detail}), and executions end with {', '.join(sorted(ends))}", kept)
        elif verdict == "false" and not asked.get(detail, violated) & ends:
            self.findings.append(("other", f"{detail} instead of {', '.join(sorted(violated))}"))
        elif verdict == "unknown" and detail.startswith("undefined behaviour"):
            # An execution is shown with it.
            if not ends & UNDEFINED:
                self.remark("wrong", mode, f"{detail}, and executions end with {', '.join(sorted(ends))}", kept)
            elif not violated:
                self.findings.append(("told", general(detail)))
                return "undefined"
            else:
                self.findings.append(("unknown", "undefined behaviour on another path than the violation"))
        elif verdict == "unknown":
            self.findings.append(("unknown", detail))
        return verdict

    def remark(self, kind, mode, text, kept):
        self.findings.append((kind, f"{mode}: {text}"))
        (self.folder / f"{self.name}-{self.seed}-{mode}.txt").write_bytes(kept)

    def file(self, version, text):
        path = self.folder / f"{self.name}-{self.seed}{version}.c"
        path.write_text(f"// seed {self.seed}: {', '.join(self.features)}\n{text}")
        return path


def next_choices(choices, counts):
    """The choices of the next run; None after the last one."""
    choices = choices + [0] * (len(counts) - len(choices))
    while choices and choices[-1] + 1 >= counts[len(choices) - 1]:
        choices.pop()
    if not choices:
        return None
    return [*choices[:-1], choices[-1] + 1]


@functools.cache
def has_option(binary, option):
    return option.encode() in execute([str(binary), "check", "--help"], RUN_SECONDS)[1]


def missing(kind):
    """What cannot be run here, and why."""
    if not can_run(kind):
        return [f"{KINDS[kind].compiler} is not installed, which the programs are compared with"]
    if "ilp32" in KINDS[kind].models and not has_model("ilp32"):
        return ["gcc has no 32-bit libraries (Debian: gcc-multilib); programs for ILP32 are dropped"]
    return []


def can_run(kind):
    return shutil.which(KINDS[kind].compiler) is not None


def has_model(model):
    """Whether programs of the data model can be linked here."""
    command = ["gcc", *MACHINE[model], "-fsanitize=address", "-x", "c", "-", "-o", os.devnull]
    return subprocess.run(command, input=b"int main(void) { return 0; }", capture_output=True).returncode == 0
