"""Read a completion: separate the reasoning, and extract the action."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from aq_gym.wrappers._candidates import (
    Candidate,
    Part,
    after_inline_markers,
    after_markers,
    in_boxes,
    in_fences,
    in_json,
    in_tags,
    readings,
    spans,
    unquote,
)

ONLY_REASONING = "[reasoning without an action]"
CUT_REASONING = "[reasoning that was cut off before an action]"

Understands = Callable[[str], bool]

# The methods that find candidates, in order of preference.
_KINDS: tuple[Callable[[Part], Iterator[Candidate]], ...] = (
    in_json,
    in_tags,
    in_boxes,
    after_markers,
    after_inline_markers,
    in_fences,
)
_INVENTED = r"<(?P<of>observation|obs|tool_response|environment)>"
# The head of a line that a model invented in place of the environment.
_IMAGINED = re.compile(
    r"^[ \t>*_#\[(]*+(?:(?:environment|env|game|new|next|system)[ \t]++)?+"
    r"(?:observations?|environment|obs|user|human|tool[ _]?response|beobachtung"
    r"|\u89c2\u5bdf|\u73af\u5883)"
    r"(?:[ \t]++(?:response|feedback|output))?+"
    r"[ \t]*+\d*+[\])]?+[ \t*_]*+[:\uff1a]"
    rf"|^[ \t]*+{_INVENTED}"
    r"|^[ \t]*+<\|?(?:im_start\|>|start_of_turn>)[ \t]*+user",
    re.IGNORECASE | re.MULTILINE,
)
# What it lets the environment or a tool say: a line of that is no action.
_SAID = re.compile(
    rf"^[ \t]*+{_INVENTED}.*?(?:</(?P=of)>|\Z)",
    re.DOTALL | re.IGNORECASE | re.MULTILINE,
)
_THOUGHT = re.compile(
    r"[ \t>*_#-]*+(?:thought|thoughts|thinking|reasoning|reason|plan|analysis"
    r"|explanation|gedanke|\u601d\u8003)[ \t*_]*+\d*+[ \t*_]*+[:\uff1a]",
    re.IGNORECASE,
)
# A completion without any of these consists only of an action.
_SPECIAL = re.compile(
    "[{<`*\"'\u201c\u201e\u300c:\uff1a\\\\\n\u25c1\\[|]|^analysis.*assistantfinal",
    re.DOTALL,
)
# Tool calls in a row are one action; the environment decides which to carry out.
_TAGGED_CALLS = re.compile(
    r"(?:<tool_call>(?:(?!</?tool_call>).)*+(?:</tool_call>\s*+|\Z))+",
    re.IGNORECASE | re.DOTALL,
)
_JSON_CALLS = re.compile(r"(?:^[ \t]*+\{.*\}[ \t]*+(?:\n|\Z))+", re.MULTILINE)
_CALL_LINES = re.compile(
    r"(?:^[ \t]*+[^\W\d]\w*+\(.*\)[ \t]*+(?:\n|\Z))+", re.MULTILINE
)
_AGENTBOARD_CALLS = re.compile(
    r"(?:^[ \t>*]*+(?:Action[ \t]*+:[ \t*]*+)?+[^\W\d]\w*+[ \t]++with[ \t]++"
    r"Action[ ]Input[ \t]*+:.*+(?:\n\s*+|\Z)){2,}",
    re.IGNORECASE | re.MULTILINE,
)
_SEVERAL_CALLS: tuple[re.Pattern[str], ...] = (_TAGGED_CALLS, _AGENTBOARD_CALLS)
# The content of its arguments is not an action.
_BEGINS_WITH_CALL = re.compile(
    r"[{\[]|(?:Action[ \t]*+:[ \t]*+)?[^\W\d]\w*+(?:\(|\s++(?:with[ ])?+Action)",
    re.IGNORECASE,
)
_CALL = re.compile(
    r"\"(?:name|tool|tool_name|function)\"\s*+:|<function=|<invoke name=|<arg_key>"
    r"|^[ \t>*]*Action[ ]Input\b",
    re.MULTILINE,
)
# A tolerant grammar might read these as part of an action.
_MARKUP = re.compile(r"[<{`\n\u25c1]|\\boxed|\[[A-Z]")
_LONGEST = 4_000
_MOST = 400


class Reading(NamedTuple):
    """The result of reading a completion.

    Attributes:
        action: The text for the environment.
        problem: Why the completion has no action, "" if it has one or was passed on
            as a whole.
    """

    action: str
    problem: str = ""


def read_completion(
    completion: str,
    understands: Understands | None = None,
    has_tools: bool = False,
    stated: Callable[[str], str | None] | None = None,
) -> Reading:
    """Return the action in a completion; ``docs/agents.md`` describes the rules."""
    if understands is None and not _SPECIAL.search(completion):
        return Reading(completion)
    if understands is not None and _is_plain(completion) and understands(completion):
        return Reading(completion)
    answer = split_reasoning(completion)
    if answer.has_reasoning and not answer.text.strip():
        if answer.cut:
            return Reading(
                CUT_REASONING,
                "The answer ended within its reasoning, so it has no action. Reason "
                "less, or allow longer answers.",
            )
        return Reading(
            ONLY_REASONING,
            "The answer has reasoning but no action. Write the action after it.",
        )
    parts = [Part(text) for text in _turns(answer.text)]
    for part in parts:
        whole = part.text.strip()
        if stated and (statement := stated(whole)):
            return Reading(statement)
        forms = _SEVERAL_CALLS
        if has_tools and understands:
            if _BEGINS_WITH_CALL.match(whole) and understands(whole):
                return Reading(whole)
            forms = (*forms, _JSON_CALLS)
        if understands:
            in_call = has_tools and _CALL.search(part.text)
            action = _understood(part, understands, forms, bool(in_call))
        else:
            action = _found(part)
        if action is not None:
            return Reading(action)
    if understands is not None:
        # Passed on, so that the environment explains what is wrong with it.
        for part in parts:
            # An argument without its call would hide what is wrong with the call.
            call = has_tools and _CALL.search(part.text)
            action = part.text.strip() if call else _found(part)
            if action is not None:
                return Reading(action)
    return Reading(answer.text if answer.has_reasoning else completion)


def _turns(text: str) -> Iterator[str]:
    """Yield the parts between lines that the model invented for the environment."""
    start = 0
    for imagined in _IMAGINED.finditer(text):
        yield text[start : imagined.start()]
        start = imagined.start()
    yield text[start:]


def _understood(
    part: Part,
    understands: Understands,
    forms: Iterable[re.Pattern[str]],
    in_call: bool,
) -> str | None:
    """Return the first understood candidate, or None.

    Args:
        part: What is searched.
        understands: Returns whether a text is an action.
        forms: The forms of several calls.
        in_call: Whether there is a call, whose arguments are not actions: then only
            what is marked as an action counts.
    """
    text = part.text

    def first(texts: Iterable[str]) -> str | None:
        for one in texts:
            if one and _short(one) and understands(one):
                return one
        return None

    if _is_plain(text.strip()):
        whole = first(readings(text))
        if whole is not None:
            return whole
    for form in forms:
        several = first(_runs(form, text))
        if several is not None:
            return several
    for kind in _KINDS:
        found = []
        for candidate in _last(kind(part)):
            action = first(_parts(candidate.text))
            if kind is after_markers:
                rest = text[candidate.end :].removeprefix("\n").split("\n")
                action = _paragraph([candidate.text, *rest], first) or action
            if action is not None:
                found.append(candidate._replace(text=action))
        if found:
            return _chosen(kind, text, found)
    if in_call:
        return None
    lines = _SAID.sub("", text).split("\n")[-_MOST:]
    calls = first(_runs(_CALL_LINES, text))
    return calls or _in_spans(lines, first) or _in_lines(lines, first)


def _runs(calls: re.Pattern[str], text: str) -> list[str]:
    """Return the runs of tool calls, the last one first."""
    return [one.strip() for one in calls.findall(text)[-_MOST:]][::-1]


def _parts(text: str) -> Iterator[str]:
    """Yield the readings of a candidate, and of each of its lines."""
    yield from readings(text)
    lines = text.strip().split("\n")
    if len(lines) > 1:
        for line in lines[:_MOST]:
            yield from readings(line)
    part = Part(text)
    for marked in (*after_markers(part), *in_json(part)):
        yield from readings(marked.text)
        break


def _in_spans(
    lines: list[str], first: Callable[[Iterable[str]], str | None]
) -> str | None:
    """Return the understood span of the last line that has exactly one."""
    for line in reversed(lines):
        understood = {first([span]) for span in spans(line)} - {None}
        if len(understood) == 1:
            return understood.pop()
        if understood:
            return None
    return None


def _in_lines(
    lines: list[str], first: Callable[[Iterable[str]], str | None]
) -> str | None:
    """Return the first understood line of the last block of such lines."""
    action = None
    for number in reversed(range(len(lines))):
        if not lines[number].strip():
            continue
        found = _paragraph(lines[number:], first) or first(readings(lines[number]))
        if found is None and action is not None:
            break
        action = found or action
    return action


def _paragraph(
    lines: list[str], first: Callable[[Iterable[str]], str | None]
) -> str | None:
    """Return the lines up to a blank one, if together they are one action.

    If the second line is an action of its own, they are a plan.
    """
    end = next((k for k, line in enumerate(lines) if not line.strip()), len(lines))
    if end < 2 or first(readings(lines[1])) is not None:
        return None
    return first(["\n".join(line.strip() for line in lines[:end])])


def _found(part: Part) -> str | None:
    """Return the action if there is no grammar: from markup, spans or a single line."""
    text = part.text
    for kind in _KINDS:
        found = [
            candidate._replace(text=action)
            for candidate in _last(kind(part))
            if (action := _bare(candidate.text))
        ]
        if found:
            return _chosen(kind, text, found)
    lines = [line for line in text.split("\n") if line.strip()]
    lines = [line for line in lines if not _THOUGHT.match(line)]
    if len(lines) == 1 and not _IMAGINED.match(lines[0]):
        bare = unquote(lines[0])
        in_bold = spans(lines[0], quotes=False)
        return in_bold[0] if len(in_bold) == 1 and bare == lines[0].strip() else bare
    return None


def _bare(text: str) -> str:
    """Return the text of a candidate without quotes, markers and JSON around it."""
    part = Part(text)
    for marked in (*in_json(part), *after_markers(part)):
        return unquote(marked.text)
    return unquote(text)


def _chosen(kind: object, text: str, found: list[Candidate]) -> str:
    """Return the first candidate of the last row with only whitespace in between.

    In a plan, this is the first step. Candidates before a correction are ignored.
    """
    first = found[-1]
    for candidate in reversed(found[:-1]):
        between = text[candidate.end : first.start]
        if kind is after_inline_markers or between.strip(" \t\n\r,;]}"):
            break
        first = candidate
    return first.text


def _last(candidates: Iterable[Candidate]) -> list[Candidate]:
    return list(candidates)[-_MOST:]


def _is_plain(text: str) -> bool:
    return _short(text) and not _MARKUP.search(text)


def _short(text: str) -> bool:
    return len(text) <= _LONGEST


_TAGS = "think|thinking|thought|thoughts|reasoning|reflection|scratchpad|analysis"
# XML-like tags, and the special tokens of Seed, Kimi, Mistral, Magistral and Cohere.
_THINK_TAG = re.compile(
    rf"<(?P<end>/?)(?:seed:)?(?:{_TAGS})[ \t]*+>"
    r"|\u25c1(?P<kimi>/?)think\u25b7"
    r"|\[(?P<mistral>/?)THINK\]"
    r"|<\|(?:START|(?P<cohere>END))_THINKING\|>",
    re.IGNORECASE,
)
# The channels of gpt-oss: reasoning is on "analysis", the answer on "final".
_CHANNEL = re.compile(r"<\|channel\|>\s*+(\w++)[^<]*+(?:<\|constrain\|>[^<]*+)?")
_MESSAGE = "<|message|>"
_LONGEST_HEADER = 200
_RECIPIENT = re.compile(
    r"to=[\w.-]++[^<]*+(?:<\|channel\|>[^<]*+)?(?:<\|constrain\|>[^<]*+)?<\|message\|>\Z"
)
_FINAL_WITHOUT_TOKENS = "assistantfinal"
# The tokens at which a model's turn ends, and wrappers around an answer.
_TURN_END = re.compile(
    r"<\|(?:end|return|call|im_end|eot_id|eom_id|endoftext|end_of_text|END_RESPONSE)\|>"
    r"|</s>|<end_of_turn>|<\uff5cend\u2581of\u2581sentence\uff5c>"
)
_TURN_BEGIN = re.compile(r"\s*+(?:<\|START_RESPONSE\|>|<\|im_start\|>assistant\n)")


class Answer(NamedTuple):
    """The answer in a completion.

    Attributes:
        text: The completion without reasoning; "" if there is only reasoning.
        has_reasoning: Whether reasoning was removed.
        cut: Whether the reasoning was not closed, as if the completion was cut off.
    """

    text: str
    has_reasoning: bool
    cut: bool


def split_reasoning(completion: str) -> Answer:
    """Remove the reasoning from a completion.

    Reasoning is the content of ``<think>`` and similar tags and of gpt-oss's analysis
    channel. Without the opening tag, which some chat templates remove, it is
    everything before the closing tag; without the closing tag, everything after the
    opening one. A completion without reasoning is returned unchanged.
    """
    if "|>" in completion and _CHANNEL.search(completion):
        return _final_channel(completion)
    if completion.startswith("analysis"):
        _, found, final = completion.rpartition(_FINAL_WITHOUT_TOKENS)
        if found:
            return Answer(final, True, False)
    kept: list[str] = []
    start, inside, found_any = 0, False, False
    for tag in _THINK_TAG.finditer(completion):
        found_any = True
        if any(tag.group("end", "kimi", "mistral", "cohere")):
            # Text before a closing tag is reasoning, with or without an opening tag.
            if not inside:
                kept.clear()
            inside = False
        elif not inside:
            kept.append(completion[start : tag.start()])
            inside = True
        start = tag.end()
    if not inside:
        kept.append(completion[start:])
    text = "".join(kept) if found_any else completion
    return Answer(_one_turn(text), found_any, inside)


def _final_channel(completion: str) -> Answer:
    """Return the first message on a channel that is not reasoning."""
    channels = list(_CHANNEL.finditer(completion))
    reasoning, end = -1, None
    for channel in channels:
        if not completion.startswith(_MESSAGE, channel.end()):
            continue
        start = channel.end() + len(_MESSAGE)
        # The recipient is the tool that is called. A commentary without one comes
        # before a call.
        header = completion[max(0, start - _LONGEST_HEADER) : start]
        recipient = _RECIPIENT.search(header)
        kind = channel[1].lower()
        if recipient or kind != "analysis":
            # Several channels can be in one turn, whose end is looked for once.
            if end is None or end.start() < start:
                end = _TURN_END.search(completion, start)
            before = kind == "commentary" and end and channels[-1].start() >= end.end()
            if recipient or not before:
                text = completion[start : end.start()] if end else completion[start:]
                call = f"{recipient[0]}{text}" if recipient else text
                return Answer(call, reasoning >= 0, False)
        reasoning = start
    cut = reasoning >= 0 and _TURN_END.search(completion, reasoning) is None
    return Answer("", reasoning >= 0, cut)


def _one_turn(text: str) -> str:
    """Remove the tokens around the model's turn, and everything after it."""
    if "<" not in text:
        return text
    opening = _TURN_BEGIN.match(text)
    text = text[opening.end() :] if opening else text
    end = _TURN_END.search(text)
    return text[: end.start()] if end else text
