# SPDX-License-Identifier: MIT
"""What cgunwind tells of the variables of a moment, beside what gdb does: matching and verdicts.

    same          equal texts
    both unknown  neither tells a value
    part          a part of ours is not known and all the rest is as gdb has it
    no symbol     equal but for the name of what an address is of, which we do not tell
    gdb only      gdb has a value and we say why we have not: counted by our reason
    ours only     we have a value and gdb has none: counted by gdb's reason
    different     both have a value: a failure
    missing       gdb has the variable and we do not name it: a failure
    extra         we name a variable that gdb has not: a failure
    clobbered     gdb's value is out of a register that callees need not keep, of a frame that is
                  not the innermost: it follows what was written into that register of the
                  innermost frame, or where one of its callees saved it, be it the kernel. Not
                  counted as known by gdb; that we have the same is `clobbered too`
    unreturned    gdb tells what the kernel has put into the register of a system call's result while
                  that has not returned: one of the ERESTART numbers, which no program sees
    short         gdb's value is of pieces that are less than the object, the rest being zero to it
    inlined entry what the caller passed (DW_OP_entry_value), told in a function that is inlined: gdb
                  (13) evaluates the call's parameter in the function it is inlined into, of which
                  the caller's frame base and registers are not. Only where ours is what gdb has of
                  a variable of that function itself
"""

import collections
import re

SAME, UNKNOWN, PART, GDB_ONLY, OURS_ONLY = "same", "both unknown", "part", "gdb only", "ours only"
NO_SYMBOL = "no symbol"
DIFFERENT, MISSING, EXTRA = "different", "missing", "extra"
CLOBBERED, CLOBBERED_TOO, SHORT = "clobbered", "clobbered too", "short"
UNRETURNED, ENTRY = "unreturned", "inlined entry"
RESTARTS = {str(-number + wrap) for number in range(512, 517) for wrap in (0, 1 << 32, 1 << 64)}
VERDICTS = (SAME, NO_SYMBOL, PART, GDB_ONLY, MISSING, DIFFERENT, OURS_ONLY, EXTRA, UNKNOWN, CLOBBERED,
            CLOBBERED_TOO, SHORT, UNRETURNED, ENTRY)
FAILURES = (DIFFERENT, MISSING, EXTRA, CLOBBERED_TOO)

# Parts of a text that stand for what is not known or not shown.
OURS_UNKNOWN = re.compile(
    r"<(?:not captured|unavailable|optimized out|synthetic pointer)[^<>]*>|\{\.\.\.\}|…"
    r"|(?<=[^\"'])\.\.\.$|<repeats \d+ times>\.\.\.")
GDB_UNKNOWN = re.compile(
    r"<(?:optimized out|unavailable|synthetic pointer|incomplete type|error[^<>]*)>|\{\.\.\.\}")
# What is around values: names of members and base classes, braces, types of pointers.
# In Rust also the names of types.
FRAMEWORK = re.compile(r"[\w.]+ = |<[^{}=]*> = |<No data fields>|<repeats \d+ times>|\w+: "
                       r"|(?:[\w{}#]+::)+(?:\{[^{} ]*\}|\w+) ?(?=[{(])|[][{}, ()*&@]")
# An address and the beginning of the symbol that it is of.
ADDRESS = re.compile(r"(0x[0-9a-f]+) <(?!not captured|unavailable|optimized out|error: )")
BRACKETS = re.compile(r"->|[<>\"]")
# An address and the string there, if it is told: letters, and repeated ones.
LETTERS = (r"""(?:[LuU]?"(?:[^"\\]|\\.)*"|[LuU]?'(?:[^'\\]|\\.)+' <repeats \d+ times>)""")
STRING = re.compile(r"(0x[0-9a-f]+)( %s(?:, %s)*(?:\.\.\.)?)?(?! <(?:not|un))" % (LETTERS, LETTERS))
NO_MEMORY = re.compile(r"(0x[0-9a-f]+) <error: Cannot access memory at address \1>")
LIBC = re.compile(r"^_*(?:GI_+)?(?:libc_)?")  # what the C library's names of one function differ in
NESTED = re.compile(r"<[^<>()]*>|\([^<>()]*\)")
CONST = re.compile(r" const\b|\bconst |(?<=\d)(?:ul|UL)\b")

POINTERS = re.compile(r" ([*&]+)(?=[,>])")
TRAILING = re.compile(r"(?<=\}), \}")
CUT_SYMBOL = re.compile(r" (?:<(?:\w[^<>\"]*)?)?\.\.\.$")

Finding = collections.namedtuple("Finding", "verdict function pc level name type ours gdb")


def pieces(pattern, text):
    """A text as a list of characters and, for what is not known, None."""
    found, at = [], 0
    for match in pattern.finditer(text):
        found += text[at:match.start()]
        found.append(None)
        at = match.end()
    return found + list(text[at:])


def consistent(ours, theirs):
    """Whether two lists of pieces can be of one text: None is any number of characters."""
    at = {0}  # places in theirs that what was seen of ours can end before
    for piece in ours + [""]:
        reached, first = set(at), min(at)
        for place in range(first, len(theirs)):  # what theirs does not know may be empty
            if place in reached and theirs[place] is None:
                reached.add(place + 1)
        if piece == "":
            return len(theirs) in reached
        if piece is None:
            at = set(range(min(reached), len(theirs) + 1))
            continue
        at = set()
        for place in reached:
            if place < len(theirs):
                if theirs[place] is None:
                    at.add(place)
                elif theirs[place] == piece:
                    at.add(place + 1)
        if not at:
            return False
    return False


def symbols_in(text):
    """[(address, symbol, where it begins with its blank, where it ends)]"""
    found = []
    for match in ADDRESS.finditer(text):
        depth = 1
        for bracket in BRACKETS.finditer(text, match.end()):
            if bracket[0] == '"':
                break
            depth += {"<": 1, ">": -1}.get(bracket[0], 0)
            if depth == 0:
                found.append((match[1], text[match.end():bracket.start()], match.end() - 2,
                              bracket.end()))
                break
    return found


def without_symbols(text):
    for _, _, start, end in reversed(symbols_in(text)):
        text = text[:start] + text[end:]
    return text


def bare_addresses(text):
    """Those behind which it has neither a string nor why there is none."""
    return {address for address, string in STRING.findall(text) if not string}


def without_errors(text, of):
    """`text` without gdb's word that there is no string, where `of` has the address alone."""
    bare = bare_addresses(of)
    return NO_MEMORY.sub(lambda match: match[1] if match[1] in bare else match[0], text)


def without_strings(text, of):
    """`text` without the strings behind addresses behind which `of` has nothing."""
    bare = bare_addresses(of)
    return STRING.sub(lambda match: match[1] if match[1] in bare else match[0], text)


def notation(text):
    """
    Without what is told in more than one way: `T const` is `const T`, 1UL is 1ul, `T *` is `T*` in
    types; gdb has a comma behind base classes without members. And no symbol that is cut short.
    """
    if text.endswith("..."):
        text = CUT_SYMBOL.sub("...", text)
    if "::" not in text:
        return text
    return TRAILING.sub("}", POINTERS.sub(r"\1", CONST.sub("", text)))


def last_name(symbol):
    """"a::f<b>(c)+1" as (["f"], "+1")."""
    name, offset = re.fullmatch(r"(.*?)([-+]\d+)?", symbol).groups()
    while NESTED.search(name):
        name = NESTED.sub("", name)
    words = re.findall(r"[\w~]+", re.sub(r"\.(?:lto_priv|constprop|isra|part|cold).*", "", name))
    return [LIBC.sub("", word) for word in words[-1:]], offset


def symbols_agree(ours, theirs):
    """
    Whether what we call an address is what gdb calls it. Names of C++ are written in more than one
    way, and may be mangled: the function's own is in them. An address may have several.
    """
    names = {address: last_name(name) for address, name, *_ in symbols_in(theirs)}
    for address, name, *_ in symbols_in(ours):
        last, offset = names.get(address, ([], None))
        if not last or last[0] not in name:
            return False
        # gdb counts from a function's main part also into its other, which has a name of its own.
        if offset != last_name(name)[1] and ".cold" not in name:
            return False
    return True


def is_nothing(text, unknown):
    """Is a structure or an array nothing but parts that are not known?"""
    known_parts, count = unknown.subn("", text)
    return count > 0 and FRAMEWORK.sub("", known_parts) == ""


def gdb_text(item):
    """gdb's value, or None."""
    text = item.get("value")
    return None if text is None or is_nothing(text, GDB_UNKNOWN) else text


def gdb_reason(item):
    if item.get("value") is not None:
        return "nothing of it"
    return next(key for key in ("optimized_out", "no_memory", "error") if key in item)


def our_text(item):
    text = item.get("value")
    return None if text is None or is_nothing(text, OURS_UNKNOWN) else text


def our_reason(item):
    why = item.get("why")
    return item.get("state", "?") + (": " + why if why else "")


def verdict(ours, theirs, tainted):
    """(verdict, reason or None) of one variable; `tainted` is gdb's by other registers."""
    our, their = our_text(ours), gdb_text(theirs)
    if tainted is not None and their is not None and tainted.get("value") != theirs["value"]:
        return (CLOBBERED_TOO if our == their else CLOBBERED), None
    if their is None:
        return (UNKNOWN, None) if our is None else (OURS_ONLY, gdb_reason(theirs))
    if our is None:
        if ours.get("why") == "a system call has not returned yet" and their in RESTARTS:
            return UNRETURNED, None
        return GDB_ONLY, our_reason(ours)
    our, their = notation(our), notation(without_errors(their, our))
    if our == their:
        return SAME, None
    if symbols_agree(our, their):
        our, their = without_symbols(our), without_symbols(their)
        if our == their:
            return NO_SYMBOL, None
    with_strings, their = their, without_strings(their, our)
    if our == their:
        return PART, "no string"
    our_pieces, their_pieces = pieces(OURS_UNKNOWN, our), pieces(GDB_UNKNOWN, their)
    if None not in our_pieces and None not in their_pieces:
        return DIFFERENT, None
    if not consistent(our_pieces, their_pieces):
        return DIFFERENT, None
    if None not in our_pieces:
        return PART, "of gdb's" if their == with_strings else "no string"
    return PART, our_reason(ours) if "state" in ours else "of its depth"


def by_pc(frames, pc):
    """[(pc, frames of it)]: a function and what is inlined into it there."""
    groups = []
    for frame in frames:
        if not groups or groups[-1][0] != pc(frame) or not groups[-1][1][-1].get("inline"):
            groups.append((pc(frame), []))
        groups[-1][1].append(frame)
    return groups


def matched_frames(ours, theirs):
    """[(our frame, gdb's, whether a call is between it and the registers)], and those without."""
    our_groups = by_pc(ours, lambda frame: int(frame["pc"], 16))
    their_groups = by_pc(theirs, lambda frame: frame["pc"])
    pairs, lone = [], []
    for number, (mine, other) in enumerate(zip(our_groups, their_groups)):
        if mine[0] != other[0] or len(mine[1]) != len(other[1]):
            lone.append("%#x: %s; %#x: %s" % (mine[0], [f.get("function") for f in mine[1]],
                                              other[0], [f["function"] for f in other[1]]))
            if mine[0] != other[0]:
                break
            continue
        # What a variadic function saves of its arguments is theirs.
        is_caller = number > 0 and not any(group[1][-1].get("saved")
                                           for group in their_groups[number - 1:number + 1])
        pairs += [(our, their, is_caller) for our, their in zip(mine[1], other[1])]
    return pairs, lone


def by_name(items):
    """Of one name and kind, the innermost block's first."""
    groups = collections.defaultdict(list)
    for item in items:
        groups[item["name"], item["kind"]].append(item)
    return groups


def compare_frame(our, their, tainted, is_caller):
    """(verdict, reason, name, our item or None, gdb's or None) of each variable."""
    mine, others = by_name(our.get("variables", [])), by_name(their["variables"])
    changed = by_name(tainted["variables"]) if tainted and is_caller else {}
    for key in {**others, **mine}:
        name = key[0]
        for number in range(max(len(mine.get(key, ())), len(others.get(key, ())))):
            ours = mine.get(key, ())[number:number + 1]
            theirs = others.get(key, ())[number:number + 1]
            if not ours:
                yield (UNKNOWN if gdb_text(theirs[0]) is None else MISSING), None, name, None, \
                    theirs[0]
            elif not theirs:
                yield (UNKNOWN if our_text(ours[0]) is None else EXTRA), None, name, ours[0], None
            else:
                other = changed.get(key, ())[number:number + 1]
                found, reason = verdict(ours[0], theirs[0], other[0] if other else None)
                yield found, reason, name, ours[0], theirs[0]


class Tally:
    """Of some moments: how often which verdict, why, and what is to be looked at."""

    def __init__(self):
        self.count = collections.Counter()
        self.reasons = collections.defaultdict(collections.Counter)
        self.findings = []
        self.lone = []
        self.frames = 0

    def add(self, other):
        self.count += other.count
        for key, reasons in other.reasons.items():
            self.reasons[key] += reasons
        self.findings += other.findings
        self.lone += other.lone
        self.frames += other.frames
        return self

    def now(self, found, better):
        """It has another verdict."""
        self.count[found.verdict] -= 1
        self.count[better] += 1
        if found.verdict == GDB_ONLY:
            self.reasons[found.verdict][our_reason(found.ours)] -= 1
        self.findings.remove(found)

    def known_by_gdb(self):
        return sum(self.count[key] for key in (SAME, NO_SYMBOL, PART, GDB_ONLY, MISSING, DIFFERENT))

    def share(self):
        """Percent of what gdb knows that we tell, too."""
        total = self.known_by_gdb()
        return 100.0 * (self.count[SAME] + self.count[NO_SYMBOL]) / total if total else 0.0


PIECE = re.compile(r"\[(\d+)-byte piece\]")
RANGE = re.compile(r"Range 0x([0-9a-f]+)-0x([0-9a-f]+): (.*?)(?=\bRange 0x|\Z)", re.S)


def locations_at(explained, pc):
    """The locations that hold at `pc`, as gdb writes them."""
    return [text for start, end, text in RANGE.findall(explained["location"])
            if int(start, 16) <= pc < int(end, 16)] or [explained["location"]]


def is_short(explained, pc):
    """Are the pieces of a location that holds at `pc` less than the object?"""
    sizes = [sum(map(int, PIECE.findall(text))) for text in locations_at(explained, pc)]
    return any(0 < size < (explained["size"] or 0) for size in sizes)


def may_be_short(found):
    """A number of which we say that it is optimized out."""
    return (found.verdict == GDB_ONLY and found.ours.get("state") == "optimized-out"
            and re.fullmatch(r"-?[\d.e+-]+", found.gdb["value"]))


def is_entry(explained, pc):
    """Is it what the caller passed?"""
    return any("DW_OP_entry_value" in text or "DW_OP_GNU_entry_value" in text
               for text in locations_at(explained, pc))


def may_be_entry(found, theirs):
    """Another value than gdb's in an inlined function; gdb has ours in the function around it."""
    tid, level = found.level
    frames = next(thread["frames"] for thread in theirs["threads"] if thread["tid"] == tid)
    around = next((frame for frame in frames[level:] if not frame["inline"]), frames[level])
    return (found.verdict == DIFFERENT and around is not frames[level]
            and any(item.get("value") == found.ours["value"] for item in around["variables"]))


def samples_of(lines):
    """{tid: frames} of cgunwind's JSON."""
    return {item["tid"]: item["frames"] for item in lines if item["type"] == "sample"}


def compare(samples, theirs, tainted=None):
    """The tally of one moment: {tid: frames} of ours, gdb's answer, and that by other registers."""
    tally = Tally()
    changed = {thread["tid"]: thread["frames"] for thread in (tainted or {"threads": []})["threads"]}
    for thread in theirs["threads"]:
        frames = samples.get(thread["tid"])
        if frames is None:
            tally.lone.append("no sample of thread %d" % thread["tid"])
            continue
        pairs, lone = matched_frames(frames, thread["frames"])
        tally.lone += lone
        tally.frames += len(pairs)
        levels = {id(frame): level for level, frame in enumerate(thread["frames"])}
        other = changed.get(thread["tid"], [])
        for our, their, is_caller in pairs:
            level = levels[id(their)]
            twin = other[level] if level < len(other) and other[level]["pc"] == their["pc"] else None
            for found, reason, name, mine, gdbs in compare_frame(our, their, twin, is_caller):
                tally.count[found] += 1
                if reason:
                    tally.reasons[found][reason] += 1
                if found in FAILURES or found in (OURS_ONLY, GDB_ONLY):
                    tally.findings.append(Finding(
                        found, their["function"], their["pc"], (thread["tid"], level), name,
                        (gdbs or mine).get("type", "?"), mine, gdbs))
    return tally
