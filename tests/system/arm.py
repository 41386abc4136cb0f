"""What the tests under emulated ARM and AArch64 machines share: instruction sets, cgsnap for them, and the target's C library."""

import os
import shutil
import sys

sys.dont_write_bytecode = True
import known

ROOT = os.path.dirname(known.TESTS)
sys.path.insert(0, os.path.join(ROOT, "corpus"))
AGENTS = {"a64": "arm64", "a32": "armhf-a32", "t32": "armhf"}
COMPILE = {
    "a64": ["aarch64-linux-gnu-gcc", "-mbranch-protection=standard"],
    "a32": ["arm-linux-gnueabihf-gcc", "-marm"],
    "t32": ["arm-linux-gnueabihf-gcc", "-mthumb"],
}
NATIVE = {"arm64": ["a64"], "armhf": ["a32", "t32"]}  # what each kernel is of
LIBRARIES = {
    "arm64": ("/usr/aarch64-linux-gnu/lib", ["ld-linux-aarch64.so.1", "libc.so.6"]),
    "armhf": ("/usr/arm-linux-gnueabihf/lib", ["ld-linux-armhf.so.3", "libc.so.6"]),
}


def need_emulator(tools):
    """The emulator; without one, or where this was tested already, the test is skipped."""
    with open(os.path.join(tools, "cgsnap"), "rb") as file:
        if b"__asan_init" in file.read():
            known.skip("the same as in any other build: cgsnap is built for its targets here")
    import emulator

    missing = emulator.available()
    if missing:
        known.skip(missing)
    known.need("cmake", *(command[0] for command in COMPILE.values()))
    return emulator


def build_agents(directory):
    """{instruction set: the cgsnap that is made of it}"""
    agents = {}
    for isa, preset in AGENTS.items():
        out = os.path.join(directory, preset)
        known.check_run(["cmake", "-S", ROOT, "--preset", "agent-" + preset, "-B", out])
        known.check_run(["cmake", "--build", out])
        agents[isa] = os.path.join(out, "cgsnap")
    return agents


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


def run(emulator, arch, files, script, directory, timeout, counted=False):
    """Runs a script in the machine; (where its files are, its log, which is printed too)."""
    out = os.path.join(directory, "out-" + arch)
    emulator.run(arch, files, script, out, timeout=timeout, counted=counted)
    with open(os.path.join(out, "log"), encoding="utf-8") as file:
        log = file.read()
    print("%s:\n%s" % (arch, log))
    return out, log
