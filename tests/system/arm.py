# SPDX-License-Identifier: MIT
"""What the tests under emulated ARM, AArch64 and RISC-V machines share: instruction sets, cgsnap for them, and the target's C library."""

import os
import shutil
import sys

sys.dont_write_bytecode = True
import known

ROOT = os.path.dirname(known.TESTS)
sys.path.insert(0, os.path.join(ROOT, "corpus"))
import built

AGENTS = {"a64": "arm64", "a32": "armhf-a32", "t32": "armhf", "rv64": "riscv64"}
COMPILE = {
    "a64": ["aarch64-linux-gnu-gcc", "-mbranch-protection=standard"],
    "a32": ["arm-linux-gnueabihf-gcc", "-marm"],
    "t32": ["arm-linux-gnueabihf-gcc", "-mthumb"],
    "rv64": ["riscv64-linux-gnu-gcc"],
}
NATIVE = {"arm64": ["a64"], "armhf": ["a32", "t32"], "riscv64": ["rv64"]}  # what each kernel is of
LIBRARIES = {
    "arm64": ("/usr/aarch64-linux-gnu/lib", ["ld-linux-aarch64.so.1", "libc.so.6"]),
    "armhf": ("/usr/arm-linux-gnueabihf/lib", ["ld-linux-armhf.so.3", "libc.so.6"]),
    "riscv64": ("/usr/riscv64-linux-gnu/lib", ["ld-linux-riscv64-lp64d.so.1", "libc.so.6"]),
}


def need_emulator(tools):
    """The emulator; without one, or where this was tested already, the test is skipped."""
    with open(os.path.join(tools, "cgsnap"), "rb") as file:
        if b"__asan_init" in file.read():
            known.skip("the same as in any other build: cgsnap is built for its targets here")
    import emulator

    missing = emulator.available(*NATIVE)
    if missing:
        known.skip(missing)
    known.need("cmake", *(command[0] for command in COMPILE.values()))
    return emulator


def build_agents(*isas):
    """{instruction set: the cgsnap that is made of it}, of all or these."""
    try:
        return {isa: built.agent(AGENTS[isa]) for isa in isas or AGENTS}
    except built.Failure as failure:
        raise known.Failure(str(failure))


def kept(arguments):
    """(kernels, directory or None) of `[armhf|arm64|riscv64] [--keep DIRECTORY]`."""
    arguments, keep = list(arguments), None
    if "--keep" in arguments:
        at = arguments.index("--keep")
        keep = arguments[at + 1]
        del arguments[at:at + 2]
    return arguments or list(NATIVE), keep


def libraries(arch):
    """The C library and its loader: {name: path here}."""
    place, names = LIBRARIES[arch]
    return {name: os.path.realpath(os.path.join(place, name)) for name in names}


def make_sysroot(directory, arch):
    """The target's libraries, and nothing of this machine."""
    sysroot = os.path.join(directory, "sysroot-" + arch)
    os.makedirs(os.path.join(sysroot, "lib"))
    for name, path in libraries(arch).items():
        shutil.copy(path, os.path.join(sysroot, "lib", name))
    return sysroot


def run(emulator, arch, files, script, directory, counted=True):
    """
    Runs a script in the machine, whose time is the number of its instructions unless `counted` is
    false; (where its files are, its log, which is printed too).
    """
    out = os.path.join(directory, "out-" + arch)
    try:
        emulator.run(arch, files, script, out, counted=counted)
    except emulator.Failure as failure:
        raise known.Failure(str(failure))
    with open(os.path.join(out, "log"), encoding="utf-8") as file:
        log = file.read()
    print("%s:\n%s" % (arch, log))
    return out, log
