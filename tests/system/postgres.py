# SPDX-License-Identifier: MIT
"""A server of PostgreSQL in a directory of its own, and pgbench asking it."""

import os
import shutil
import subprocess
import time

BASE = "/usr/lib/postgresql"
USER = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]


def is_installed():
    return os.geteuid() == 0 and os.path.isdir(BASE)


class Server:
    """`directory` exists, and all may look into it and what it is in."""

    def __init__(self, directory, scale=1):
        self.directory = directory
        self.programs = os.path.join(BASE, sorted(os.listdir(BASE))[-1], "bin", "")
        shutil.chown(directory, "postgres")
        self.run("initdb", "-D", directory + "/db", "-A", "trust")
        self.process = subprocess.Popen([*self.command("postgres"), "-D", directory + "/db", "-h", "",
                                         "-k", directory, "-c", "fsync=off"], stderr=subprocess.DEVNULL)
        self.wait_ready()
        self.run("pgbench", "-i", "-q", "-s", str(scale), "-h", directory, "postgres")

    def command(self, program):
        return [*USER, self.programs + program]

    def run(self, program, *arguments):
        return subprocess.run([*self.command(program), *arguments], check=True, cwd=self.directory,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def wait_ready(self):
        end = time.monotonic() + 60
        while subprocess.run([self.programs + "pg_isready", "-q", "-h", self.directory], check=False).returncode:
            if self.process.poll() is not None or time.monotonic() > end:
                raise RuntimeError("postgres does not answer")
            time.sleep(0.1)

    def pgbench(self, clients, transactions):
        """A command."""
        return [*self.command("pgbench"), "-n", "-c", str(clients), "-t", str(transactions), "-h",
                self.directory, "postgres"]

    def stop(self):
        """Its exit status."""
        self.process.terminate()
        return self.process.wait()
