"""Drawings as SVG and as pixels."""

import re
from xml.etree import ElementTree

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.error import DependencyNotInstalled
from gymnasium.wrappers import RenderCollection
from hypothesis import given
from hypothesis import strategies as st
from toy_envs import LampsEnv

from aq_gym.core.drawing import (
    INK,
    PALETTE,
    PAPER,
    Circle,
    Drawing,
    Line,
    Polygon,
    Rect,
    Text,
    fitted,
    wrapped,
)
from aq_gym.core.raster import pixels

SVG = "{http://www.w3.org/2000/svg}"


def test_shapes_become_elements_in_their_order():
    drawing = Drawing(100, 50, "All")
    drawing.add(
        Rect(1, 2, 30, 4.5, "#ff0000", "#00ff00", radius=3),
        Circle(5, 6, 7, "", "#0000ff"),
        Line(0, 0, 10, 10, dashed=True),
        Polygon(((0, 0), (1, 0), (0.5, 1 / 3))),
        Text(5, 10, "a < b", 20, anchor="start", bold=True),
    )
    root = ElementTree.fromstring(drawing.svg())
    assert root.attrib["viewBox"] == "0 0 100 50"
    names = [one.tag.removeprefix(SVG) for one in root]
    assert names == ["title", "rect", "rect", "circle", "line", "polygon", "text"]
    assert root[2].attrib["rx"] == "3"
    assert root[2].attrib["height"] == "4.5"
    assert root[3].attrib["fill"] == "none"
    assert root[5].attrib["points"] == "0,0 1,0 0.5,0.33"
    assert root[6].text == "a < b"


def test_a_dark_picture_keeps_hues_and_contrasts():
    drawing = Drawing(90, 90, "", [Text(60, 5, "x", fill="#0072b2", anchor="end")])
    drawing.add(Rect(0, 0, 9, 9, "#0072b2", "#ffffff"), Text(4, 4, "x", fill=PAPER))
    # What is on a black ground stays as it is, with the edges of the ground.
    drawing.add(
        Rect(31, 31, 18, 18, "#111417", "#59626d"), Circle(40, 40, 9, "#a3adb8")
    )
    drawing.add(Text(40, 40, "x", fill=INK), *(Rect(9, 0, 9, 9, c) for c in PALETTE))
    paints = '(?:fill|stroke)="(#.{6})"'
    changed = ["#141414", "#4bbeff", "#0072b2", "#141414", "#ffffff"]
    kept = ["#111417", "#59626d", "#a3adb8", INK, *PALETTE]
    assert re.findall(paints, drawing.svg("dark")) == [*changed, *kept]
    # The relative luminance, from which WCAG computes the contrast.
    colours = np.array([[*bytes.fromhex(c[1:])] for c in (*PALETTE, "#141414")]) / 255
    *ours, ground = 0.05 + ((colours + 0.055) / 1.055) ** 2.4 @ (0.2126, 0.7152, 0.0722)
    assert min(ours) >= 3 * ground
    # A browser takes the colour scheme of the page, or the light colours.
    auto = drawing.svg("auto")
    assert re.findall(paints, re.sub("<style>.*</style>| class=.k.", "", auto)) == (
        re.findall(paints, drawing.svg())
    )
    assert 'text[fill="#0072b2"]:not(.k){fill:#4bbeff}' in auto
    assert auto.count('class="k"') == 4


@given(st.text(), st.text())
def test_any_text_is_valid_xml(title, text):
    drawing = Drawing(10, 10, title, [Text(0, 0, text, fill=text)])
    ElementTree.fromstring(drawing.svg())
    drawing.svg().encode()


@given(st.text(), st.integers(10, 300), st.integers(1, 5))
def test_texts_fit_a_width(text, width, lines):
    most = max(1, int(width / (16 * 0.602)))
    assert len(fitted(text, width)) <= most
    rows = wrapped(text, width, lines=lines)
    assert len(rows) <= lines
    assert all(len(row) <= most for row in rows)


def test_what_is_cut_ends_in_an_ellipsis():
    assert fitted("a long text", 60) == "a lon…"
    assert wrapped("a long text here", 70, lines=2) == ["a long", "text h…"]


@pytest.mark.needs("module:resvg_py")
def test_pixels_have_one_size_and_the_colours_of_the_shapes():
    drawing = Drawing(100, 100, "", [Rect(0, 0, 100, 100, "#ff0000")])
    frame = pixels(drawing)
    assert frame.shape == (480, 640, 3)
    assert frame.dtype == np.uint8
    assert frame[240, 320].tolist() == [255, 0, 0]
    assert frame[240, 10].tolist() == [255, 255, 255]
    for size in ((424, 464), (1000, 3), (3, 1000)):
        assert pixels(Drawing(*size, "")).shape == (480, 640, 3)


@pytest.mark.needs("module:resvg_py")
def test_letters_are_drawn():
    frame = pixels(Drawing(64, 48, "", [Text(32, 24, "●", 40)]))
    assert (frame < 100).any()


def test_a_missing_extra_is_named(monkeypatch):
    monkeypatch.setattr("aq_gym.core.raster.find_spec", lambda name: None)
    env = gym.make("aq/Mastermind-v0", render_mode="rgb_array")
    env.reset(seed=0)
    with pytest.raises(DependencyNotInstalled, match=r"aq-gym\[pictures\]"):
        env.render()


def test_modes_follow_from_what_can_be_drawn():
    assert LampsEnv().metadata["render_modes"] == ["ansi"]
    env = gym.make("aq/Mastermind-v0")
    assert env.metadata["render_modes"] == ["ansi", "rgb_array"]
    with pytest.raises(ValueError, match="choose None or"):
        LampsEnv(render_mode="rgb_array")


@pytest.mark.needs("module:resvg_py")
def test_gymnasium_collects_the_frames_of_an_episode():
    env = RenderCollection(gym.make("aq/Mastermind-v0", render_mode="rgb_array"))
    env.reset(seed=0)
    env.step("1234")
    frames = env.render()
    assert [frame.shape for frame in frames] == [(480, 640, 3)] * 2
    assert (frames[0] != frames[1]).any()
