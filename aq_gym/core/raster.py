"""Pictures as arrays of pixels."""

from __future__ import annotations

import io
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import numpy.typing as npt
from gymnasium.error import DependencyNotInstalled

from aq_gym.core.drawing import Drawing
from aq_gym.support.extras import pip_command

# Rows and columns of every frame: a video and a space have one size.
FRAME = (480, 640)
_HINT = f"pictures in pixels need an extra: {pip_command('pictures')}"


def require_rasteriser() -> None:
    """Raise an error at once if pictures cannot be rasterised.

    Raises:
        gymnasium.error.DependencyNotInstalled: If the extra ``pictures`` is missing.
    """
    if not all(map(find_spec, ("matplotlib", "PIL", "resvg_py"))):
        raise DependencyNotInstalled(_HINT)


def png_file(image: npt.NDArray[np.uint8]) -> bytes:
    """Return an image as a PNG file.

    Args:
        image: Rows of columns of red, green and blue.
    """
    from PIL import Image

    file = io.BytesIO()
    Image.fromarray(image).save(file, "PNG")
    return file.getvalue()


def _rasterised(drawing: Drawing) -> bytes:
    """Return a picture as a PNG file, as large as fits into 640 x 480 pixels.

    The fonts are those of matplotlib, so that the pixels are the same on every machine.
    """
    require_rasteriser()
    import resvg_py

    rows, columns = FRAME
    return bytes(
        resvg_py.svg_to_bytes(
            svg_string=drawing.svg(),
            zoom=min(rows / drawing.height, columns / drawing.width),
            skip_system_fonts=True,
            font_files=list(_fonts()),
            monospace_family="DejaVu Sans Mono",
        )
    )


def pixels(drawing: Drawing) -> npt.NDArray[np.uint8]:
    """Return a picture as an array of 480 x 640 x 3 numbers, centred on white.

    Raises:
        gymnasium.error.DependencyNotInstalled: If the extra ``pictures`` is missing.
    """
    file = _rasterised(drawing)
    from PIL import Image

    with Image.open(io.BytesIO(file)) as opened:
        # Cut to size, because the rasteriser can round a side up.
        image = np.asarray(opened.convert("RGB"))[: FRAME[0], : FRAME[1]]
    frame = np.full((*FRAME, 3), 255, np.uint8)
    top = (FRAME[0] - image.shape[0]) // 2
    left = (FRAME[1] - image.shape[1]) // 2
    frame[top : top + image.shape[0], left : left + image.shape[1]] = image
    return frame


@cache
def _fonts() -> tuple[str, ...]:
    spec = find_spec("matplotlib")
    assert spec is not None
    assert spec.origin is not None
    folder = Path(spec.origin).parent / "mpl-data" / "fonts" / "ttf"
    names = ("DejaVuSansMono.ttf", "DejaVuSansMono-Bold.ttf")
    return tuple(str(folder / name) for name in names)
