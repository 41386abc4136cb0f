# SPDX-License-Identifier: MIT
"""What the registers hold relative to the CFA at each instruction of a function, from its call frame
information and its disassembly by objdump, for comparing unwind rows that name different registers.

A row gives one register's value. The others follow from instructions that do sums with them (moves, add, sub, push,
pop, loads of what was stored), along all paths. Where a row stays while an instruction changes its register, call frame
information is wrong (compilers that write none for epilogues): such places are `suspect` until the next row that fits.

A state is a dictionary: {register: its value - CFA}, {(slot,): what is stored at CFA + slot, minus CFA}, "#register": a
constant, "ra:lr", "ra:-8": where the return address is, SUSPECT.
"""

import bisect
import re
import subprocess

SUSPECT = "suspect"
IN_LINK_REGISTER = "ra:lr"  # keys of a state, beside registers: where the return address is (too)
INSN = re.compile(r"^([0-9a-f]+):\t(\S+)\s*(.*)$")
SYMBOL = re.compile(r"<([^>+]+)>")
PLACE = re.compile(r"^\[(\w+)(?:, #(-?\d+))?\](!?)$")  # ARM: [base, #offset]!
NUMBER = re.compile(r"^#?(-?(?:0x[0-9a-f]+|\d+))$")
CONDITIONS = "eq|ne|cs|cc|hs|lo|mi|pl|vs|vc|hi|ls|ge|lt|gt|le"


class Insn:
    """One instruction: `name` without its condition and width, operands, and where control goes from it."""

    def __init__(self, address, name, operands, symbol):
        self.address = address
        self.name = name
        self.operands = operands
        self.symbol = symbol  # of a target
        self.literal = None  # the word that it loads from among the code
        self.conditional = False
        self.condition = None  # of a predicated instruction
        self.target = None
        self.call = self.indirect = self.ends = self.leaves = False
        self.next = None  # address of what follows in memory

    def symbol_name(self):
        return self.symbol.partition("@")[0] if self.symbol else None

    @property
    def padding(self):
        return self.name in ("nop", "xchg", "data16", "cs", "lea", "int3") or (
            self.name == "movs" and self.operands == ["r0", "r0"]
        )


def split_operands(text):
    """Operands, cut at commas outside of brackets."""
    parts, depth, current = [], 0, ""
    for letter in text:
        depth += letter in "[{"
        depth -= letter in "]}"
        if letter == "," and depth == 0:
            parts.append(current.strip())
            current = ""
        else:
            current += letter
    return parts + [current.strip()] if current.strip() else parts


def number(text):
    match = NUMBER.match(text)
    return int(match[1], 0) if match else None


class Machine:
    """What one instruction set's objdump text means; subclasses fill it in."""

    sp = "sp"
    link = None
    word = 8
    saved = frozenset()  # what a call leaves as it is, the stack pointer included
    objdump_options = ()

    def register(self, name):
        return name

    def classify(self, insn):
        raise NotImplementedError

    def execute(self, insn, state):
        """Changes `state`, {register: value - CFA}, as the instruction does."""
        raise NotImplementedError

    # Helpers: all take and change the state.

    def saves_link(self, state, base, offset):
        """The link register is stored at base + offset."""
        if IN_LINK_REGISTER in state and base in state:
            state["ra:%d" % (state[base] + offset)] = 1

    def writes_link(self, state, loaded):
        state.pop(IN_LINK_REGISTER, None)
        if loaded and any(str(key).startswith("ra:") for key in state):
            state[IN_LINK_REGISTER] = 1

    def store(self, state, base, offset, register, size=None):
        """`register` (None: something else) is stored at base + offset."""
        if base not in state or offset is None:
            return
        slot = state[base] + offset
        for key in [key for key in state if isinstance(key, tuple) and abs(key[0] - slot) < (size or self.word)]:
            del state[key]
        if register in state:
            state[slot,] = state[register]

    def load(self, state, to, base, offset):
        value = state.get((state[base] + offset,)) if base in state and offset is not None else None
        state.pop(to, None)
        if value is not None:
            state[to] = value

    def move(self, state, to, source, offset):
        if offset is not None and source in state:
            state[to] = state[source] + offset
        else:
            state.pop(to, None)


class X86(Machine):
    objdump_options = ("-M", "intel")
    ENDS = frozenset(("jmp", "ret", "ud2", "hlt"))
    NO_RESULT = frozenset("cmp test push call jmp ret nop bt ucomisd ucomiss comisd comiss".split())
    SIZES = re.compile(r"^(?:[QDX]?M?M?WORD|BYTE|TBYTE) PTR ")

    def __init__(self, bits):
        self.bits = bits
        self.word = bits // 8
        prefix = "r" if bits == 64 else "e"
        self.sp, self.fp = prefix + "sp", prefix + "bp"
        names = ("bx", "bp", "sp") + (() if bits == 64 else ("si", "di"))
        numbered = ("r12", "r13", "r14", "r15") if bits == 64 else ()
        self.saved = frozenset([prefix + name for name in names] + list(numbered))

    def register(self, name):
        """The whole register of a part."""
        prefix = "r" if self.bits == 64 else "e"
        match = re.match(r"^(r\d+)[dwb]?$", name)
        if match:
            return match[1]
        match = re.match(r"^[re]?([abcd]x|[sb]p|[sd]i)$", name)
        if match:
            return prefix + match[1]
        match = re.match(r"^([abcd])[lh]$", name)
        if match:
            return prefix + match[1] + "x"
        match = re.match(r"^([sb]p|[sd]i)l$", name)
        return prefix + match[1] if match else name

    def classify(self, insn):
        name = insn.name
        if name in ("rep", "repz", "bnd", "notrack") and insn.operands:
            # A prefix that objdump prints as the instruction.
            name, _, rest = insn.operands[0].partition(" ")
            insn.name, insn.operands = name, [rest.strip()] + insn.operands[1:] if rest else []
        if not name.startswith("j") and name != "call":
            insn.ends = name in self.ENDS
            return
        try:
            insn.target = int(insn.operands[0].split()[0], 16)
        except ValueError:
            insn.indirect = True
        insn.call = name == "call"
        insn.ends = name == "jmp"
        insn.conditional = not insn.call and not insn.ends

    def address_of(self, text):
        """(register, offset) of [register+offset], or (None, None)."""
        match = re.match(r"^.*\[(\w+)(?:([+-])(0x[0-9a-f]+))?\]$", text)
        if not match:
            return None, None
        offset = int(match[3], 16) if match[3] else 0
        return self.register(match[1]), -offset if match[2] == "-" else offset

    def signed(self, text):
        value = number(text)
        if value is not None and value >= 1 << (self.bits - 1):
            value -= 1 << self.bits
        return value

    def execute(self, insn, state):
        name, operands = insn.name, insn.operands
        first = self.register(operands[0]) if operands else None
        second = self.register(operands[1]) if len(operands) > 1 else None
        if name in ("push", "pushf"):
            self.move(state, self.sp, self.sp, -self.word)
            self.store(state, self.sp, 0, first)
        elif name == "pop":
            self.load(state, first, self.sp, 0)
            self.move(state, self.sp, self.sp, self.word)
        elif name == "leave":
            self.move(state, self.sp, self.fp, 0)
            self.load(state, self.fp, self.sp, 0)
            self.move(state, self.sp, self.sp, self.word)
        elif name in ("add", "sub") and number(operands[1]) is not None:
            value = self.signed(operands[1])
            self.move(state, first, first, value if name == "add" else -value)
        elif name == "mov" and "[" in operands[0]:
            self.store(state, *self.address_of(operands[0]), second)
        elif name == "mov" and "[" in operands[1]:
            self.load(state, first, *self.address_of(operands[1]))
        elif name == "mov":
            self.move(state, first, second, 0)
        elif name == "lea":
            self.move(state, first, *self.address_of(operands[1]))
        elif name == "xchg":
            state.pop(first, None)
            state.pop(second, None)
        elif name.startswith("rep") or name in ("cpuid", "div", "idiv", "mul", "cdq", "cqo"):
            for register in ("ax", "bx", "cx", "dx", "si", "di"):
                state.pop(self.register(register), None)
        elif name not in self.NO_RESULT and not name.startswith("j"):
            state.pop(first, None)


class A64(Machine):
    word = 8
    link = "x30"
    saved = frozenset(["sp"] + ["x%d" % n for n in range(19, 30)])
    ENDS = frozenset(("b", "br", "ret", "retaa", "retab", "udf", "brk"))
    STORES = ("st", "cmp", "cmn", "tst", "ccm", "pac", "aut", "hint", "bti", "prfm")

    def register(self, name):
        return "x" + name[1:] if re.match(r"^w\d+$", name) else name

    def classify(self, insn):
        name, operands = insn.name, insn.operands
        insn.call = name in ("bl", "blr")
        insn.ends = name in self.ENDS
        insn.conditional = name.startswith(("b.", "cb", "tb"))
        insn.indirect = name in ("br", "blr")
        if name in ("b", "bl") or insn.conditional:
            insn.target = int(operands[-1].split()[0], 16)

    def execute(self, insn, state):
        name, operands = insn.name, list(insn.operands)
        registers = [self.register(operand) for operand in operands]
        if insn.target is not None or insn.ends:
            return
        if name in ("add", "sub") and len(operands) > 2:
            value = number(operands[2])
            if value is None:
                value = state.get("#" + registers[2])
            if value is not None and len(operands) > 3:
                shift = re.match(r"^lsl #(\d+)$", operands[3])
                value = value << int(shift[1]) if shift else None
            value = -value if value is not None and name == "sub" else value
            self.move(state, registers[0], registers[1], value)
        elif name == "mov":
            value = number(operands[1])
            state.pop("#" + registers[0], None)
            if value is not None:
                state["#" + registers[0]] = value
            self.move(state, registers[0], registers[1], 0)
        elif name == "movk":
            key, shift = "#" + registers[0], re.match(r"^lsl #(\d+)$", (operands + [""])[2])
            if key in state:
                bit = int(shift[1]) if shift else 0
                state[key] = state[key] & ~(0xFFFF << bit) | number(operands[1]) << bit
        elif name in ("str", "stur", "ldr", "ldur") and PLACE.match(operands[1]):
            match = PLACE.match(operands[1])
            act = self.store_one if name.startswith("st") else self.load_one
            act(state, registers[0], match)
        elif not name.startswith(self.STORES) and operands:
            for register in registers[: 2 if name.startswith("ldp") else 1]:
                if register == self.link:
                    self.writes_link(state, name.startswith("ld"))
                state.pop(register, None)
                state.pop("#" + register, None)
        place = None
        if name in ("stp", "str") and self.link in registers[:-1]:
            place = PLACE.match(operands[2 if name == "stp" else 1])
            at = 8 * registers.index(self.link)
        if place and not place[3]:
            self.saves_link(state, place[1], int(place[2] or 0) + at)
        self.write_back(operands, state)
        if place and place[3]:
            self.saves_link(state, place[1], at)

    def store_one(self, state, register, match):
        if not match[3]:
            self.store(state, match[1], int(match[2] or 0), register)

    def load_one(self, state, register, match):
        if register == self.link:
            self.writes_link(state, True)
        self.load(state, register, match[1], None if match[3] else int(match[2] or 0))

    def write_back(self, operands, state):
        for index, operand in enumerate(operands):
            match = PLACE.match(operand)
            if match and match[3]:
                self.move(state, match[1], match[1], int(match[2] or 0))
            elif match and index + 1 < len(operands):
                self.move(state, match[1], match[1], number(operands[index + 1]))


class Arm(Machine):
    word = 4
    link = "lr"
    saved = frozenset(("sp", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11"))
    NAMES = {"fp": "r11", "sl": "r10", "ip": "r12", "r13": "sp"}
    NO_RESULT = ("cmp", "cmn", "tst", "teq", "it", "v", "nop", "pld", "b", "udf", "bkpt", "cbz", "cbnz", "tb")
    SPLIT = re.compile(
        r"^(push|pop|bx|bl|blx|b|mov|add|sub|ldr|str|ldrd|strd|ldm\w{0,2}?|stm\w{0,2}?|vpush|vpop|vldmia|vstmdb|orr|and|rsb)"
        r"(s?)(%s)?$" % CONDITIONS
    )

    def __init__(self, name):
        self.name = name

    def register(self, name):
        return self.NAMES.get(name, name)

    def registers_of(self, text):
        """The registers of {r4-r7, lr}."""
        result = []
        for part in text.strip("{}^").replace(" ", "").split(","):
            first, _, last = part.partition("-")
            first, last = self.register(first), self.register(last or first)
            if first != last:
                kind = first[0]
                result += [kind + str(n) for n in range(int(first[1:]), int(last[1:]) + 1)]
            else:
                result.append(first)
        return result

    def classify(self, insn):
        name = insn.name.partition(".")[0] if not insn.name.startswith("v") else insn.name
        match = self.SPLIT.match(name)
        if name in ("bls", "blt", "ble"):
            name, insn.conditional = "b", True
        elif match and name not in ("teq", "svc"):
            name, insn.conditional, insn.condition = match[1], match[3] is not None, match[3]
        insn.name = name
        operands = insn.operands
        if name in ("b", "bl", "blx", "cbz", "cbnz"):
            try:
                insn.target = int(operands[-1].split()[0], 16)
            except ValueError:
                insn.indirect = True
            insn.call = name in ("bl", "blx")
            insn.conditional = insn.conditional or name.startswith("cb")
            insn.ends = name == "b" and not insn.conditional
            return
        to_pc = operands and operands[0] == "pc"
        popped = name.startswith(("pop", "ldm")) and "pc" in operands[-1]
        if name == "bx" or to_pc or popped or name in ("udf", "tbb", "tbh"):
            insn.ends = not insn.conditional
            from_stack = len(operands) > 1 and operands[1].startswith("[sp")
            insn.indirect = name in ("tbb", "tbh") or (name == "bx" and operands[0] != "lr")
            insn.indirect = insn.indirect or (bool(to_pc) and not from_stack and operands[1] != "lr")
            insn.leaves = True

    def execute(self, insn, state):
        name, operands = insn.name, insn.operands
        if insn.target is not None or (insn.conditional and insn.leaves):
            return
        registers = [self.register(operand) for operand in operands]
        if name in ("push", "vpush"):
            self.move(state, "sp", "sp", -self.list_size(operands[0]))
            self.store_list(operands[0], state)
        elif name in ("pop", "vpop"):
            self.load_list(operands[0], state)
            self.move(state, "sp", "sp", self.list_size(operands[0]))
        elif name.startswith(("ldm", "stm", "vldm", "vstm")):
            self.multiple(name, operands, state)
        elif name in ("add", "sub", "addw", "subw", "adds", "subs", "adr"):
            self.add(name, registers, operands, state)
        elif name in ("mov", "movw", "movs"):
            self.set_constant(registers[0], number(operands[1]), state)
            self.move(state, registers[0], registers[1], 0 if len(operands) == 2 else None)
        elif name == "movt" and "#" + registers[0] in state:
            key = "#" + registers[0]
            state[key] = state[key] & 0xFFFF | number(operands[1]) << 16
        elif name in ("ldr", "ldrd", "str", "strd") or name.startswith(("ldr", "str")):
            self.load_store(insn, registers, state)
        elif operands and not name.startswith(self.NO_RESULT):
            for register in registers[: 2 if name.endswith(("mull", "mlal")) else 1]:
                self.forget(register, state, False)

    def store_list(self, text, state):
        """A list that was pushed."""
        registers = self.registers_of(text)
        if self.link in registers:
            self.saves_link(state, "sp", 4 * registers.index(self.link))

    def forget(self, register, state, loaded=True):
        if register == self.link:
            self.writes_link(state, loaded)
        state.pop(register, None)
        state.pop("#" + register, None)

    def set_constant(self, register, value, state):
        state.pop("#" + register, None)
        if value is not None:
            state["#" + register] = value

    def list_size(self, text):
        registers = self.registers_of(text)
        return len(registers) * (8 if registers[0].startswith("d") else 4)

    def load_list(self, text, state):
        for register in self.registers_of(text):
            self.forget(register, state)

    def multiple(self, name, operands, state):
        base = self.register(operands[0].rstrip("!"))
        size = self.list_size(operands[1])
        down = name.endswith(("db", "stmfd", "ldmea"))
        if operands[0].endswith("!"):
            self.move(state, base, base, -size if down else size)
            if down and base == "sp" and name.startswith("stm"):
                self.store_list(operands[1], state)
        if name.startswith("ldm"):
            registers = self.registers_of(operands[1])
            for register in registers:
                if register != base or not operands[0].endswith("!"):
                    self.forget(register, state)
            if base == "sp" and "sp" in registers:
                state["sp"] = 0  # the end of an APCS frame: the saved sp is the CFA

    def add(self, name, registers, operands, state):
        source = registers[1] if len(registers) > 2 else registers[0]
        value = number(operands[-1])
        if value is None:
            value = state.get("#" + registers[-1])
        if value is not None and value >= 1 << 31:
            value -= 1 << 32
        if len(registers) > 3 or name == "adr":
            value = None
        if value is not None and name.startswith("sub"):
            value = -value
        to = registers[0]
        state.pop("#" + to, None)
        self.move(state, to, source, value)

    def load_store(self, insn, registers, state):
        operands = insn.operands
        pushed = insn.name == "str" and registers[0] == self.link and operands[1].endswith("]!")
        if insn.name.startswith("ldr"):
            for register in registers[: 2 if insn.name == "ldrd" else 1]:
                self.forget(register, state)
            if insn.literal is not None:
                state["#" + registers[0]] = insn.literal
        match = PLACE.match(operands[1])
        if insn.name in ("ldr", "str") and match and len(operands) == 2 and not match[3]:
            base, offset = self.register(match[1]), int(match[2] or 0)
            if insn.name == "str":
                self.store(state, base, offset, registers[0])
            elif base != "pc":
                self.load(state, registers[0], base, offset)
        for index, operand in enumerate(operands):
            match = PLACE.match(operand)
            if match and match[3]:
                base = self.register(match[1])
                self.move(state, base, base, int(match[2] or 0))
                if pushed:
                    self.saves_link(state, base, 0)
            elif match and index + 1 < len(operands):
                base = self.register(match[1])
                self.move(state, base, base, number(operands[index + 1]))


def disassemble(objdump, machine, path):
    """{address: Insn}, in ascending order."""
    command = [objdump, "-d", "-w", "--no-show-raw-insn", *machine.objdump_options, path]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    insns, words = {}, {}
    last = None
    for line in done.stdout.splitlines():
        match = INSN.match(line.strip())
        if not match:
            continue
        address, name, rest = int(match[1], 16), match[2], match[3]
        if last is not None:
            last.next = address
        if name.startswith(".") or name == "(bad)":
            if name == ".word":
                words[address] = int(rest, 16)
            last = None
            continue
        symbol = SYMBOL.search(rest)
        text, _, comment = re.sub(r"\s*<[^>]*>", "", rest).partition("@")
        text = re.split(r"\s//|\s#\s", text)[0]
        insn = Insn(address, name, split_operands(text), symbol[1] if symbol else None)
        insn.literal_at = re.search(r"\(([0-9a-f]+)", comment)
        machine.classify(insn)
        insns[address] = last = insn
    for insn in insns.values():
        at = insn.literal_at
        insn.literal = words.get(int(at[1], 16)) if at and insn.name == "ldr" else None
    return insns


class Flow:
    """The states before the instructions of one function, by its rows."""

    def __init__(self, machine, insns, rows, noreturn, pops):
        self.machine = machine
        self.insns = insns  # of the function, ascending
        self.by_address = {insn.address: insn for insn in insns}
        self.rows = rows  # {address: (register, offset, return address) or None}
        self.noreturn = noreturn  # names of functions
        self.pops = pops  # {address: argument bytes that the function there takes off the stack}
        self.states = {}
        self.waiting = []
        self.padding = set()
        self.run_starts = self.predicated_returns()

    def predicated_returns(self):
        """{address of a predicated return: the first instruction of its predicated run}."""
        starts, first, before = {}, None, None
        for insn in self.insns:
            if insn.condition is None or before is None or before.condition != insn.condition:
                first = insn
            if insn.condition is not None and insn.leaves:
                starts[insn.address] = first.address
            before = insn
        return starts

    def run(self):
        targets = {insn.target for insn in self.insns if insn.target is not None}
        orphans, before = [], None
        for insn in self.insns:
            if before is not None and self.stops(before) and insn.address not in targets:
                if insn.padding:
                    self.padding.add(insn.address)
                    continue  # `before` stays: what follows more padding is as well
                orphans.append(insn.address)
            before = insn
        self.orphans = orphans
        if self.insns:
            self.arrive(self.insns[0].address, {})
        self.drain()
        for address in orphans:
            if address not in self.states:
                self.arrive(address, {})
        self.drain()
        return self

    def stops(self, insn):
        return insn.ends or (insn.call and insn.symbol_name() in self.noreturn)

    def drain(self):
        while self.waiting:
            insn = self.waiting.pop()
            self.step(insn, dict(self.states[insn.address]))

    def step(self, insn, state):
        if insn.conditional and insn.indirect:
            self.indirect(insn, state)
        if insn.conditional and insn.target is not None:
            self.edge(insn, insn.target, state)
        if insn.call:
            if insn.symbol_name() in self.noreturn:
                return
            if insn.target == insn.next and not self.machine.link:  # call $+5; pop ebx
                self.machine.move(state, self.machine.sp, self.machine.sp, -self.machine.word)
                return self.edge(insn, insn.next, state)
            state = {key: value for key, value in state.items() if self.survives_call(key)}
            if insn.target in self.pops:
                self.machine.move(state, self.machine.sp, self.machine.sp, self.pops[insn.target])
        else:
            self.machine.execute(insn, state)
        first = self.run_starts.get(insn.address)
        if first is not None and first in self.states:
            # A predicated return: when it is not taken, neither is what stands before it under the same condition.
            self.edge(self.by_address[first], insn.next, self.states[first])
        elif insn.ends:
            if insn.target is not None:
                self.edge(insn, insn.target, state)
            elif insn.indirect:
                self.indirect(insn, state)
        elif insn.next is not None:
            self.edge(insn, insn.next, state)

    def indirect(self, insn, state):
        for address in self.orphans:
            if self.rows.get(address) == self.rows.get(insn.address):
                self.edge(insn, address, state)

    def edge(self, insn, address, state):
        row, before = self.rows.get(address), self.rows.get(insn.address)
        state = dict(state)
        if address not in self.by_address:
            return
        if row is None:
            self.arrive(address, {key: value for key, value in state.items() if key != SUSPECT})
            return
        register, offset, place = row
        right = state.get(register) == -offset
        if row == before:
            # Nothing was said to change: so nothing may have.
            if not right or ("ra:" + place) not in state:
                state[SUSPECT] = 1
        elif register in state and not right:
            if insn.call and not state.get(SUSPECT):
                return  # it does not return here
            state[SUSPECT] = 1
        else:
            state.pop(SUSPECT, None)
        self.arrive(address, state)

    def survives_call(self, key):
        if isinstance(key, tuple):
            return True  # a slot of the frame
        return key in self.machine.saved or key == SUSPECT or (key.startswith("ra:") and key != IN_LINK_REGISTER)

    def arrive(self, address, state):
        """Merges a state into the one before the instruction at `address`."""
        row = self.rows.get(address)
        if row is not None and not state.get(SUSPECT):
            state[row[0]] = -row[1]
            state["ra:" + row[2]] = 1
        old = self.states.get(address)
        if old is not None:
            suspect = old.get(SUSPECT) or state.get(SUSPECT)
            state = {key: value for key, value in old.items() if state.get(key) == value}
            if suspect:
                state[SUSPECT] = 1
            if state == old:
                return
        self.states[address] = state
        self.waiting.append(self.by_address[address])


def functions_of(insns, ranges):
    """The instructions of each range [start, end)."""
    addresses = sorted(insns)
    for start, end in ranges:
        first, last = bisect.bisect_left(addresses, start), bisect.bisect_left(addresses, end)
        yield [insns[address] for address in addresses[first:last]]
