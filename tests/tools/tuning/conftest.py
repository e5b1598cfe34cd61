"""The backend of these tests, in the place of the one that launches use."""

from __future__ import annotations

from pathlib import Path

import pytest
from tune_kit import Fake

from pytl.backends import registry
from pytl.launch import tuned
from pytl.tools import tuning


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Fake:
    fake = Fake()
    monkeypatch.setitem(registry._REGISTRY.own, "fake", "")
    monkeypatch.setitem(registry._REGISTRY._loaded, "fake", fake)
    monkeypatch.setenv("PYTL_BACKEND", "fake")
    monkeypatch.setenv("PYTL_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(tuning, "_clock", fake.clock)
    monkeypatch.setattr(tuned, "_tuned_options", {})
    return fake
