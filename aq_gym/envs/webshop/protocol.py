"""The protocols: WebShop's, AgentQuest's, and AgentBoard's by its code and paper."""

from __future__ import annotations

import re
from statistics import fmean
from typing import ClassVar
from urllib.parse import quote_plus

from aq_gym.core.prompt import PublishedPrompt
from aq_gym.core.results import Turn
from aq_gym.envs.webshop import text
from aq_gym.envs.webshop.logic.session import NEXT, PREVIOUS, Scores, Session
from aq_gym.papers.agentboard import prompt

# What AgentBoard plays of an answer, with what follows on its line.
_ACTION = re.compile(r"(?:click\[|search\[).*")
# AgentBoard's answers, word for word.
_FORMAT = (
    "Incorrect action format. Please use the correct action format following:\n"
    "Available Actions:\n\n"
    "click[something]: Engage with specific buttons or links.\n"
    "search[something]: Seek specific data on the website. Use this only if a [Search] "
    "button appears in the observation.\n"
    "Note: If you wish to search and there is no [Search] button, click the "
    "[Back to Search] button instead. "
)
_NO_SEARCH = (
    "There is no [Search] button, you should click the [Back to Search] button first "
    "to search something "
)
_NO_BUTTON = (
    "You can only click the button showed in the observation. Elements within square "
    "brackets (like [Buy Now]) indicate clickable buttons or links."
)
_LIMIT = "The page number is limited to 5, please choose another action."


class Protocol:
    """WebShop's pages, and our progress.

    Args:
        mode: WebShop's ``observation_mode``: "text_rich" or "text".
    """

    per_page: ClassVar[int] = 10
    # Whether click["Buy Now"] is read as click[Buy Now].
    drops_quotes: ClassVar[bool] = True

    def __init__(self, mode: str) -> None:
        self._write = text.rich if mode == "text_rich" else text.separated

    def page(self, session: Session) -> str:
        """Return the open page as text."""
        return self._write(text.elements(session))

    def opening(self, session: Session) -> str:
        """Return the first page as text."""
        return self.page(session)

    def invalid(self, session: Session, problem: str) -> Turn:
        """Return the result of an action that changes nothing."""
        said = f"{problem}\n{self.page(session)}"
        return Turn(said, action_valid=False, feedback=problem)

    def malformed(self, session: Session, action: str) -> Turn:
        """Return the result of a text that is not an action."""
        return self.invalid(session, text.not_an_action(action))

    def unknown(self, session: Session, label: str) -> Turn:
        """Return the result of a click on something that the page does not have."""
        return self.invalid(session, text.no_such_label(session, label))

    def bought(self, score: float) -> str:
        """Return the observation after the purchase."""
        return text.outcome(score)

    def clicked(self, session: Session, chosen: str) -> str:
        """Return the observation after a click.

        Args:
            session: The visit.
            chosen: The value of the option that was clicked, "" for something else.
        """
        return self.page(session)

    def refuses_search(self, session: Session) -> str:
        """Return why the page has no search, or "" if it has one."""
        return ""

    def refuses_click(self, session: Session, label: str) -> str:
        """Return why a button of the page cannot be used, or "" if it can.

        Args:
            session: The visit.
            label: Its label, in lower case.
        """
        return ""

    def published_prompt(self, session: Session) -> PublishedPrompt | None:
        """Return the prompt of the paper's agent, None without one."""
        return None

    def progress(self, scores: Scores) -> float:
        """Return the progress: how far the best purchase so far has come."""
        stages = (scores.listed, scores.opened, scores.chosen, scores.bought)
        # sum() of floats rounds in another way from Python 3.12 on.
        return fmean(stages)


class AgentQuestProtocol(Protocol):
    """WebShop's pages, and AgentQuest's progress: the reward of the purchase."""

    def progress(self, scores: Scores) -> float:
        """Return the reward of the purchase."""
        return scores.bought


class AgentBoardProtocol(Protocol):
    """AgentBoard's pages and answers, and the progress that its code computes."""

    per_page = 3
    drops_quotes = False
    _TOTAL: ClassVar[int] = 15
    _LAST_PAGE: ClassVar[int] = 6

    def page(self, session: Session) -> str:
        """Return the open page as text; the instruction is not repeated."""
        if session.view.page == "search":
            return _page("Let us begin shopping \n[Search]")
        pieces = text.elements(session, self._TOTAL)[2:]
        return _page("".join(map(_bracketed, pieces)))

    def opening(self, session: Session) -> str:
        """Return the goal and the first page."""
        return f"Goal: {session.judge.goal.instruction}\n{self.page(session)}"

    def invalid(self, session: Session, problem: str) -> Turn:
        """Return AgentBoard's answer; some repeat the page."""
        said = problem
        if problem == _NO_SEARCH:
            said = _page(problem)
        elif problem != _FORMAT:
            said += f" The recent observation is: \n{self.page(session)}"
        return Turn(said, action_valid=False, feedback=problem)

    def malformed(self, session: Session, action: str) -> Turn:
        """Return AgentBoard's answer about the format of actions."""
        return self.invalid(session, _FORMAT)

    def unknown(self, session: Session, label: str) -> Turn:
        """Return AgentBoard's answer about what can be clicked."""
        return self.invalid(session, _NO_BUTTON)

    def bought(self, score: float) -> str:
        """Return whether the score is 1.0."""
        return _page(f"Result: [{'Success' if score == 1.0 else 'False'}]")

    def clicked(self, session: Session, chosen: str) -> str:
        """Return the page, or only the option that was chosen."""
        return _page(f"You have clicked {chosen}.") if chosen else self.page(session)

    def refuses_search(self, session: Session) -> str:
        """Refuse a search on all pages except the search page."""
        return "" if session.view.page == "search" else _NO_SEARCH

    def refuses_click(self, session: Session, label: str) -> str:
        """Refuse pages of results before the first and after the sixth."""
        view = session.view
        ends = {NEXT.lower(): self._LAST_PAGE, PREVIOUS.lower(): 1}
        at_end = view.page == "results" and ends.get(label) == view.number
        return _LIMIT if at_end else ""

    def published_prompt(self, session: Session) -> PublishedPrompt | None:
        """Return AgentBoard's prompt, None if its checkout is not there."""
        first = [("Action", "reset[]"), ("Observation", self.page(session))]
        goal = session.judge.goal.instruction
        return prompt("webshop_vanilla", goal, first, said=_cleaned)

    def progress(self, scores: Scores) -> float:
        """Return a third of each score: listed, opened, bought."""
        mean = (scores.listed + scores.last + scores.bought) / 3
        # Its code also reads the score of the purchase as progress.
        return max(mean, scores.bought)


class AgentBoardPaperProtocol(AgentBoardProtocol):
    """AgentBoard's pages, and the progress that its paper defines."""

    def progress(self, scores: Scores) -> float:
        """Return a third of each score: listed, opened, bought."""
        return (scores.listed + scores.opened + scores.bought) / 3


PROTOCOLS = {
    "webshop": Protocol,
    "agentquest": AgentQuestProtocol,
    "agentboard": AgentBoardProtocol,
    "agentboard-paper": AgentBoardPaperProtocol,
}


def _cleaned(answer: str) -> str:
    """Return the part of an answer that AgentBoard plays: from the first action on."""
    found = _ACTION.search(answer)
    return answer[found.start() :] if found else answer


def _page(content: str) -> str:
    # Signs that Latin-1 lacks are left out.
    shown = content.encode("latin-1", "ignore").decode("latin-1")
    return f"WEB PAGE: {{{shown}}}"


def _bracketed(piece: text.Element) -> str:
    if not piece.text.strip():
        return ""
    if piece.kind == "option":
        # It looks for the value in a URL, where other signs are quoted.
        found = piece.marked and quote_plus(piece.text) == piece.text
        return f"[[{piece.text}]]" if found else f"[{piece.text}]"
    if piece.kind == "text":
        return f"\n{piece.text} "
    return f"\n[{piece.text}] "
