"""Running programs for `scripts/border`, and what is worth showing of what they print."""

import re
import subprocess


def execute(command, seconds, environment=None):
    """Exit status, output and error output; the status is None when the time is up."""
    try:
        done = subprocess.run(command, capture_output=True, timeout=seconds, stdin=subprocess.DEVNULL, env=environment)
        return done.returncode, done.stdout, done.stderr
    except subprocess.TimeoutExpired as over:
        return None, over.stdout or b"", b"time is up"


def first_line(text):
    lines = [line for line in text.decode(errors="replace").splitlines() if "error" in line.lower()]
    return re.sub(r"^\S*/", "", lines[0]) if lines else text.decode(errors="replace")[:100]


def last_line(text):
    lines = text.decode(errors="replace").strip().splitlines()
    return re.sub(r"^\S*/", "", lines[-1]) if lines else ""


def answer_of(output):
    """What the last line of `robusto check` says: the answer, and the property or reason behind it."""
    result = re.search(r"RESULT: (\w+)(?:\((.*)\))?\s*\Z", output.decode(errors="replace"))
    return result.groups() if result else None


def general(reason):
    """A reason without what differs from program to program."""
    reason = re.sub(r"(?:at )?\S*\d(?:-\w+)?\.c:\d+(?::\d+)?:? ?|,? (?:at |in \w+, )?line \d+", "", reason or "")
    return re.sub(r"(?<=[a-z])\d+\b|\(/\S*\)", "", reason).strip() or "no reason"
