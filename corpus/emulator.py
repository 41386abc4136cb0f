# SPDX-License-Identifier: MIT
"""Debian's kernels for ARM, RISC-V and x86-64, emulated: a directory of files goes in, a script runs there as root, the files it leaves
in /out come out.

The kernel, its modules and busybox are Debian packages (scripts/debian-package). The guest's whole file system is its initial RAM disk;
what it leaves comes back as a tar stream through a virtio serial port. It can be shown the host's file system, too.
"""

import io
import lzma
import os
import shutil
import stat
import subprocess
import tarfile
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
READY = b"corpus guest ready"

# Time is what the instructions took, 8 ns each: timers interrupt the one CPU at any instruction (else only where a translated block
# begins), and nothing takes longer there because the host is slow or busy. Two runs are alike, but do not stop at the same instructions.
COUNTED = ["-smp", "1", "-accel", "tcg,thread=single", "-icount", "shift=3,sleep=off", "-rtc", "base=2026-01-01,clock=vm", "-seed", "1"]
# Time is the host's.
TIMED = ["-smp", "2", "-accel", "tcg,thread=multi"]

ARM_MODULES = ("virtio_mmio", "virtio_console")
MACHINES = {
    "arm64": {
        "emulator": "qemu-system-aarch64",
        "kernel": "linux-image-arm64*",
        # The architected algorithm of pointer authentication takes most of the time when it is emulated.
        "machine": ["-M", "virt,dtb-randomness=off", "-cpu", "max,pauth-impdef=on", "-m", "768"],
        "parameters": "console=ttyAMA0",
        "modules": ARM_MODULES,
        "bus": "device",
    },
    "armhf": {
        "emulator": "qemu-system-arm",
        "kernel": "linux-image-armmp*",
        "machine": ["-M", "virt,highmem=off,dtb-randomness=off", "-cpu", "cortex-a15", "-m", "512"],
        "parameters": "console=ttyAMA0",
        "modules": ARM_MODULES,
        "bus": "device",
    },
    "riscv64": {
        "emulator": "qemu-system-riscv64",
        "kernel": "linux-image-riscv64*",
        "machine": ["-M", "virt", "-m", "768"],
        "parameters": "console=ttyS0",
        "modules": (),  # virtio is in the kernel
        "bus": "pci",
    },
    "amd64": {  # its kernel executes i386 programs
        "emulator": "qemu-system-x86_64",
        "kernel": "linux-image-amd64*",
        # Not microvm, which has the PIT alone to measure the TSC by: on a busy host its kernel mostly does not come up.
        "machine": ["-M", "q35", "-nodefaults", "-cpu", "max", "-m", "2048"],
        # Both TSCs are the host's, or the vDSO would not tell the time by itself. Protection of the kernel against its programs
        # takes long when it is emulated.
        "parameters": "console=ttyS0 tsc=reliable mitigations=off",
        "modules": ("virtio_ring", "virtio", "virtio_pci_legacy_dev", "virtio_pci_modern_dev", "virtio_pci", "virtio_console",
                    "netfs", "fscache", "9pnet", "9pnet_virtio", "9p"),
        "bus": "pci",
    },
}
TIMEOUT = 1100  # seconds of a run, for one that hangs: on the busiest of machines it takes no longer
SHARED = "host"  # the tag by which a script mounts the host's file system: mount -t 9p

INIT = """#!/bin/busybox sh
/bin/busybox --install -s /bin
export PATH=/bin
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
mkdir -p /out /tmp
for module in %(modules)s; do insmod /modules/$module.ko; done
echo 0 >/proc/sys/kernel/randomize_va_space
echo %(ready)s
: >/out/log
tail -f /out/log &
sh /run >/out/log 2>&1 </dev/null
echo "status $?" >>/out/log
tar -C /out -cf /dev/vport0p1 .
sync
poweroff -f
"""


class Failure(Exception):
    """Why there is no result."""


def available(*archs):
    """Why these machines, the ARM ones if none is named, cannot be emulated here, or None. Their packages are here then."""
    archs = archs or ("arm64", "armhf")
    for tool in [MACHINES[arch]["emulator"] for arch in archs] + ["dpkg", "apt-get"]:
        if shutil.which(tool) is None:
            return tool + " not found"
    try:
        for arch in archs:
            packages(arch, MACHINES[arch]["kernel"], "busybox-static")
    except Failure as failure:
        return str(failure)
    return None


def packages(arch, *names):
    """The directories of Debian packages."""
    command = [os.path.join(ROOT, "scripts", "debian-package"), arch, *names]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        raise Failure("cannot fetch %s for %s" % (" ".join(names), arch))
    return done.stdout.split("\n")[:-1]


def find(directory, *names):
    """The path of a file that has one of the names."""
    for place, _, files in os.walk(directory):
        for name in names:
            if name in files:
                return os.path.join(place, name)
    raise Failure("no %s in %s" % (names[0], directory))


def kernel_modules(arch, kernel):
    """{name: bytes} of those that are not built in. From release 13 on they are compressed, which busybox does not read."""
    with open(find(kernel, "modules.builtin"), encoding="ascii") as file:
        built_in = {os.path.basename(line.strip()) for line in file}
    found = {}
    for name in MACHINES[arch]["modules"]:
        if name + ".ko" not in built_in:
            path = find(kernel, name + ".ko", name + ".ko.xz")
            with (lzma.open if path.endswith(".xz") else open)(path, "rb") as file:
                found[name] = file.read()
    return found


class Archive:
    """A cpio archive (newc), as the kernel unpacks it."""

    def __init__(self, file):
        self.file, self.number, self.directories = file, 0, set()

    def _entry(self, name, mode, data=b"", device=(0, 0)):
        self.number += 1
        name = name.encode() + b"\0"
        fields = [self.number, mode, 0, 0, 1, 0, len(data), 0, 0, *device, len(name), 0]
        head = b"070701" + b"".join(b"%08x" % field for field in fields) + name
        self.file.write(head + b"\0" * (-len(head) % 4) + data + b"\0" * (-len(data) % 4))

    def _parents(self, name):
        parent = os.path.dirname(name)
        if parent and parent not in self.directories:
            self._parents(parent)
            self.directories.add(parent)
            self._entry(parent, stat.S_IFDIR | 0o755)

    def add(self, name, data, mode=0o755):
        self._parents(name)
        self._entry(name, stat.S_IFREG | mode, data)

    def link(self, name, target):
        self._parents(name)
        self._entry(name, stat.S_IFLNK | 0o777, target.encode())

    def device(self, name, major, minor):
        self._parents(name)
        self._entry(name, stat.S_IFCHR | 0o600, device=(major, minor))

    def add_path(self, name, path):
        """A file, a link or a whole directory of the host."""
        if os.path.islink(path):
            self.link(name, os.readlink(path))
        elif os.path.isdir(path):
            for entry in sorted(os.listdir(path)):
                self.add_path(os.path.join(name, entry), os.path.join(path, entry))
        else:
            with open(path, "rb") as file:
                self.add(name, file.read(), os.stat(path).st_mode & 0o777)

    def close(self):
        self._entry("TRAILER!!!", 0)


def _make_initrd(path, arch, kernel, files, script):
    busybox = packages(arch, "busybox-static")[0]
    with open(path, "wb") as file:
        archive = Archive(file)
        archive.device("dev/console", 5, 1)
        archive.device("dev/null", 1, 3)
        for place in ("proc", "sys", "tmp", "out", "root"):
            archive._parents(place + "/.")
        programs = os.path.join(busybox, "bin")  # from release 13 on below /usr
        programs = programs if os.path.isdir(programs) else os.path.join(busybox, "usr", "bin")
        archive.add_path("bin/busybox", os.path.join(programs, "busybox"))
        modules = kernel_modules(arch, kernel)
        for name, data in modules.items():
            archive.add("modules/%s.ko" % name, data, 0o644)
        text = INIT % {"modules": " ".join(modules), "ready": READY.decode()}
        archive.add("init", text.encode())
        archive.add("run", script.encode())
        for name, source in files.items():
            if isinstance(source, bytes):
                archive.add(name, source)
            else:
                archive.add_path(name, source)
        archive.close()


def _kernel_image(kernel):
    boot = os.path.join(kernel, "boot")
    for name in os.listdir(boot):
        if name.startswith(("vmlinuz-", "vmlinux-")):  # RISC-V's is not compressed
            return os.path.join(boot, name)
    raise Failure("no kernel in " + kernel)


def run(arch, files, script, output, timeout=TIMEOUT, counted=False, shared=False):
    """
    Boots, runs `script` (of busybox's shell) and unpacks what it left in /out into the directory `output`; log is what it
    printed. `files` says what is where: {path in the guest: path here, or bytes}. `counted`: on one CPU whose time is the number
    of its instructions, as above; else on two. `shared`: the host's files can be mounted, to be read only.
    """
    machine = MACHINES[arch]
    kernel = packages(arch, machine["kernel"])[0]
    directory = tempfile.mkdtemp(prefix="cg-guest-")
    initrd, result = os.path.join(directory, "initrd"), os.path.join(directory, "result")
    try:
        _make_initrd(initrd, arch, kernel, files, script)
        command = [machine["emulator"], *machine["machine"], *(COUNTED if counted else TIMED)]
        command += ["-display", "none", "-no-reboot", "-nic", "none", "-serial", "stdio", "-monitor", "none"]
        command += ["-kernel", _kernel_image(kernel), "-initrd", initrd]
        command += ["-append", machine["parameters"] + " quiet panic=-1"]
        command += ["-device", "virtio-serial-" + machine["bus"], "-chardev", "file,id=result,path=" + result]
        command += ["-device", "virtserialport,chardev=result,name=result"]
        if shared:
            command += ["-fsdev", "local,id=shared,path=/,security_model=none,readonly=on,multidevs=remap"]
            command += ["-device", "virtio-9p-%s,fsdev=shared,mount_tag=%s" % (machine["bus"], SHARED)]
        begin = time.monotonic()
        try:
            done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  check=False, timeout=timeout)
        except subprocess.TimeoutExpired as late:
            raise Failure("the %s guest was not done after %d s: %s" % (arch, timeout, (late.stdout or b"")[-2000:]))
        if READY not in done.stdout:
            raise Failure("the %s kernel did not come up: %s" % (arch, done.stdout[-2000:]))
        os.makedirs(output, exist_ok=True)
        with open(result, "rb") as file:
            data = file.read()
        if not data:
            raise Failure("the %s guest gave no result: %s" % (arch, done.stdout[-2000:]))
        with tarfile.open(fileobj=io.BytesIO(data)) as tar:
            tar.extractall(output)
        return time.monotonic() - begin
    finally:
        shutil.rmtree(directory)
