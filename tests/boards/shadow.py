# SPDX-License-Identifier: MIT
"""The true chain of calls of a board's firmware at any instruction, from a shadow stack that is
kept while the target is stepped, one instruction at a time.

Nothing is unwound here. What each instruction did is known by the registers before and behind it,
and by the disassembly of the firmware with symbols: calls push, arriving at the return address with
the caller's SP pops, a handler that begins pushes what it interrupted, its return pops. Each stack
of the firmware (the main one, one of each task, one of traps) has a list of its own, so that a
change of tasks is a change of lists.

What the shadow says is checked against the memory where the processor keeps the same: the PC that
was saved at an exception, the PC that an exception returns to. A difference is a Lost.
"""

import re
import subprocess

import build

CALL, SWITCH_PSP = "call", "msr psp"
# QEMU's timers stand still in a single step, but for one in so many steps: then the board's clock
# has come to its next tick at once. So where interrupts come depends on the seed alone. In a step
# with timers all the time that the target stood still would go by.
SSTEP_STILL, SSTEP_TICKS = b"Qqemu.sstep=0x5", b"Qqemu.sstep=0x1"
TICK_STEPS = (100, 3000)

BY_TABLE = "__gnu_thumb1_case_"  # returns to where the table behind the call says
UNSURE = {"start_first"}  # where the main stack is left for the first task's: neither is the truth


class Lost(Exception):
    """The shadow stack and the target disagree: a fault of the test, not of what it tests."""


class Code:
    """The firmware's instructions and symbols."""

    def __init__(self, firmware):
        self.board = firmware.board
        self.sizes, self.kinds, self.texts = {}, {}, {}
        self._disassemble(firmware.elf)
        self.symbols, self.functions = {}, []
        listed = self._run("nm", "-S", "-n", firmware.elf)
        for line in listed.splitlines():
            words = line.split()
            if len(words) < 3:
                continue
            address, name = int(words[0], 16), words[-1]
            self.symbols[name] = (address, int(words[1], 16) if len(words) == 4 else 0)
            if words[-2] in "tT" and not name.startswith(("$", "code_")):
                self.functions.append((address & ~1, name))

    def _run(self, tool, *arguments):
        command = [self.board.prefix + tool, *arguments]
        return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout

    def _disassemble(self, elf):
        options = [] if self.board.is_arm else ["-M", "no-aliases"]
        line_of = re.compile(r"^ *([0-9a-f]+):\t((?:[0-9a-f]{2,8} ?)+) *\t(.*)$")
        for line in self._run("objdump", "-d", *options, elf).splitlines():
            match = line_of.match(line)
            if not match:
                continue
            address, text = int(match[1], 16), match[3]
            self.sizes[address] = len(match[2].replace(" ", "")) // 2
            self.texts[address] = text
            kind = self._kind(text)
            if kind:
                self.kinds[address] = kind

    def _kind(self, text):
        name, _, operands = text.partition("\t")
        if self.board.is_arm:
            if name in ("bl", "blx"):
                return (CALL, None)
            match = re.match(r"PSP, (\w+)", operands)
            return (SWITCH_PSP, arm_register(match[1])) if name == "msr" and match else None
        if name == "c.jal" or name == "c.jalr":
            return (CALL, 1)
        match = re.match(r"(ra|t0),", operands) if name in ("jal", "jalr") else None
        return (CALL, {"ra": 1, "t0": 5}[match[1]]) if match else None

    def function(self, address):
        """The name of the function that has the address, for people."""
        low, high = 0, len(self.functions) if address is not None else 0
        while low < high:
            middle = (low + high) // 2
            if self.functions[middle][0] <= address:
                low = middle + 1
            else:
                high = middle
        return self.functions[low - 1][1] if low else "?"


def arm_register(name):
    return {"sl": 10, "fp": 11, "ip": 12}.get(name) or int(name[1:])


class Entry:
    """On a shadow stack: a call that has not returned, or what a handler interrupted."""

    __slots__ = ("address", "sp", "is_call", "on_psp", "by_t0", "saved_pc", "has_saved")

    def __init__(self, address, sp, is_call, on_psp=False, by_t0=False):
        self.address = address  # to return to
        self.sp = sp            # that the caller will have then
        self.is_call, self.on_psp, self.by_t0 = is_call, on_psp, by_t0
        self.saved_pc = None    # where memory has the address, of what was interrupted
        self.has_saved = False  # RISC-V: it was saved there


class Halt:
    """The target as it was at one moment, and the truth of it."""

    def __init__(self, registers, mask, memory, chain, nesting):
        self.registers, self.mask = registers, mask  # by number; mask: not known
        self.memory = memory                         # (start, bytes) of all stacks
        self.chain = chain                           # innermost first
        self.nesting = nesting                       # of handlers: 0 outside of them


class Shadow:
    """What ARM and RISC-V share."""

    def __init__(self, target, firmware, code, random):
        self.target, self.code, self.board, self.random = target, code, firmware.board, random
        self.word = self.board.word
        low = code.symbols["stack_bottom"][0]
        self.stacks = [(low, code.symbols["stack_top"][0])]
        if "task_stacks" in code.symbols:
            start, size = code.symbols["task_stacks"]
            one = size // 3
            self.stacks += [(start + i * one, start + (i + 1) * one) for i in range(3)]
        if "trap_stack" in code.symbols:
            start, size = code.symbols["trap_stack"]
            self.stacks.append((start, start + size))
        self.lists = [[] for _ in self.stacks]
        self.low = min(start for start, _ in self.stacks)
        self.high = max(end for _, end in self.stacks)
        self.steps = self.tick_at = 0
        target.must(SSTEP_STILL)

    def stack_of(self, sp):
        for i, (start, end) in enumerate(self.stacks):
            if start < sp <= end:
                return i
        raise Lost("SP is %#x, on no stack, after %d steps" % (sp, self.steps))

    def word_at(self, address):
        return int.from_bytes(self.target.memory(address, self.word), "little")

    def called(self, pc, sp, by_t0=False):
        address = pc + self.code.sizes[pc]
        self.lists[self.stack_of(sp)].append(Entry(address, sp, True, by_t0=by_t0))

    def arrived(self, pc, sp, come_from=None):
        """Pops the call that has returned, if one has."""
        entries = self.lists[self.stack_of(sp)]
        if entries and entries[-1].is_call and entries[-1].by_t0 | (entries[-1].sp == sp):
            if entries[-1].address == pc or self.code.function(come_from).startswith(BY_TABLE):
                entries.pop()

    def run(self, count):
        """Steps so often, and further while the truth is not told."""
        while count > 0 or not self.is_sure():
            if self.steps == self.tick_at:
                self.tick_at += self.random.randint(*TICK_STEPS)
                self.target.must(SSTEP_TICKS)
                self.step()
                self.target.must(SSTEP_STILL)
            else:
                self.step()
            count -= 1
            self.steps += 1

    def chain_from(self, pc, stack, memory):
        """Innermost first; memory: address to word, of the moment."""
        chain, skip, self.crossed = [pc], None, 0
        while stack is not None:
            entries, stack = self.lists[stack], self.below(stack)
            for entry in reversed(entries):
                if skip and entry.is_call and entry.address == skip:
                    skip = None  # a fault's handler has let it return already
                    continue
                skip = None
                address = self.interrupted_at(entry, memory)
                chain.append(address)
                self.crossed += not entry.is_call
                if not entry.is_call and address != entry.address:
                    skip = address
                if entry.on_psp:
                    stack = self.stack_of(self.psp)
                    break
        return chain

    def below(self, stack):
        return None


class ArmShadow(Shadow):
    """M-profile. PSP and MSP are told by no stub of QEMU's; they follow from SP, mode, and what
    `msr` writes."""

    def __init__(self, target, firmware, code, random):
        super().__init__(target, firmware, code, random)
        self.vectors_addr = firmware.board.regions[0][0]
        self.vectors = [self.word_at(self.vectors_addr + 4 * i) & ~1 for i in range(48)]
        self.msp = self.psp = 0
        self.on_psp = False  # of code outside handlers
        self._read_after(0)
        if self.pc != self.vectors[1]:
            raise Lost("PC is %#x at reset, not %#x" % (self.pc, self.vectors[1]))

    def is_sure(self):
        return self.code.function(self.pc) not in UNSURE

    def step(self):
        pc, sp, ipsr, before = self.pc, self.sp, self.ipsr, self.r
        was_psp = self.on_psp and not ipsr
        kind, register = self.code.kinds.get(pc, (None, None))
        self.target.step()
        self._read_after(ipsr)
        if self.ipsr and self.pc == self.vectors[self.ipsr] and self.lr >> 24 == 0xFF and (
                self.ipsr != ipsr or self.pc != pc):
            self._entered(pc, sp, ipsr, was_psp)
        elif self.ipsr != ipsr:
            self._returned()
        elif kind == CALL:
            self.called(pc, sp)
        elif kind == SWITCH_PSP:
            self.psp = before[register]
        elif self.pc != pc + self.code.sizes.get(pc, 0):
            self.arrived(self.pc, self.sp, pc)

    def _read_after(self, ipsr):
        data = self.target.registers()
        self.r = [int.from_bytes(data[i * 4 : i * 4 + 4], "little") for i in range(16)]
        self.sp, self.lr, self.pc = self.r[13:16]
        self.xpsr = int.from_bytes(data[-4:], "little")  # behind what more or less QEMU has
        self.ipsr = self.xpsr & 0x1FF
        if self.ipsr == ipsr and not self.ipsr and self.on_psp:
            self.psp = self.sp
        else:
            self.msp = self.sp  # a return from a handler corrects it

    def _entered(self, pc, sp, ipsr, was_psp):
        main = self.lists[0]
        to_psp = bool(self.lr & 4)
        left = None
        if ipsr and self.sp >= sp:  # the next handler, with what the one before had interrupted
            left = self._pop_handler()
        elif was_psp:
            self.psp = sp - (0x20 if self.lr & 0x10 else 0x68) & ~7
        frame = self.psp if to_psp else self.sp
        saved = self.word_at(frame + 24)
        if not left and saved not in (pc, pc + self.code.sizes.get(pc, 0)):
            raise Lost("interrupted at %#x, and %#x was saved" % (pc, saved))
        same = left and left.saved_pc == frame + 24
        entry = Entry(left.address if same else saved, self.sp, False, on_psp=to_psp)
        entry.saved_pc = frame + 24
        if left and not same and not to_psp:
            raise Lost("a chained handler interrupts %#x, not %#x" % (saved, left.address))
        main.append(entry)

    def _pop_handler(self):
        main = self.lists[0]
        while main and main[-1].is_call:
            raise Lost("a handler returns from within a call to %#x" % main[-1].address)
        if not main:
            raise Lost("a handler returns that never began")
        return main.pop()

    def _returned(self):
        entry = self._pop_handler()
        if not self.ipsr:
            self.on_psp = self.stack_of(self.sp) != 0
            if self.on_psp:
                self.psp, self.msp = self.sp, entry.sp
        self.arrived(self.pc, self.sp)

    def interrupted_at(self, entry, memory):
        if entry.is_call:
            return entry.address
        return memory((self.psp if entry.on_psp else entry.saved_pc - 24) + 24) & ~1

    def halt(self):
        data = self.target.memory(self.low, self.high - self.low)
        memory = lambda at: int.from_bytes(data[at - self.low : at - self.low + 4], "little")
        chain = self.chain_from(self.pc, self.stack_of(self.sp), memory)
        registers = self.r[:16] + [self.xpsr, self.msp, self.psp]
        mask = 0 if self.psp else 1 << 18
        return Halt(registers, mask, (self.low, data), chain, self.crossed)


class RiscvShadow(Shadow):
    """Machine mode, with a vectored mtvec."""

    def __init__(self, target, firmware, code, random):
        super().__init__(target, firmware, code, random)
        self.mepc = target.register_numbers()["mepc"]
        self.vectors = code.symbols["trap_vector"][0]
        self.trapped_from = None  # the stack that was left for that of traps
        self.trap_stack = len(self.stacks) - 1 if "trap_stack" in code.symbols else None
        self.task_start = code.symbols["task_start"][0] if "task_start" in code.symbols else None
        entry = code.symbols["trap_entry"][0]
        inside = [at for at in sorted(code.sizes) if entry <= at < entry + 400]
        read = next(at for at in inside if "mepc" in code.texts[at])
        self.saves_pc = read + code.sizes[read]
        self.saved_by = self.saves_pc + code.sizes[self.saves_pc]
        width = re.search(r"addi\d*(?:sp)?\tsp,(?:sp,)?-(\d+)", code.texts[entry])
        self.frame_size = int(width[1])
        start = code.symbols["_start"][0]
        self._read()
        while self.pc != start:  # the board's own code comes first
            self._step()
        while not self.low < self.sp <= self.high:
            self._step()

    def _step(self):
        self.target.step()
        self._read()

    def _read(self):
        data = self.target.registers()
        size = self.word
        self.r = [int.from_bytes(data[i * size : i * size + size], "little") for i in range(33)]
        self.sp, self.pc = self.r[2], self.r[32]

    def is_sure(self):
        return True

    def step(self):
        pc, sp = self.pc, self.sp
        kind, register = self.code.kinds.get(pc, (None, None))
        self._step()
        slot = self.pc - self.vectors
        if 0 <= slot < 32 and slot % 4 == 0 and self.pc != pc:
            self._entered(pc)
        elif self.code.texts.get(pc) == "mret":
            self._returned()
        elif kind == CALL:
            self.called(pc, sp, by_t0=register == 5)
        elif self.pc != pc + self.code.sizes.get(pc, 0):
            self.arrived(self.pc, self.sp, pc)
        else:
            self._went_on(sp)

    def _entered(self, pc):
        entry = Entry(pc, self.sp, False)
        entry.saved_pc = self.sp - self.frame_size
        self.lists[self.stack_of(self.sp)].append(entry)
        if self.target.register(self.mepc) != pc:
            raise Lost("interrupted at %#x, and mepc is not that" % pc)

    def _returned(self):
        entries = self.lists[self.stack_of(self.sp)]
        if not entries or entries[-1].is_call:
            raise Lost("mret with no trap on this stack")
        entries.pop()
        self.arrived(self.pc, self.sp)

    def _went_on(self, sp):
        if self.pc == self.saved_by:
            self.lists[self.stack_of(self.sp)][-1].has_saved = True
        if self.sp == sp:
            return
        old, new = self.stack_of(sp), self.stack_of(self.sp)
        if new == old:
            return
        if new == self.trap_stack:
            self.trapped_from = old
        elif not self.lists[new]:  # a task's frame that was made for it
            entry = Entry(self.task_start, self.sp + self.frame_size, False)
            entry.saved_pc, entry.has_saved = self.sp, True
            self.lists[new].append(entry)

    def below(self, stack):
        return self.trapped_from if stack == self.trap_stack else None

    def interrupted_at(self, entry, memory):
        if entry.has_saved and not entry.is_call:
            return memory(entry.saved_pc)
        return entry.address

    def halt(self):
        data = self.target.memory(self.low, self.high - self.low)
        size = self.word
        memory = lambda at: int.from_bytes(data[at - self.low : at - self.low + size], "little")
        chain = self.chain_from(self.pc, self.stack_of(self.sp), memory)
        registers = self.r + [self.target.register(self.mepc)]
        return Halt(registers, 0, (self.low, data), chain, self.crossed)


def shadow_of(target, firmware, code, random):
    kind = ArmShadow if firmware.board.is_arm else RiscvShadow
    return kind(target, firmware, code, random)
