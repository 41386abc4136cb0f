# SPDX-License-Identifier: MIT
"""What the .debug_frame of an ARM or RISC-V program cannot say, told from the table itself and the code beside it.

A table that is made without asking for asynchronous ones (clang 14 knows no other for them) holds at calls, not at every
instruction: it has no row between the parts of a prologue and none for an epilogue. And what a function that does not return
never saves, it cannot find: an unwinder that believes it repeats the frame without end.
"""

import bisect
import re
import subprocess

FDE = re.compile(r"^[0-9a-f]+ [0-9a-f]+ [0-9a-f]+ FDE .*pc=([0-9a-f]+)\.\.([0-9a-f]+)")
CIE = re.compile(r"^[0-9a-f]+ [0-9a-f]+ [0-9a-f]+ CIE")
ROW = re.compile(r"^([0-9a-f]+) (\w+[+-]\d+)\s*(.*)$")
INSTRUCTION = re.compile(r"^\s*([0-9a-f]+):\s+(\S+)\s*([^@;/]*)")
NAMES = {"r13": "sp", "r11": "fp"}  # the disassembler's name of a register of the table
GOES_AWAY = re.compile(r"(b|b\.n|b\.w|bx|br|br[ab]\w*|ret\w*|udf|j|jr|ebreak)$")
WRITES_NOTHING = re.compile(r"(st|cmp|cmn|tst|teq|cb|tb|vst|b|f?s[bhwd]$)")
NOT_SAVED = ("", "u", "s")


def _changes(name, operands, register):
    """Whether an instruction changes a register for the one behind it; a return that was not taken has not."""
    if re.match(r"(pop|ldm).*\bpc}", name + operands):
        return False
    if re.search(r"\b%s!|\[%s[^\]]*\]!|\[%s\], *\S" % ((register,) * 3), operands):
        return True
    if re.match(r"v?(push|pop)", name) and register == "sp":
        return True
    if re.match(r"(pop|ldm)", name):
        return re.search(r"{.*\b%s\b.*}" % register, operands) is not None
    if WRITES_NOTHING.match(name) and not re.match(r"bic", name):
        return False
    written = [operand.strip() for operand in operands.split(",")]
    return register in written[:2 if re.match(r"(ldp|ldrd)", name) else 1]


def _goes_away(name, operands):
    """Whether the instruction behind this one is never the next."""
    if GOES_AWAY.match(name) or operands.startswith("pc,"):
        return True
    return re.match(r"(pop|pop\.w|ldm|ldmfd|ldmia|ldmia\.w)$", name) is not None and re.search(r"\bpc}", operands) is not None


class Table:
    """Of one file; all addresses are those in the file."""

    def __init__(self, path, objdump):
        self.rows = []  # (address, CFA, return address, end of the function), sorted
        self._read(path)
        self.rows.sort()
        self.starts = [row[0] for row in self.rows]
        self.blind = self._find_blind(path, objdump)

    def _read(self, path):
        out = subprocess.run(["readelf", "-W", "--debug-dump=frames-interp", path], stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL, text=True, check=True).stdout
        columns, span, first = [], None, "sp+0"
        for line in out[out.index("Contents of the .debug_frame"):].splitlines():
            match = FDE.match(line)
            if match or CIE.match(line):
                span = (int(match[1], 16), int(match[2], 16)) if match else None
                if span:  # without instructions it has no row of its own but the CIE's
                    self.rows.append((span[0], first, "", span[1]))
                continue
            if "LOC" in line and "CFA" in line:
                columns = line.split()[2:]
            match = ROW.match(line)
            if match and span is None:
                first = match[2]
            elif match:
                rules = dict(zip(columns, match[3].split()))
                if int(match[1], 16) == self.rows[-1][0]:
                    self.rows.pop()
                self.rows.append((int(match[1], 16), match[2], rules.get("ra", ""), span[1]))

    def row(self, address):
        """(address, CFA, return address, end), or None."""
        index = bisect.bisect_right(self.starts, address) - 1
        return self.rows[index] if index >= 0 and address < self.rows[index][3] else None

    def loses(self, address):
        """Whether the return address is still in its register, by the table, after the call that ends before this address."""
        row = self.row(address - 1)
        return row is not None and row[2] in NOT_SAVED

    def _find_blind(self, path, objdump):
        """
        Where the table is wrong: the instruction before has changed the register that the CFA is computed from, and the
        rule is the same as before it. So on to the next rule, or to where nothing comes from above.
        """
        out = subprocess.run([objdump, "-d", "--no-show-raw-insn", path], stdout=subprocess.PIPE, text=True, check=True).stdout
        blind, stale, last = set(), False, None
        for match in filter(None, map(INSTRUCTION.match, out.splitlines())):
            address, name, operands = int(match[1], 16), match[2], match[3].strip()
            row = self.row(address)
            if row is None or last is None or row[1] != last[1] or row[3] != last[3]:
                stale = False
            if stale:
                blind.add(address)
            if row and not name.startswith("."):
                register = re.split(r"[+-]", row[1])[0]
                stale = stale or _changes(name, operands, NAMES.get(register, register))
                stale = stale and not _goes_away(name, operands)
            last = row
        return blind
