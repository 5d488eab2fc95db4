"""The rules and the state of the game."""

__all__ = ["HIGHEST", "Game"]

HIGHEST = 1_000


class Game:
    """A number to find, and what is known of it.

    Args:
        number: The number.
        guesses: The guesses so far.
    """

    def __init__(self, number: int, guesses: tuple[int, ...] = ()) -> None:
        self.number = number
        self.guesses: tuple[int, ...] = ()
        self.low, self.high = 1, HIGHEST
        for guess in guesses:
            self.play(guess)

    def play(self, guess: int) -> None:
        """Make a guess."""
        self.guesses = (*self.guesses, guess)
        if guess <= self.number:
            self.low = max(self.low, guess + (guess < self.number))
        if guess >= self.number:
            self.high = min(self.high, guess - (guess > self.number))

    @property
    def distance(self) -> int:
        """How far the last guess is from the number; before the first, the farthest."""
        return abs(self.guesses[-1] - self.number) if self.guesses else HIGHEST
