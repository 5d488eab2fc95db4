"""The protocols: WebShop's, AgentQuest's, and AgentBoard's by its code and paper."""

from __future__ import annotations

from typing import ClassVar

from aq_gym.core.results import Turn
from aq_gym.core.text import quote
from aq_gym.envs.webshop import text
from aq_gym.envs.webshop.logic.session import NEXT, Scores, Session

__all__ = [
    "PROTOCOLS",
    "AgentBoardPaperProtocol",
    "AgentBoardProtocol",
    "AgentQuestProtocol",
    "Protocol",
]


class Protocol:
    """WebShop's pages, and our progress.

    Args:
        mode: WebShop's ``observation_mode``: "text_rich" or "text".
    """

    per_page: ClassVar[int] = 10

    def __init__(self, mode: str) -> None:
        self._write = text.rich if mode == "text_rich" else text.separated

    def page(self, session: Session) -> str:
        """Return the open page as text.

        Args:
            session: The visit.
        """
        return self._write(text.elements(session))

    def opening(self, session: Session) -> str:
        """Return the first page as text.

        Args:
            session: The visit.
        """
        return self.page(session)

    def invalid(self, session: Session, problem: str) -> Turn:
        """Return the result of an action that changes nothing.

        Args:
            session: The visit.
            problem: What is wrong with it.
        """
        said = f"{problem}\n{self.page(session)}"
        return Turn(said, action_valid=False, feedback=problem)

    def clicked(self, session: Session, chosen: str) -> str:
        """Return the observation after a click.

        Args:
            session: The visit.
            chosen: The value of the option that was clicked, "" for something else.
        """
        return self.page(session)

    def refuses_search(self, session: Session) -> str:
        """Return why there is no search here, "" if there is.

        Args:
            session: The visit.
        """
        return ""

    def refuses_click(self, session: Session, label: str) -> str:
        """Return why a button of the page cannot be used, "" if it can.

        Args:
            session: The visit.
            label: Its label, in lower case.
        """
        return ""

    def progress(self, scores: Scores) -> float:
        """Return the progress: how far the best purchase so far has come.

        Args:
            scores: The scores of the visit.
        """
        stages = (scores.listed, scores.opened, scores.chosen, scores.bought)
        return sum(stages) / len(stages)


class AgentQuestProtocol(Protocol):
    """WebShop's pages, and AgentQuest's progress: the reward of the purchase."""

    def progress(self, scores: Scores) -> float:
        """Return the reward of the purchase."""
        return scores.bought


class AgentBoardProtocol(Protocol):
    """AgentBoard's pages, and the progress that its code computes."""

    per_page = 3
    _TOTAL: ClassVar[int] = 15
    _LAST_PAGE: ClassVar[int] = 6

    def page(self, session: Session) -> str:
        """Return the open page as text; the instruction is not repeated."""
        if session.view.page == "search":
            return "WEB PAGE: {WebShop \n[Search]}"
        pieces = text.elements(session, self._TOTAL)[2:]
        return f"WEB PAGE: {{{''.join(map(_bracketed, pieces)).strip()}}}"

    def opening(self, session: Session) -> str:
        """Return the goal and the first page."""
        return f"Goal: {session.judge.goal.instruction}\n{self.page(session)}"

    def clicked(self, session: Session, chosen: str) -> str:
        """Return the page, or only the option that was chosen."""
        if chosen:
            return f"WEB PAGE: {{You have clicked {chosen}.}}"
        return self.page(session)

    def refuses_search(self, session: Session) -> str:
        """Refuse it on all pages but that of the search."""
        if session.view.page == "search":
            return ""
        return "This page has no [Search]. Use click[Back to Search], then search."

    def refuses_click(self, session: Session, label: str) -> str:
        """Refuse pages of results after the sixth."""
        view = session.view
        if label != NEXT.lower() or view.page != "results":
            return ""
        if view.number < self._LAST_PAGE:
            return ""
        return f"There are no pages after {quote(str(self._LAST_PAGE))}."

    def progress(self, scores: Scores) -> float:
        """Return a third of each score: listed, opened, bought."""
        return (scores.listed + self._opened(scores) + scores.bought) / 3

    def _opened(self, scores: Scores) -> float:
        return scores.last


class AgentBoardPaperProtocol(AgentBoardProtocol):
    """AgentBoard's pages, and the progress that its paper defines."""

    def _opened(self, scores: Scores) -> float:
        return scores.opened


PROTOCOLS = {
    "webshop": Protocol,
    "agentquest": AgentQuestProtocol,
    "agentboard": AgentBoardProtocol,
    "agentboard-paper": AgentBoardPaperProtocol,
}


def _bracketed(piece: text.Element) -> str:
    if piece.kind == "option":
        return f"[[{piece.text}]]" if piece.marked else f"[{piece.text}]"
    if piece.kind == "text":
        return f"\n{piece.text} "
    return f"\n[{piece.text}] "
