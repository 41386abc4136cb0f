# SPDX-License-Identifier: MIT
"""Boards of QEMU, without a screen, stopped before their first instruction, with a stub for
debuggers at a socket."""

import os
import subprocess
import sys
import time

import rsp

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "system"))
import known

PROGRAMS = {
    "microbit": ["qemu-system-arm", "-M", "microbit"],
    "mps2-an385": ["qemu-system-arm", "-M", "mps2-an385"],
    "mps2-an386": ["qemu-system-arm", "-M", "mps2-an386"],
    "mps2-an505": ["qemu-system-arm", "-M", "mps2-an505"],
    "mps3-an547": ["qemu-system-arm", "-M", "mps3-an547"],
    "sifive_e": ["qemu-system-riscv32", "-M", "sifive_e"],
    "virt64": ["qemu-system-riscv64", "-M", "virt", "-bios", "none"],
}


class Machine:
    """`with Machine(…) as target`: a Target; the board is gone behind it, whatever happened.

    With `timed` an instruction takes 64 ns of the board's time, so that each run is like the one
    before it; without, time is the host's.
    """

    def __init__(self, board, elf, directory, serial="null", timed=True):
        self.socket = os.path.join(directory, "gdb-%d-%s.sock" % (os.getpid(), board))
        self.command = PROGRAMS[board] + [
            "-display", "none", "-monitor", "none", "-serial", serial, "-nodefaults",
            "-S", "-kernel", elf, "-gdb", "unix:%s,server=on,wait=off" % self.socket]
        if timed:
            self.command += ["-icount", "shift=6,align=off,sleep=on"]
        self.process = self.target = None
        known.need(self.command[0])

    def __enter__(self):
        self.process = subprocess.Popen(self.command, stdin=subprocess.DEVNULL,
                                        stderr=subprocess.PIPE)
        try:
            for _ in range(500):
                if os.path.exists(self.socket) or self.process.poll() is not None:
                    break
                time.sleep(0.01)
            if self.process.poll() is not None:
                raise RuntimeError("%s: %s" % (" ".join(self.command),
                                               self.process.stderr.read().decode()))
            self.target = rsp.Target(self.socket)
            return self.target
        except BaseException:
            self.__exit__()
            raise

    def __exit__(self, *_):
        if self.target:
            self.target.close()
        self.process.kill()
        self.process.wait()
        self.process.stderr.close()
        if os.path.exists(self.socket):
            os.unlink(self.socket)
