# SPDX-License-Identifier: MIT
# For tests that install: the list of what was installed before, by which `uninstall` goes, comes
# back when they end. They share a lock (CMakeLists.txt).
manifest=$build/install_manifest.txt
if [ -e "$manifest" ]; then cp -p "$manifest" "$work/manifest"; fi
restore_manifest() {
    if [ -e "$work/manifest" ]; then mv "$work/manifest" "$manifest"; else rm -f "$manifest"; fi
    cleanup
}
trap restore_manifest EXIT
