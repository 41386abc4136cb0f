# SPDX-License-Identifier: MIT
"""What the tests demand of thread_tree.c, wherever it ran."""

import json

import known

# name of the start routine: how many, how they are called, whose frames of the program made them, innermost first
EXPECTED = {
    "manager": (1, ["manager"], ["start_manager", "main"]),
    "left_worker": (40, ["left-%d" % i for i in range(40)], ["spawn", "left_pool", "manager"]),
    "right_worker": (24, ["right-%d" % i for i in range(24)], ["spawn", "right_pool", "manager"]),
}
MAKERS = {"manager": "main", "left_worker": "manager", "right_worker": "manager"}


class Told:
    """What threads-json says of a snapshot."""

    def __init__(self, cgunwind, snapshot, *options):
        lines = known.check_run([cgunwind, "-q", "-f", "threads-json", *options, snapshot]).splitlines()
        objects = [json.loads(line) for line in lines]
        self.identities = {o["identity"]: o for o in objects if o["type"] == "identity"}
        self.threads = {o["thread"]: o for o in objects if o["type"] == "thread"}

    def hashes(self):
        """What must not differ from run to run: which hash has how many threads."""
        return {o["hash"]: o["threads"] for o in self.identities.values()}

    def of(self, routine):
        found = [o for o in self.identities.values() if o.get("start_routine", {}).get("function") == routine]
        if len(found) != 1:
            raise known.Failure("%d identities begin in %s: %s" % (
                len(found), routine, sorted(o["name"] for o in self.identities.values())))
        return found[0]

    def members(self, identity):
        return [t for t in self.threads.values() if t["identity"] == identity["identity"]]


def program_frames(chain, module, outside=()):
    """The functions of a chain that are the program's own."""
    return [frame.get("function") for frame in chain
            if frame.get("module", "").endswith(module) and frame.get("function") not in ("_start", *outside)]


def check(told, module, outside=()):
    """Hierarchy and creation chains are exactly what the source says. `outside`: of the C library, where it is linked in."""
    if len(told.identities) != 1 + len(EXPECTED) or len(told.threads) != 66:
        raise known.Failure("%d identities of %d threads: %s" % (
            len(told.identities), len(told.threads), [(o["name"], o["threads"]) for o in told.identities.values()]))
    main = [o for o in told.identities.values() if o.get("main")]
    if [o["name"] for o in main] != ["main"]:
        raise known.Failure("the first thread is %s" % main)
    for routine, (count, names, chain) in EXPECTED.items():
        identity = told.of(routine)
        members = told.members(identity)
        if sorted(t["name"] for t in members) != sorted(names) or identity["threads"] != count:
            raise known.Failure("%s: %s" % (routine, sorted(t["name"] for t in members)))
        if not identity["creation_seen"] or identity["creation_stop"] != "thread-start":
            raise known.Failure("%s: creation %s" % (routine, identity.get("creation_stop", "not seen")))
        functions = program_frames(identity["creation_chain"], module, outside)
        if functions != chain or identity["creation_site"]["function"] != chain[0]:
            raise known.Failure("%s was made by %s in %s" % (routine, functions, identity["creation_site"].get("function")))
        for thread in members:
            maker = told.identities[told.threads[thread["maker"]]["identity"]]
            if maker["name"] != MAKERS[routine]:
                raise known.Failure("%s was made by the thread %s" % (thread["name"], maker["name"]))
