# SPDX-License-Identifier: Apache-2.0 OR MIT

import benchexec.result as result
import benchexec.tools.template


class Tool(benchexec.tools.template.BaseTool2):
    """
    Tool info for Robusto, a software model checker for C.
    """

    def executable(self, tool_locator):
        return tool_locator.find_executable("robusto")

    def name(self):
        return "Robusto"

    def version(self, executable):
        return self._version_from_tool(executable, line_prefix="robusto")

    def cmdline(self, executable, options, task, rlimits):
        command = [executable, "check", *options]
        if task.property_file:
            command += ["--property", task.property_file]
        if isinstance(task.options, dict) and task.options.get("language") == "C":
            model = task.options.get("data_model")
            if model:
                command += ["--data-model", model.lower()]
        # The tool ends by itself before it is ended, so that it says why it has no answer.
        if rlimits.walltime:
            command += ["--timeout", f"{rlimits.walltime}s"]
        if rlimits.cputime:
            command += ["--cpu-timeout", f"{rlimits.cputime}s"]
        if rlimits.memory:
            command += ["--memory", f"{rlimits.memory}B"]
        return command + list(task.input_files_or_identifier)

    def determine_result(self, run):
        for line in reversed(run.output):
            line = line.strip()
            if not line.startswith("RESULT: "):
                continue
            answer = line[len("RESULT: ") :]
            if answer == "true":
                return result.RESULT_TRUE_PROP
            if answer.startswith("false"):
                return self._false(answer)
            if answer.startswith("unknown"):
                return self._unknown(answer)
            break
        if run.was_timeout:
            return result.RESULT_TIMEOUT
        return result.RESULT_ERROR

    def _false(self, answer):
        # The sub-property, where the property has several.
        parts = {
            "valid-deref": result.RESULT_FALSE_DEREF,
            "valid-free": result.RESULT_FALSE_FREE,
            "valid-memtrack": result.RESULT_FALSE_MEMTRACK,
            "valid-memcleanup": result.RESULT_FALSE_MEMCLEANUP,
        }
        prop = answer[len("false(") : -1] if answer.startswith("false(") else ""
        return parts.get(prop, result.RESULT_FALSE_PROP)

    def _unknown(self, answer):
        reason = answer[len("unknown(") : -1] if answer.startswith("unknown(") else ""
        if reason == "timeout":
            return "TIMEOUT (tool)"
        if reason == "out of memory":
            return "OUT OF MEMORY (tool)"
        return result.RESULT_UNKNOWN

    def get_value_from_output(self, output, identifier):
        # `  solver calls            7`: two blanks, a name of 23 characters or more, a blank, the value.
        head = f"  {identifier:<23} "
        for line in output:
            if line.startswith(head):
                return line[len(head) :].strip()
        return None
