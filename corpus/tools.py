# SPDX-License-Identifier: MIT
"""The programs `capture` and `check` as modules, for those that do more than one of both."""

import importlib.machinery
import importlib.util
import os

HERE = os.path.dirname(os.path.abspath(__file__))


def _load(name):
    loader = importlib.machinery.SourceFileLoader(name, os.path.join(HERE, name))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(name, loader))
    loader.exec_module(module)
    return module


capture, check = _load("capture"), _load("check")
