"""Environments whose pictures break a promise."""

import itertools

from toy_envs import Drawn, HasSecret

from aq_gym.core.drawing import Drawing, Text


class DrawsWithoutAMode(HasSecret):
    def drawing(self):
        return Drawing(10, 10, "")


class DrawsNothing(Drawn):
    def _draw(self):
        return Drawing(10, 10, "")


class DrawsTheSecret(Drawn):
    def _draw(self):
        drawing = super()._draw()
        drawing.add(Text(5, 5, self.secrets()[0]))
        return drawing


class DrawsTheHiddenKey(Drawn):
    """It names the room, which no observation does."""

    def _reset(self, options):
        start = super()._reset(options)
        return start._replace(observation="A room. Lamps: 1, 2, 3.")

    def _draw(self):
        drawing = super()._draw()
        drawing.add(Text(5, 5, str(self.key)))
        return drawing


class DrawsAndSteps(Drawn):
    def _draw(self):
        self.on[0] = not self.on[0]
        return super()._draw()


class DrawsCounts(Drawn):
    count = itertools.count()

    def _draw(self):
        drawing = super()._draw()
        drawing.add(Text(5, 5, str(next(self.count))))
        return drawing


class LinkedDrawing(Drawing):
    def svg(self):
        return super().svg().replace("</svg>", '<a href="https://x.y"/></svg>')


class DrawsOtherPages(Drawn):
    def drawing(self):
        return LinkedDrawing(**vars(super().drawing()))
