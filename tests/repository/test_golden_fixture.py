"""The golden fixture: what it writes, and what it says where texts differ."""

import pytest


@pytest.fixture
def writes(golden, tmp_path):
    return type(golden)(tmp_path, update=True)


@pytest.fixture
def compares(golden, tmp_path):
    return type(golden)(tmp_path, update=False)


def test_a_written_text_compares_equal(writes, compares):
    writes("passes/first.txt", "a × b\r\n")
    compares("passes/first.txt", "a × b\r\n")


def test_an_update_replaces_the_text(writes, compares):
    writes("first.txt", "old")
    writes("first.txt", "new")
    compares("first.txt", "new")


def test_a_difference_fails_and_leaves_the_file(writes, compares, tmp_path):
    writes("first.txt", "old")
    with pytest.raises(AssertionError, match=r"first\.txt: if the new text is right, pytest --update-golden"):
        compares("first.txt", "new")
    assert (tmp_path / "first.txt").read_text() == "old"


def test_a_missing_file_fails_and_is_not_written(compares, tmp_path):
    with pytest.raises(pytest.fail.Exception, match=r"no golden file .*first\.txt: pytest --update-golden"):
        compares("first.txt", "text")
    assert not (tmp_path / "first.txt").exists()
