"""Gymnasium's videos and windows of our pictures: ``.ci/integrations`` runs it."""

import gymnasium as gym
import pytest
from gymnasium.wrappers import HumanRendering, RecordVideo

import aq_gym  # noqa: F401 (registers the ids)

moviepy = pytest.importorskip("moviepy", reason="needs moviepy, as in .ci/integrations")
pytest.importorskip("pygame", reason="needs pygame-ce, as in .ci/integrations")
# Warnings of the packages are not ours.
pytestmark = pytest.mark.filterwarnings("ignore")


def play(env):
    env.reset(seed=0)
    for _ in range(5):
        env.step("check valid actions")
    env.close()


@pytest.mark.parametrize("env_id", ["aq/Mastermind-v0", "aq/BabyAI-text-v0"])
def test_an_episode_is_recorded_as_a_video(env_id, tmp_path):
    play(RecordVideo(gym.make(env_id, render_mode="rgb_array"), str(tmp_path)))
    (file,) = tmp_path.glob("*.mp4")
    with moviepy.VideoFileClip(str(file)) as clip:
        assert clip.size == [640, 480]
        # The reset and five steps, at the rate of the metadata.
        assert clip.n_frames == 6
        assert clip.fps == 4
        frame = clip.get_frame(0)
    assert frame.max() - frame.min() > 100


def test_a_window_shows_the_pictures(monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    env = gym.make("aq/Mastermind-v0", render_mode="human")
    assert isinstance(env, HumanRendering)
    env.reset(seed=0)
    assert env.render() is None
    assert env.window.get_size() == (640, 480)
    play(env)
