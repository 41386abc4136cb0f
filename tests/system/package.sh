#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The Debian package: lintian finds no error and warns of nothing, a fresh system of this release takes it with what it
# depends on, the programs run there, and nothing is left of it when it is removed.
#
# Needs root, for a chroot. The minimal system lies below $CG_CACHE (default ~/.cache/cg-debian), and so do the packages
# that are installed there; they come from where this machine's apt has them from. Mounts are in a namespace of
# their own and end with it, and so do all processes.
. "$(dirname "$0")/lib.sh"
suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
cache=${CG_CACHE:-$HOME/.cache/cg-debian}/chroot-$suite
build=$(realpath "$build")
[ "$(id -u)" = 0 ] || skip "not root"
for tool in debootstrap lintian cpack dpkg-shlibdeps unshare; do
    command -v "$tool" >/dev/null || skip "no $tool: run scripts/deps test"
done
grep -q '^CG_SANITIZE:BOOL=OFF$' "$build/CMakeCache.txt" || skip "$build is built with sanitizers"

cmake --build "$build" >"$work/log" 2>&1 || { cat "$work/log"; fail "it is built"; finish; }
quiet() { "$@" >"$work/log" 2>&1 || { cat "$work/log"; return 1; }; }
# As `cmake --build … --target package` does, but to another directory.
quiet cpack --config "$build/CPackConfig.cmake" -B "$work/out" || { fail "the package is built"; finish; }
package=$(echo "$work/out"/*.deb)
check "one package: $(basename "$package")" [ -f "$package" ]
lintian --allow-root --fail-on error,warning "$package" >"$work/lintian" 2>&1
status=$?
check "lintian finds no error and no warning, status $status: $(tr '\n' ' ' <"$work/lintian")" [ $status = 0 ]
for library in libcapstone:Depends libdwarf:Recommends libgvc:Recommends libdebuginfod:Recommends; do
    check "${library#*:}: ${library%:*}" grep -q "${library%:*}" <(dpkg-deb -f "$package" "${library#*:}")
done

# A minimal system, made once.
mirror=$(apt-get indextargets --format '$(REPO_URI)' "Created-By: Packages" "Origin: Debian" "Codename: $suite" "Component: main" | head -n 1)
[ -n "$mirror" ] || skip "apt has no $suite here"
if [ ! -e "$cache/base.tar" ]; then
    mkdir -p "$cache"
    debootstrap --variant=minbase "$suite" "$work/base" "$mirror" >"$work/log" 2>&1 ||
        { tail -n 3 "$work/log"; skip "debootstrap: $(tail -n 1 "$work/log")"; }
    tar -C "$work/base" -cf "$cache/base.tar.new" . && mv "$cache/base.tar.new" "$cache/base.tar"
    rm -rf "$work/base"
fi
mkdir -p "$work/root" "$cache/archives/partial"
tar -C "$work/root" -xf "$cache/base.tar"
apt-config dump Acquire >"$work/root/etc/apt/apt.conf.d/99host" # proxies, and what of the archive is checked
cp -L /etc/resolv.conf /etc/hosts "$work/root/etc/"
cp "$package" "$work/root/tmp/cgsnap.deb"

cat >"$work/root/tmp/inside" <<'SH'
set -u
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8
check() {
    local what=$1
    shift
    if "$@" >/tmp/log 2>&1; then echo "PASS $what"; else cat /tmp/log; echo "FAIL $what"; fi
}
is_gone() { [ -z "$(find / -xdev -name '*cgsnap*' ! -path '/tmp/*' -o -xdev -name '*cgunwind*' -o -xdev -name '*cgrules*' -o -xdev -name '*cgtop*' |
    tee /dev/stderr)" ]; }
check "the package lists" apt-get -q update
check "nothing is there before" is_gone
check "installs with what it depends on" apt-get -qy install /tmp/cgsnap.deb
dpkg -L cgsnap >/tmp/files
check "manual pages" ls /usr/share/man/man1/cgsnap.1.gz /usr/share/man/man1/cgunwind.1.gz /usr/share/man/man1/cgrules.1.gz \
    /usr/share/man/man1/cgtop.1.gz \
    /usr/share/man/man5/snap.bin.5.gz
for program in cgsnap cgunwind cgrules cgtop; do
    check "completions of $program" ls /usr/share/bash-completion/completions/$program \
        /usr/share/zsh/vendor-completions/_$program /usr/share/fish/vendor_completions.d/$program.fish
done
sleep 1000 &
sleep 0.2
check "cgsnap captures a process" cgsnap -q -n 1 -p $! -o /tmp/snap
check "cgunwind prints its chain" cgunwind -f chains -o /tmp/chains /tmp/snap
cat /tmp/chains
check "from the call it waits in" grep -q nanosleep /tmp/chains
check "to the start of the thread" grep -q __libc_start_main /tmp/chains
check "libraries that are loaded when needed: Graphviz" cgunwind -o /tmp/graph.svg /tmp/snap
check "an SVG" grep -q '</svg>' /tmp/graph.svg
check "libraries that are loaded when needed: capstone" cgrules -m prologue /usr/bin/cgrules
kill $!
check "is removed" apt-get -qy purge --autoremove cgsnap
check "no file is left" is_gone
while read -r file; do
    [ ! -f "$file" ] || echo "FAIL left: $file"
done </tmp/files
check "dpkg does not know it" sh -c '! dpkg -s cgsnap'
SH
# /proc and the directory of packages are seen by these processes alone.
export root=$work/root cache
unshare --mount --pid --fork --kill-child --propagation private bash -c '
    mount -t proc proc "$root/proc" && mount --bind "$cache/archives" "$root/var/cache/apt/archives" &&
        exec chroot "$root" /bin/bash /tmp/inside' >"$work/inside" 2>&1
status=$?
cat "$work/inside"
check "the chroot: status $status" [ $status = 0 ]
check "all of it passed" [ "$(grep -c '^PASS' "$work/inside")" = 18 ]
check "nothing of it failed" test -z "$(grep '^FAIL' "$work/inside")"
check "no mount is left" test -z "$(grep "$work" /proc/mounts)"
finish
