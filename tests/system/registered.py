#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Symbol files of code that was made at run time, which programs register by GDB's JIT interface.

usage: registered.py BUILD-DIRECTORY [i386]

tests/programs/registered.c runs code whose symbol file it registers: told by a descriptor that it
exports, or that only its own symbols tell; of 32 bits; in a list that leads back, lies, changes while
it is read, or hangs whoever reads it. GDB says what the chains are, and the files' tables how code
is passed. Then LLVM's lli. With "i386" the code of 32 bits alone: so the test runs itself in an
emulated machine where this one's kernel does not execute such (i386.py).
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
import i386
import jit
import known
import snapfile

TEXT = {"x86_64": "0x6f0000000000", "aarch64": "0x6f0000000000"}
CHAIN_TRUST = "eh_frame"
CHAIN = "busy < made_inner < made_outer < enter < main"
LOOPS = """
@sink = global i32 0
@text = constant [6 x i8] c"ready\\00"
declare i32 @puts(i8*)
declare i32 @fflush(i8*)
define void @spin() noinline {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %next, %loop ]
  store volatile i32 %i, i32* @sink
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, 100000
  br i1 %more, label %loop, label %end
end:
  ret void
}
define void @work() noinline {
  br label %loop
loop:
  call void @spin()
  br label %loop
}
define i32 @main() {
  %1 = call i32 @puts(i8* getelementptr ([6 x i8], [6 x i8]* @text, i64 0, i64 0))
  %2 = call i32 @fflush(i8* null)
  call void @work()
  store volatile i32 1, i32* @sink
  ret i32 0
}
"""


def build_code(directory, prefix, text, name):
    """The symbol file, which is the code as well."""
    built, path = os.path.join(directory, name + ".o"), os.path.join(directory, name)
    flags = ["-O1", "-ffreestanding", "-fno-stack-protector", "-fno-optimize-sibling-calls", "-fno-pic"]
    known.check_run([prefix + "gcc", *flags, "-c", "-o", built, os.path.join(known.PROGRAMS, "registered_code.c")])
    known.check_run([prefix + "ld", "-Ttext", text, "-e", "made_outer", "-o", path, built])
    return path


def symbol_files(snapshot):
    with open(snapshot, "rb") as file:
        return [item for item in snapfile.Snapshot(file.read()).records if item.kind == snapfile.SYMBOL_FILE]


def capture(tools, program, code, snapshot, way, *options):
    """The samples of the program's running threads, and what cgunwind warned of."""
    with known.Target([program, "60", code, way]) as target:
        if target.process.stdout.readline().strip() != "ready":
            return None, []
        jit.cgsnap(tools, "-d", "1.5", "-p", str(target.pid), "-o", snapshot, *options)
    done = known.run([os.path.join(tools, "cgunwind"), "-f", "folded", snapshot])
    dumped = known.run([sys.executable, os.path.join(known.TESTS, "system", "snapdump.py"), "--check", snapshot])
    if done.returncode != 0 or dumped.returncode != 0:
        raise known.Failure("%s: %s %s" % (way, done.stderr.decode(), dumped.stdout.decode()))
    return jit.running(tools, snapshot), [line for line in done.stderr.decode().splitlines() if "symbol file" in line]


def names_of(samples):
    return {frame.get("function") for sample in samples for frame in sample["frames"] if frame.get("module") == "[jit]"}


def ways(tools, directory, program, code):
    snapshot = os.path.join(directory, "snap")
    for way in ("plain", "loop", "lies", "churn"):
        samples, warnings = capture(tools, program, code, snapshot, way)
        yield from jit.check_chains(way, samples, program, CHAIN, CHAIN_TRUST)
        if warnings:
            yield "%s: %s" % (way, warnings)
        files = len(symbol_files(snapshot))
        if (way == "plain" and files != 1) or (way == "loop" and files != 2) or (way == "lies" and files != 1):
            yield "%s: %d parts of symbol files" % (way, files)
    for way, options in (("none", ()), ("plain", ("--no-jit",))):
        samples, _ = capture(tools, program, code, snapshot, way, *options)
        if symbol_files(snapshot) or names_of(samples):
            yield "%s %s: named are %s" % (way, options, names_of(samples))
    samples, warnings = capture(tools, program, code, snapshot, "damaged")
    if len(warnings) != 1 or names_of(samples):
        yield "damaged: %s, named are %s" % (warnings, names_of(samples))
    samples, _ = capture(tools, program, code, snapshot, "anew", "-d", "4")
    names = {name for name in names_of(samples) if name and name[1:] in ("ade_inner", "ade_outer")}
    print("anew: %d files, %d names" % (len(symbol_files(snapshot)), len(names)))
    if len(symbol_files(snapshot)) < 2 or len(names) < 4:
        yield "anew: %d files, names %s" % (len(symbol_files(snapshot)), sorted(names))


def other_ways_to_tell(tools, directory, program, code):
    """A descriptor that is exported; a stream; a program that cgsnap starts; one sample."""
    exports, snapshot = os.path.join(directory, "exports"), os.path.join(directory, "snap")
    known.check_run(["gcc", "-D_GNU_SOURCE", "-O1", "-g", "-s", "-rdynamic", "-fno-optimize-sibling-calls", "-o", exports,
                     os.path.join(known.PROGRAMS, "registered.c")])
    samples, _ = capture(tools, exports, code, snapshot, "plain")
    if not {"made_inner", "made_outer"} <= names_of(samples):
        yield "exported: named are %s" % names_of(samples)
    cgsnap, cgunwind = (os.path.join(tools, name) for name in ("cgsnap", "cgunwind"))
    with known.Target([program, "60", code]) as target:
        target.process.stdout.readline()
        done = known.run(["bash", "-c", "%s -q -d 2 -p %d -o - | %s -f folded -" % (cgsnap, target.pid, cgunwind)])
    if done.returncode != 0 or b"made_outer;made_inner;busy" not in done.stdout:
        yield "stream: status %d, %s %s" % (done.returncode, done.stdout.decode(), done.stderr.decode())
    done = known.run([cgsnap, "-q", "--force", "-o", snapshot, program, "3", code])
    if not symbol_files(snapshot):
        yield "a program that is started: no symbol file: %s" % done.stderr.decode()
    with known.Target([program, "60", code]) as target:
        target.process.stdout.readline()
        for _ in range(20):  # what is not found at once is not waited for
            jit.cgsnap(tools, "-n", "1", "-p", str(target.pid), "-o", snapshot)
            if symbol_files(snapshot):
                break
    if len(symbol_files(snapshot)) != 1:
        yield "one sample: %d symbol files" % len(symbol_files(snapshot))


def of_32_bits(tools, directory):
    program, snapshot = os.path.join(directory, "registered32"), os.path.join(directory, "snap")
    known.check_run(["i686-linux-gnu-gcc", "-D_GNU_SOURCE", "-O1", "-g", "-static", "-fno-optimize-sibling-calls",
                     "-o", program, os.path.join(known.PROGRAMS, "registered.c")])
    code = build_code(directory, "i686-linux-gnu-", "0x6f000000", "code32")
    samples, _ = capture(tools, program, code, snapshot, "plain")
    yield from jit.check_chains("32 bits", samples, program, CHAIN, CHAIN_TRUST)


def hangs(tools, directory, program, code):
    """Memory that hangs whoever reads it holds up nobody, and nobody is left behind."""
    snapshot, own = os.path.join(directory, "snap"), os.path.join(directory, "cgsnap")
    shutil.copy(os.path.join(tools, "cgsnap"), own)

    def left():
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                if os.readlink("/proc/%s/exe" % pid) == own:
                    return True
            except OSError:
                pass
        return False

    for killed in (False, True):
        with known.Target([program, "60", code, "hung"]) as target:
            if target.process.stdout.readline().strip() != "ready":
                print("hung: no userfaultfd")
                return
            begin = time.monotonic()
            command = [own, "-q", "--force", "-d", "1", "-p", str(target.pid), "-o", snapshot]
            with subprocess.Popen(command) as process:
                if killed:
                    time.sleep(0.7)
                    process.kill()
                status = process.wait(60)
            took = time.monotonic() - begin
            known.wait_until(lambda: not left(), "cgsnap's helpers end")
            if target.process.poll() is not None:
                yield "hung: the target has ended"
        print("hung%s: status %d, %.1f s" % (", killed" if killed else "", status, took))
        if not killed and (status != 0 or took > 20):
            yield "hung: status %d after %.1f s" % (status, took)


# A file system whose file is never read: READs are not answered (linux/fuse.h).
SERVER = """
import ctypes, os, struct, sys
fd, size = os.open("/dev/fuse", os.O_RDWR), 1 << 20
options = b"fd=%d,rootmode=40000,user_id=0,group_id=0,allow_other" % fd
if ctypes.CDLL(None).mount(b"x", os.fsencode(sys.argv[1]), b"fuse.x", 0, options):
    sys.exit("no mount")
print("mounted", flush=True)
attributes = lambda node: struct.pack("<6Q10I", node, 0 if node == 1 else size, 8, 0, 0, 0, 0, 0, 0,
                                      0o40755 if node == 1 else 0o100755, 1, 0, 0, 0, 4096, 0)
while True:
    try:
        request = os.read(fd, 1 << 18)
    except OSError:
        break
    length, kind, unique, node = struct.unpack("<IIQQ", request[:24])
    answers = {26: struct.pack("<IIIIHHIIHHIIIIII", 7, 31, 0, 0, 10, 10, 1 << 17, 1, 1, *[0] * 7)[:64].ljust(64, b"\\0"),
               1: struct.pack("<QQQQII", 2, 0, 100, 100, 0, 0) + attributes(2),
               3: struct.pack("<QII", 100, 0, 0) + attributes(node),
               14: struct.pack("<QII", 1, 0, 0), 27: struct.pack("<QII", 1, 0, 0), 18: b"", 25: b"", 29: b""}
    if kind == 15:
        print("read", flush=True)
    elif kind in answers:
        os.write(fd, struct.pack("<IiQ", 16 + len(answers[kind]), 0, unique) + answers[kind])
    elif kind not in (2, 36, 42):
        os.write(fd, struct.pack("<IiQ", 16, -38, unique))
"""
# Its list goes on in that file. It maps memory all the time, and says how long that took at most.
MAPPER = """
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
struct descriptor { unsigned version, action; void *relevant, *first; };
struct descriptor __jit_debug_descriptor = {.version = 1};
static void *entry[4];
static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}
int main(int argc, char **argv)
{
    double begin = now(), worst = 0;
    char *code = mmap(0, 4096, 7, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memcpy(code, "\\xb9\\x40\\x42\\x0f\\x00\\xff\\xc9\\x75\\xfc\\xc3", 10); /* counts, and returns */
    entry[0] = mmap(0, 1 << 20, PROT_READ, MAP_PRIVATE, open(argv[1], O_RDONLY), 0);
    if (argc < 2 || entry[0] == MAP_FAILED)
        return 1;
    __jit_debug_descriptor.first = entry;
    puts("ready");
    fflush(stdout);
    while (now() < begin + 4) {
        double time = now();
        munmap(mmap(0, 4096, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), 4096);
        time = now() - time;
        worst = time > worst ? time : worst;
        ((void (*)(void))code)();
    }
    printf("%f\\n", worst);
    return 0;
}
"""


def unanswered(tools, directory, *unused):
    """What is not in memory is not read: whoever did would hold the program's address space."""
    mount, program = os.path.join(directory, "mount"), os.path.join(directory, "mapper")
    os.mkdir(mount)
    with open(program + ".c", "w", encoding="ascii") as file:
        file.write(MAPPER)
    known.check_run(["gcc", "-O1", "-D_GNU_SOURCE", program + ".c", "-o", program])
    with subprocess.Popen([sys.executable, "-c", SERVER, mount], stdout=subprocess.PIPE, text=True) as server:
        try:
            if server.stdout.readline().strip() != "mounted":
                print("unanswered: no file system of our own can be mounted here")
                return
            with subprocess.Popen([program, os.path.join(mount, "file")], stdout=subprocess.PIPE, text=True) as target:
                target.stdout.readline()
                jit.cgsnap(tools, "-d", "2", "-p", str(target.pid), "-o", os.path.join(directory, "snap"))
                worst = target.communicate(timeout=120)[0].strip()
        finally:
            server.kill()
            known.run(["umount", "-l", mount])
        reads = server.stdout.read()
    print("unanswered: %s s at most" % worst)
    if reads or not worst or float(worst) > 1:
        yield "unanswered: what is not there was read: %r, the target waited %s s" % (reads, worst)


def gdb(directory, program, code):
    program_of_gdb = shutil.which("gdb") or shutil.which("gdb-multiarch")
    with known.Target([program, "60", code]) as target:
        target.process.stdout.readline()
        out = known.run([program_of_gdb, "-nx", "-batch", "-p", str(target.pid), "-ex", "bt"]).stdout.decode()
    frames = [line for line in out.splitlines() if line.startswith("#")]
    for name, line in zip(CHAIN.split(" < "), frames):
        if " %s (" % name not in line and "#0  %s (" % name not in line:
            yield "gdb: not %s: %s" % (CHAIN, out)
            return
    print("gdb: as known")


def lli(tools, directory):
    program = shutil.which("lli")
    source, snapshot = os.path.join(directory, "loops.ll"), os.path.join(directory, "snap")
    with open(source, "w", encoding="ascii") as file:
        file.write(LOOPS)
    for kind in ("mcjit", "orc"):
        with known.Target([program, "-jit-kind=" + kind, source]) as target:
            target.process.stdout.readline()
            time.sleep(0.2)
            jit.cgsnap(tools, "-d", "1.5", "-p", str(target.pid), "-o", snapshot)
        samples = jit.running(tools, snapshot)
        yield from jit.share("lli " + kind, samples, True)
        if not {"main", "work", "spin"} <= names_of(samples):
            yield "lli %s: named are %s" % (kind, names_of(samples))
        trusts = {frame["trust"] for sample in samples for frame in sample["frames"] if frame.get("module") == "[jit]"}
        if "eh_frame" not in trusts:
            yield "lli %s: made frames are passed by %s" % (kind, sorted(trusts))


def test(tools, part=None):
    if part == "i386":
        with tempfile.TemporaryDirectory() as directory:
            return list(of_32_bits(tools, directory))
    machine, unable = os.uname().machine, i386.unable()
    if machine not in TEXT:
        known.skip("no address for code on " + machine)
    known.need("lli", "i686-linux-gnu-gcc", "gdb" if shutil.which("gdb") else "gdb-multiarch")
    failures = []
    with tempfile.TemporaryDirectory() as directory:
        program = known.program(tools, "registered", directory)
        code = build_code(directory, "", TEXT[machine], "code")
        failures += gdb(directory, program, code)
        for part in (ways, other_ways_to_tell, hangs, unanswered):
            failures += part(tools, directory, program, code)
        failures += lli(tools, directory)
        # With sanitizers an emulated machine would take minutes more.
        if i386.runs_here() or not (unable or known.is_sanitized(tools)):
            failures += i386.anywhere(__file__, tools, lambda: of_32_bits(tools, directory))
    if unable and machine == "x86_64" and not failures:
        known.skip(unable)
    return failures


if __name__ == "__main__":
    known.main(test)
