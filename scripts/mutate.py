#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plants small faults in a copy of the sources and counts how many of them the quick tests notice.

    scripts/mutate.py [--count 100] [--seed 1] [--under src/io] [--part 1/1] [--labels '^unit$'] [--jobs 2] [--list]

Faults are drawn at random over the lines of src/ (without bench/, report and pictures, and without the GPU backend). All are
compiled at once, each behind a switch that the environment sets (SLUICE_FAULT=17), in build/mutants: one build serves a
hundred faults, and the sources stay as they are. Elements beyond the end of an array stop a test, as they do in the sanitized build
that the same tests pass through. A first run of the tests without a fault tells which suites of tests come to
the place of which fault; only those are run with it, the shortest first, until one fails twice. What has no switch (a size of an
array, an argument of a template, what does not compile) is drawn again. At the end stand the faults that nothing noticed, as diffs,
and those that no test came to are marked.

Left alone, and so never drawn, is what no test could notice, by classes:
  texts of messages, and what stands in calls that only make them;
  what changes speed alone: memory reserved ahead of use, prefetches, assertions;
  faults that mean the same as the code: `return false`, `return 0` or `return nullptr` for `return {}`;
  what the tested build does not compile: code for CUDA, and for builds with assertions.
Left out once no test has noticed it is what provably changes nothing ("trivial compiler equivalence", Papadakis et al., ICSE 2015):
each file that is compiled and includes the fault's gives, optimised, the same object file with the fault and without it, to the
last byte. So it is where the optimiser finds out that a first value is always overwritten, or that a condition always holds.
Another fault takes its place; 12 % more than asked for are drawn and compiled for that. A fault that the compiler does not
accept as a constant, or whose files it does not get through in ten minutes, stays unnoticed.
Nothing else is left out: a comparison at equality of computed numbers, or a weight of work, does count as unnoticed.

Who has looked at a draw and written tests for it needs faults that nobody has seen. --count 200 --part 1/2 tries the first hundred of
two hundred, --part 2/2 the other hundred later, in the same build with the tests as they are then.

Needs tree-sitter and tree-sitter-cpp from PyPI; where Python lacks them they are installed in build/python."""
import argparse
import concurrent.futures
import hashlib
import json
import math
import os
import pathlib
import random
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
COPY = ROOT / "build" / "mutants"  # a copy of the tracked files, built in its own build/release
BUILD = COPY / "build" / "release"
SWITCHES = COPY / "build" / "fault_switch.h"  # included before everything else
PLANTED = COPY / "build" / "fault_planted.h"  # in its place where a fault is planted for good
LEFT_OUT = re.compile(r"^src/bench/|^src/io/(report|picture|colour_map)|\.cuh?$|^src/cuda/")
SKIPPED = re.compile(r"^\s*(//|/\*|\*|#|template|using|static_assert|namespace|friend|throw|enum)|operator|\bfmt::|\bsay\(|"
                     r"\.reserve\(|\bprefetch|\bassert\(")  # what stands in messages, and what changes speed alone
NUMBER = r"(?<![\w.\"])(\d+\.?\d*(?:e-?\d+)?)(?![\w.\"])"
# what is looked for in a line of code, and what takes its place
FAULTS = [
    (r" < ", " <= "), (r" <= ", " < "), (r" > ", " >= "), (r" >= ", " > "), (r" < ", " > "), (r" == ", " != "), (r" != ", " == "),
    (r" \+ ", " - "), (r" - ", " + "), (r" \* ", " / "), (r" / ", " * "), (r" \+= ", " -= "), (r" -= ", " += "),
    (r" && ", " || "), (r" \|\| ", " && "), (r"\btrue\b", "false"), (r"\bfalse\b", "true"), (r"\bmin\(", "max("),
    (r"\bmax\(", "min("), (r"\bif \((.*)\)", r"if (!(\1))"), (r"\breturn (?!(?:false|0|nullptr);)([\w.]+);", r"return {};"), (r"!(?=[\w(])", ""),
    (NUMBER, lambda m: str(float(m.group()) * 2 + 1) if "." in m.group() or "e" in m.group() else str(int(m.group()) + 1)),
    (r"^(\s+)[a-z_][\w.:>()\[\]-]*(\(.*\)| [-+*]?= .*);$", r"\1;"),
]
# where only a constant may stand
CONSTANT_ONLY = {"template_argument_list", "array_declarator", "bitfield_clause", "static_assert_declaration", "enumerator",
                 "template_parameter_list", "attribute_declaration", "requires_clause", "noexcept", "optional_parameter_declaration"}
NOT_COMPILED = {"SLUICE_HAVE_CUDA", "__CUDACC__", "__CUDA_ARCH__"}  # macros that the tested build has not
COMPILED = {"NDEBUG"}  # and has
SWITCH = """#pragma once
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>
namespace sluice_faults {
inline const int planted = std::getenv("SLUICE_FAULT") ? std::atoi(std::getenv("SLUICE_FAULT")) : -1;
inline const char* const log = std::getenv("SLUICE_FAULTS_REACHED");
inline bool reached[%d];
[[gnu::noinline, gnu::unused]] static void note(int number) {
  reached[number] = true;
  if (!log) return;
  char line[16];
  const int size = std::snprintf(line, sizeof line, "%%d\\n", number);
  const int file = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (file < 0) return;
  if (write(file, line, size) != size) std::abort();
  close(file);
}
/// In the first value of a constant, which the compiler must not work out.
[[gnu::always_inline, gnu::unused]] static inline bool fault_of_constant(int number) {
  if (!reached[number]) note(number);
  return planted == number;
}
[[gnu::always_inline, gnu::unused]] static inline constexpr bool fault(int number) {
  if (__builtin_is_constant_evaluated()) return false;
  return fault_of_constant(number);
}
}  // namespace sluice_faults
"""
# for the optimiser, which sees through it
PLANT = """#pragma once
namespace sluice_faults {
[[gnu::always_inline, gnu::unused]] static inline constexpr bool fault_of_constant(int number) { return number == SLUICE_PLANTED; }
[[gnu::always_inline, gnu::unused]] static inline constexpr bool fault(int number) { return number == SLUICE_PLANTED; }
}  // namespace sluice_faults
"""
SPARE = 0.12  # faults drawn in place of those that change nothing, for each one asked for
COMPARE_SECONDS = 600  # for which the object code of a fault is looked at


class Fault:
    """A fault of one line: `what` shows it, and the bytes [begin, end) of the file become `text` with a switch in it."""

    def __init__(self, file, line, span, pattern, replacement):
        self.file, self.line, self.span, self.pattern, self.replacement = file, line, span, pattern, replacement
        self.number = self.key = self.constexpr = self.begin = self.end = self.text = self.what = None
        self.planted_in = line  # where what it changes begins: the whole of that stands in this line then

    def new_line(self, old):
        begin, end = self.span
        part = re.match(self.pattern, old[begin:end]) or re.search(self.pattern, old)
        return old[:begin] + (self.replacement(part) if callable(self.replacement) else part.expand(self.replacement)) + old[end:]



def code_of(line):
    """The line without what stands in quotes or behind //."""
    return re.sub(r'"(\\.|[^"\\])*"', lambda m: '"' + "_" * (len(m.group()) - 2) + '"', line).split("//")[0]


def candidates(under):
    files = subprocess.check_output(["git", "ls-files", "src"], cwd=ROOT, text=True).split()
    found = []
    for file in files:
        if not file.endswith((".h", ".cpp", ".inl")) or LEFT_OUT.search(file) or not file.startswith(under): continue
        for number, line in enumerate((ROOT / file).read_text().splitlines()):
            code = code_of(line)
            if SKIPPED.search(code): continue
            for pattern, replacement in FAULTS:
                for match in re.finditer(pattern, code):
                    found.append(Fault(file, number, match.span(), pattern, replacement))
    return found


def syntax_parser():
    try:
        import tree_sitter
        import tree_sitter_cpp
    except ImportError:
        python = ROOT / "build" / "python" / "bin" / "python"
        if pathlib.Path(sys.prefix) == python.parent.parent: raise
        if not python.exists(): subprocess.run([sys.executable, "-m", "venv", str(python.parent.parent)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", "tree-sitter", "tree-sitter-cpp"], check=True)
        os.execv(python, [str(python), *sys.argv])
    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_cpp.language()))


class Source:
    """A file and its syntax tree; finds the expression or statement that a fault changes."""

    def __init__(self, parser, file):
        self.bytes = (ROOT / file).read_bytes()
        hidden = re.sub(rb"\bSLUICE_(HD|INLINE)\b", lambda m: b" " * len(m.group()), self.bytes)
        self.tree = parser.parse(hidden)
        self.starts = [0]
        for line in self.bytes.splitlines(keepends=True): self.starts.append(self.starts[-1] + len(line))

    def text(self, node):
        return self.bytes[node.start_byte:node.end_byte].decode()

    def not_compiled(self, line):
        """Whether the line stands in a branch of #if, #ifdef or #ifndef that the tested build leaves out."""
        branches = []  # for each #if around the line: the macro's name if it is one of those known, and whether it must be defined
        for directive in self.bytes.decode().splitlines()[:line]:
            words = directive.split("//")[0].split()
            if not words or not words[0].startswith("#"): continue
            if words[0] in ("#if", "#ifdef", "#ifndef"): branches.append((words[-1], words[0] != "#ifndef"))
            elif words[0] == "#else": branches[-1] = (branches[-1][0], not branches[-1][1])
            elif words[0] == "#elif": branches[-1] = (None, True)
            elif words[0] == "#endif": branches.pop()
        return any(macro in NOT_COMPILED and wanted or macro in COMPILED and not wanted for macro, wanted in branches)

    def set_switch(self, fault):
        """Fills in where the fault's switch goes; false where there can be none."""
        line = self.bytes[self.starts[fault.line]:self.starts[fault.line + 1]].decode()
        fault.what = f"{fault.file}:{fault.line + 1}\n    - {line.strip()}\n    + {fault.new_line(line).strip()}"
        if self.not_compiled(fault.line): return False
        offset = lambda column: self.starts[fault.line] + len(line[:column].encode())
        begin, end = offset(fault.span[0]), offset(fault.span[1])
        word = self.bytes[begin:end].decode()
        begin += len(word.encode()) - len(word.lstrip().encode())
        token = self.tree.root_node.descendant_for_byte_range(begin, begin + 1)
        ask = "::sluice_faults::fault(@)"
        node = token

        def up(*kinds):
            nonlocal node
            while node and node.type not in kinds: node = node.parent
            return node

        def to(text):
            if self.is_of_constant(node): text = text.replace(ask, ask.replace("fault(", "fault_of_constant("))
            fault.begin, fault.end, fault.text = node.start_byte, node.end_byte, text
            fault.planted_in = node.start_point[0]
            return self.may_stand(fault, node)

        if fault.pattern == NUMBER or word in ("true", "false"):
            sign = self.text(node)[:-len(word)]  # the grammar takes a minus for part of the number
            if node.type not in ("number_literal", "true", "false") or sign not in ("", "-") or self.text(node) != sign + word: return False
            if node.parent.type == "pure_virtual_clause" or line[fault.span[1]:].strip() == ";" and re.search(r"\)( const)?( noexcept)? = $", line[:fault.span[0]]):
                return False
            changed = fault.new_line(line)[fault.span[0]:].split(line[fault.span[1]:])[0] if word not in ("true", "false") else fault.replacement
            return to(f"({ask} ? {sign}{changed} : {self.text(node)})")
        if word.startswith("if "):
            node = up("if_statement")
            node = node and node.child_by_field_name("condition")
            value = node and node.child_by_field_name("value")
            if not value or node.child_by_field_name("initializer") or value.type == "declaration" or node.start_byte < begin: return False
            node = value
            if node.end_byte <= end:  # the whole of it is on this line
                condition = self.text(node)
                fault.what = fault.what.split("\n    +")[0] + f"\n    + {line.strip().replace(condition, f'!({condition})', 1)}"
            return to(f"({ask} ? !({self.text(node)}) : bool({self.text(node)}))")
        if word.startswith("return"):
            if not up("return_statement"): return False
            statement = node
            if not up("function_definition", "lambda_expression"): return False
            if node.type == "lambda_expression" and "->" not in self.text(node).split("{")[0]: return False
            node = statement
            return to(f"{{ if ({ask}) return {{}}; {self.text(node)} }}")
        if word == "!":
            if not up("unary_expression"): return False
            return to(f"({ask} ? bool({self.text(node.child_by_field_name('argument'))}) : {self.text(node)})")
        if word in ("min(", "max("):
            if not up("call_expression"): return False
            name = node.child_by_field_name("function")
            if name.end_byte != begin + 3: return False
            other = fault.replacement[:3]
            return to(f"({ask} ? {self.text(name)[:-3]}{other}{self.text(node.child_by_field_name('arguments'))} : {self.text(node)})")
        if word.endswith(";"):
            if not up("expression_statement") or node.start_byte != begin or node.end_byte != end: return False
            return to(f"{{ if (!{ask}) {self.text(node)} }}")
        if not up("binary_expression", "assignment_expression"): return False
        sign = node.child_by_field_name("operator")
        if not sign or sign.start_byte != begin: return False
        old = self.text(node)
        at = len(self.bytes[node.start_byte:begin].decode())
        return to(f"({ask} ? ({old[:at]}{fault.replacement.strip()}{old[at + len(word.strip()):]}) : ({old}))")

    def is_of_constant(self, node):
        """Whether the compiler would work out what stands here without asking the switch: the first value of a constant, or of a
        variable that lives as long as the program, be it in a lambda that is called there."""
        while node and node.type not in ("function_definition", "field_declaration"):
            if node.type == "declaration":
                words = {self.text(part) for part in node.children if part.type in ("type_qualifier", "storage_class_specifier")}
                outside = node.parent is None or node.parent.type in ("translation_unit", "declaration_list")
                if outside or words & {"const", "constexpr", "constinit", "static"}: return True
            node = node.parent
        return False

    def may_stand(self, fault, node):
        """Whether something that is no constant may stand in place of the node. A constexpr variable becomes a const one."""
        fault.constexpr = None
        if "\n" in fault.text and "//" in fault.text: return False
        fault.text = fault.text.replace("\n", " ") + "\n" * self.text(node).count("\n")  # lines keep their numbers
        above = node.parent
        while above:
            if above.type in CONSTANT_ONLY: return False
            if above.type == "if_statement" and any(part.type == "constexpr" for part in above.children):
                condition = above.child_by_field_name("condition")
                if condition.start_byte <= node.start_byte < condition.end_byte: return False
            if above.type == "case_statement" and above.child_by_field_name("value") in (node, node.parent): return False
            if above.type in ("declaration", "field_declaration"):
                for part in above.children:
                    if part.type == "type_qualifier" and self.text(part) == "constexpr": fault.constexpr = (part.start_byte, part.end_byte)
                if fault.constexpr and above.type == "field_declaration": return False
            above = above.parent
        return True


def draw(options, count, refused):
    """The faults of this seed in the order drawn, how many there could be, and how many were left out for want of a place for a switch."""
    found = candidates(options.under)
    random.Random(options.seed).shuffle(found)
    for number, fault in enumerate(found): fault.number = number  # which it keeps when others are refused, or all were compiled anew
    parser, sources, taken, drawn = syntax_parser(), {}, {}, []
    without_switch = 0
    for fault in found:
        if len(drawn) == count: break
        key = f"{fault.file}:{fault.line}:{fault.span[0]}:{fault.pattern}"
        if key in refused: continue
        if fault.file not in sources: sources[fault.file] = Source(parser, fault.file)
        if not sources[fault.file].set_switch(fault):
            without_switch += 1
            continue
        spans = taken.setdefault(fault.file, [])
        if any(fault.begin < end and begin < fault.end for begin, end in spans): continue
        spans.append((fault.begin, fault.end))
        fault.key = key
        drawn.append(fault)
    return drawn, len(found), without_switch


def write_if_new(path, content):
    if path.exists() and path.read_bytes() == content: return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def write_copy(faults, numbers):
    """The tracked files as they are in the working tree, with the switches in them."""
    tracked = subprocess.check_output(["git", "ls-files"], cwd=ROOT, text=True).split("\n")
    for file in filter(None, tracked):
        path = ROOT / file
        if not path.is_file(): continue
        content = path.read_bytes()
        edits = {}
        for fault in faults:
            if fault.file != file: continue
            edits[fault.begin, fault.end] = fault.text.replace("@", str(fault.number), 1).replace("@", str(fault.number)).encode()
            if fault.constexpr: edits[fault.constexpr] = b"const"
        for (begin, end), text in sorted(edits.items(), reverse=True): content = content[:begin] + text + content[end:]
        write_if_new(COPY / file, content)
        shutil.copymode(path, COPY / file)
    write_if_new(SWITCHES, (SWITCH % (numbers // 10000 * 10000 + 10000)).encode())
    write_if_new(PLANTED, PLANT.encode())


def build(options):
    """Builds the tests; returns what failed to compile, as text."""
    if not (BUILD / "CMakeCache.txt").exists():
        # elements that are not there are noticed, as by the sanitized build of scripts/sanitize.sh
        checks = "-D_GLIBCXX_ASSERTIONS -fsanitize=bounds -fsanitize-undefined-trap-on-error"
        flags = f"-w {checks} -include {SWITCHES}"
        subprocess.run(["cmake", "--preset", "release", "-DSLUICE_CUDA=OFF", f"-DCMAKE_CXX_FLAGS={flags}",
                        "-DCMAKE_CXX_FLAGS_RELEASE=-O1 -finline-functions -DNDEBUG"], cwd=COPY, check=True, stdout=subprocess.DEVNULL)
    targets = ["tests_unit"] + (["sluice"] if options.labels != "^unit$" else [])
    done = subprocess.run(["cmake", "--build", str(BUILD), "--parallel", str(options.jobs), "--target", *targets, "--", "-k", "0"],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.stdout if done.returncode else ""


def refused_by_compiler(output, faults):
    """The faults in whose lines the compiler found errors; where it names none of them, those whose lines it mentions."""
    for kind in ("error", r"(?:error|note|required from|in)"):
        lines = set()
        for match in re.finditer(rf"(src/[\w/.]+):(\d+):(?:\d+:)?\s+{kind}", output): lines.add((match.group(1), int(match.group(2)) - 1))
        bad = [fault for fault in faults if {(fault.file, fault.line), (fault.file, fault.planted_in)} & lines]
        if bad: return bad
    return []


class Tests:
    """Some tests that are run together: a suite of GoogleTest, or what else ctest knows."""

    def __init__(self, name, entry):
        properties = {p["name"]: p["value"] for p in entry.get("properties", [])}
        self.name, self.command, self.labels = name, entry["command"], properties.get("LABELS", [])
        self.environment = dict(pair.split("=", 1) for pair in properties.get("ENVIRONMENT", []))
        self.directory = properties.get("WORKING_DIRECTORY", str(BUILD))
        self.seconds, self.reached = 0.0, set()

    def passes(self, limit, **environment):
        with tempfile.TemporaryDirectory(prefix="mutants-") as scratch:
            try:
                return subprocess.run(self.command, cwd=self.directory, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=limit,
                                      env={**os.environ, **self.environment, "TMPDIR": scratch, **environment}).returncode == 0
            except subprocess.TimeoutExpired:
                return False

    def look(self):
        """Runs them without a fault, and finds out how long it takes and which places of faults it comes to."""
        with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
            log = pathlib.Path(folder) / "reached"
            began = time.time()
            passed = self.passes(1200, SLUICE_FAULTS_REACHED=str(log))
            if not passed: passed = self.leave_out_failing(pathlib.Path(folder) / "result.json")
            self.seconds = time.time() - began
            if log.exists(): self.reached = {int(line) for line in log.read_text().split()}
        return passed

    def leave_out_failing(self, result):
        """Of a suite of GoogleTest goes on without the tests that fail without a fault, and says which."""
        if "--gtest_fail_fast" not in self.command: return False
        whole = self.command
        self.command = [word for word in whole if word != "--gtest_fail_fast"] + [f"--gtest_output=json:{result}"]
        self.passes(1200)
        self.command = whole
        if not result.exists(): return False
        failing = [f"{suite['name']}.{test['name']}" for suite in json.loads(result.read_text())["testsuites"]
                   for test in suite["testsuite"] if test.get("failures")]
        if not failing: return False
        print(f"fail without a fault, are left out: {', '.join(failing)}", flush=True)
        self.command = [word + (f"-{':'.join(failing)}" if word.startswith("--gtest_filter=") else "") for word in whole]
        return self.passes(1200)


def find_tests(options):
    listed = json.loads(subprocess.check_output(["ctest", "--test-dir", str(BUILD), "--show-only=json-v1"], text=True))
    found = {}
    for entry in listed["tests"]:
        if "command" not in entry: continue
        program, *arguments = entry["command"]
        name = entry["name"]
        if arguments and arguments[0].startswith("--gtest_filter="):
            suite = arguments[0].split("=")[1].split(".")[0]
            name = f"{pathlib.Path(program).name} {suite}"
            entry["command"] = [program, f"--gtest_filter={suite}.*", "--gtest_fail_fast", "--gtest_brief=1"]
        found.setdefault(name, Tests(name, entry))
    return [tests for tests in found.values() if any(re.search(options.labels, label) for label in tests.labels)]


def notices(test, fault):
    """Whether tests fail with the fault, twice, so that those that fail for other reasons do not count."""
    limit = 8 * test.seconds + 30
    return not test.passes(limit, SLUICE_FAULT=str(fault.number)) and not test.passes(limit, SLUICE_FAULT=str(fault.number))


def try_fault(fault, tests):
    for test in sorted((t for t in tests if fault.number in t.reached), key=lambda t: t.seconds):
        if notices(test, fault): return test
    return None


class ObjectCode:
    """Compiles what includes a fault's file with the fault and without it, and compares."""

    def __init__(self):
        self.commands, self.includes, self.without, self.lock = {}, {}, {}, threading.Lock()
        for entry in json.loads(subprocess.check_output(["ninja", "-C", str(BUILD), "-t", "compdb"], text=True)):
            if " -c " not in entry["command"]: continue
            unit = pathlib.Path(entry["directory"], entry["file"])
            # of files that are compiled together each is looked at by itself
            parts = re.findall(r'#include "(.*)"', unit.read_text()) if unit.parent.name == "Unity" else [str(unit)]
            for part in parts: self.commands.setdefault(pathlib.Path(part), []).append(entry)
        self.files = {}  # by their last part
        for file in subprocess.check_output(["git", "ls-files", "src", "tests"], cwd=ROOT, text=True).splitlines():
            self.files.setdefault(pathlib.Path(file).name, []).append(COPY / file)

    def included_by(self, file):
        """Every file that an #include of this one may mean: whatever ends with the name that stands there."""
        if file not in self.includes:
            names = re.findall(r'^\s*#\s*include\s+["<]([^">]+)[">]', file.read_text(), re.MULTILINE)
            self.includes[file] = [path for name in names for path in self.files.get(pathlib.Path(name).name, [])
                                   if path.as_posix().endswith("/" + re.sub(r"^(\.\.?/)+", "", name))]
        return self.includes[file]

    def units_with(self, file):
        """What is compiled and includes the file, the likeliest to make use of it first."""
        found = []
        for unit in self.commands:
            depth, seen, last = 0, {unit}, [unit]
            while last and file not in last:
                last = [path for path in {path for above in last for path in self.included_by(above)} if path not in seen]
                seen.update(last)
                depth += 1
            if last: found.append((unit.stem != file.stem, unit.parent != file.parent, depth, unit.stat().st_size, unit))
        return [unit for *_, unit in sorted(found)]

    def compiled(self, unit, planted, seconds):
        """What the object files of a unit hold, one for each time that it is compiled in the build; None if that fails."""
        objects = []
        for entry in self.commands[unit]:
            words = shlex.split(entry["command"])
            for option in ("-MT", "-MF", "-o", "-c"):
                if option in words: del words[words.index(option):words.index(option) + 2]
            other = {str(SWITCHES): str(PLANTED), "-O1": "-O2"}
            words = [other.get(word, word) for word in words if word != "-MD"]
            with tempfile.TemporaryDirectory(prefix="mutants-") as scratch:
                path = pathlib.Path(scratch) / "unit.o"
                try:
                    done = subprocess.run([*words, f"-DSLUICE_PLANTED={planted}", "-o", str(path), "-c", str(unit)], cwd=entry["directory"],
                                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=max(seconds, 0.1))
                except subprocess.TimeoutExpired:
                    return None
                if done.returncode != 0: return None
                objects.append(hashlib.sha256(path.read_bytes()).digest())
        return objects

    def is_the_same(self, fault):
        """Whether the fault changes no object file at all. Where that is not known, for want of time too, it does."""
        end = time.time() + COMPARE_SECONDS
        units = self.units_with(COPY / fault.file)
        for unit in units:
            with self.lock: without = self.without.get(unit)
            if without is None: without = self.compiled(unit, -1, end - time.time())
            if without is None: return False
            with self.lock: self.without[unit] = without
            if self.compiled(unit, fault.number, end - time.time()) != without: return False
        return bool(units)


def interval(hits, trials):
    """Wilson's interval of 95 % for a rate."""
    z, rate = 1.96, hits / trials
    middle, half = rate + z * z / (2 * trials), z * math.sqrt(rate * (1 - rate) / trials + z * z / (4 * trials * trials))
    return (middle - half) / (1 + z * z / trials), (middle + half) / (1 + z * z / trials)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--under", default="src/", help="draw from files whose path begins so")
    parser.add_argument("--part", default="1/1", help="2/3: of the faults drawn, and all compiled, the second third is tried")
    parser.add_argument("--labels", default="^unit$", help="tests of ctest whose labels match, e.g. '^(unit|cases)$'")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--list", action="store_true", help="print the faults that would be planted, and end")
    options = parser.parse_args()
    refusals = COPY / "build" / "refused.json"  # what does not compile, so that nobody compiles it twice
    refused = set(json.loads(refusals.read_text())) if refusals.exists() else set()
    drawn = options.count if options.list else options.count + math.ceil(SPARE * options.count)
    while True:
        faults, numbers, without_switch = draw(options, drawn, refused)
        if options.list:
            for fault in faults: print(fault.what)
            return
        write_copy(faults, numbers)
        output = build(options)
        if not output: break
        bad = refused_by_compiler(output, faults)
        if not bad: sys.exit(f"the copy with switches does not compile:\n{output[-20000:]}")
        for fault in bad: print(f"does not compile: {fault.what}", flush=True)
        refused |= {fault.key for fault in bad}
        refusals.write_text(json.dumps(sorted(refused)))
    part, parts = map(int, options.part.split("/"))
    share = lambda some: some[(part - 1) * len(some) // parts:part * len(some) // parts]
    faults, spare = share(faults[:options.count]), share(faults[options.count:])
    tests = find_tests(options)
    began = time.time()
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool: passed = list(pool.map(Tests.look, tests))
    for test, good in zip(tests, passed):
        if not good: print(f"fails without a fault, is left out: {test.name}", flush=True)
    tests = [test for test, good in zip(tests, passed) if good]
    print(f"{len(tests)} suites of tests in {time.time() - began:.0f} s; {without_switch} faults drawn that have no switch", flush=True)
    code, noticed, unnoticed, equal = ObjectCode(), 0, [], 0

    def judge(fault):
        """The tests that notice the fault, and whether it changes nothing at all."""
        test = try_fault(fault, tests)
        return test, not test and code.is_the_same(fault)

    waiting = faults
    while waiting:
        replaced = 0
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for fault, (test, same) in zip(waiting, pool.map(judge, waiting)):
                noticed += bool(test)
                replaced += same
                if test: print(f"noticed by {test.name}: {fault.what}", flush=True)
                elif same: print(f"changes nothing (same object code): {fault.what}", flush=True)
                else: unnoticed.append(fault)
        equal += replaced
        waiting, spare = spare[:replaced], spare[replaced:]
        if len(waiting) < replaced: print(f"{replaced - len(waiting)} that change nothing have no other in their place: none are left of those compiled")
    for fault in unnoticed:
        there = sum(fault.number in test.reached for test in tests)
        print(f"NOT NOTICED ({f'{there} suites come there' if there else 'no test comes there'}): {fault.what}", flush=True)
    tried = noticed + len(unnoticed)
    if not tried: sys.exit("all of these change nothing")
    low, high = interval(noticed, tried)
    print(f"{noticed} of {tried} noticed, without {equal} that change nothing (seed {options.seed}, part {options.part} of {options.count}); "
          f"95 % interval of the rate {low:.0%} to {high:.0%}")


if __name__ == "__main__":
    main()
