"""Calls into the module: the short way and wasmtime's own give the same."""

import pytest
from wasmtime import Engine, Instance, Module, Store, Trap

from aq_gym.zmachine import Status
from aq_gym.zmachine.calls import caller
from zmachine.compiled import play

PLACE = "aq_gym.zmachine.calls._direct"
MODULE = """(module
  (global $count (export "count") (mut i32) (i32.const 0))
  (func (export "count_up")
    (global.set $count (i32.add (global.get $count) (i32.const 1))))
  (func (export "answer") (result i32) (i32.const 42))
  (func (export "fail") unreachable))"""


@pytest.fixture(params=["direct", "wasmtime's own"])
def exports(request, monkeypatch):
    """A store and a module's exports, called in one way or the other."""
    if request.param != "direct":
        monkeypatch.setattr(PLACE, _unknown_interface)
    engine = Engine()
    store = Store(engine)
    return store, Instance(store, Module(engine, MODULE), []).exports(store)


def test_a_function_is_called(exports):
    store, made = exports
    count_up = caller(store, made["count_up"])
    for _ in range(3):
        assert count_up() is None
    assert made["count"].value(store) == 3


def test_a_trap_is_raised(exports):
    store, made = exports
    with pytest.raises(Trap):
        caller(store, made["fail"])()


def test_a_result_may_be_there(exports):
    store, made = exports
    caller(store, made["answer"])()


def test_a_story_plays_the_same(monkeypatch):
    texts = []
    for _ in range(2):
        interpreter, opening = play("reader", 5)
        texts.append((opening, interpreter.step("s")))
        monkeypatch.setattr(PLACE, _unknown_interface)
    assert texts[0] == texts[1]
    assert texts[0][1].status in (Status.LINE, Status.KEY)


def _unknown_interface(store, function):
    raise AttributeError("wasmtime_func_call")
