"""Verification tasks below a folder: SV-COMP task files, one folder per family."""

import fnmatch
import os
import pathlib
import re
import subprocess
import sys

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent

# Old task files (format 1.0) name no data model. These families are for 64 bits, all others for 32.
LP64_FAMILIES = ["ldv-linux-*", "ldv-validator-*", "ldv-commit-tester", "busybox-*",
                 "signedintegeroverflow-regression", "termination-crafted"]


class Task:
    """A task file, read as far as the scripts here need it."""

    def __init__(self, path):
        text = path.read_text()
        self.path = path
        self.family = path.parent.name
        listed = re.search(r"^input_files:(.*(?:\n[ \t]+.*|\n-[ \t].*)*)", text, re.M).group(1)
        names = re.findall(r"'([^']+)'|\"([^\"]+)\"|([^\s,\[\]'\"-][^\s,\[\]'\"]*)", listed)
        self.files = [path.parent / "".join(name) for name in names]
        self.language = self._option(text, "language") or "C"
        family_model = "LP64" if matches(self.family, LP64_FAMILIES) else "ILP32"
        self.model = self._option(text, "data_model") or family_model
        # By the name of the property, "true", "false" or None.
        self.expected = {name: verdict or None for name, verdict in re.findall(
            r"property_file:[ \t]*\S*?([\w-]+)\.prp\S*(?:\n[ \t]+expected_verdict:[ \t]*(\w+))?", text)}

    @staticmethod
    def _option(text, key):
        found = re.search(rf"^[ \t]+{key}:[ \t]*'?\"?(\w+)", text, re.M)
        return found and found.group(1)


def matches(name, patterns):
    return any(fnmatch.fnmatch(name, pattern) for pattern in patterns)


def find(root):
    """All tasks in C below a folder, in a fixed order."""
    root = pathlib.Path(root)
    tasks = [Task(path) for path in sorted(root.rglob("*.yml"))]
    tasks = [task for task in tasks if task.language == "C"]
    if not tasks:
        sys.exit(f"no task files below {root}")
    return tasks


def build():
    """Builds the release binary and gives its path."""
    subprocess.run(["cargo", "build", "--release", "--quiet"], cwd=REPOSITORY, check=True)
    target = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", "target"))
    return str(REPOSITORY / target / "release" / "robusto")
