"""Choose the role that holds for a piece of work, by rules first and by meaning where they leave it open."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from gatherum.errors import EmbedderError
from gatherum.text import fold

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from gatherum.config import RoleSettings
    from gatherum.shelf import Shelf

MAX_BYTES: Final = 32_768
"""The largest file of a role: it is put before an assistant whole."""

_FILES, _TASK, _MOST_WORDS = 3, 2, 3
_DECISIVE, _LEAD = 3, 2
_HEAD: Final = 600

Reason = Literal["rules", "only", "meaning", "score", "default", "none"]
Confidence = Literal["high", "medium", "low", "none"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What is being done.

    Attributes:
        files: The files it is about.
        task: Its kind.
        query: It in words.
    """

    files: tuple[str, ...] = ()
    task: str = ""
    query: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoleScore:
    """How a role does by the rules.

    Attributes:
        name: The role.
        score: Its points: 3 for files, 2 for the task, 1 for each word up to 3.
        cosine: Its nearness in meaning, where that was asked.
    """

    name: str
    score: int
    cosine: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RoleContext:
    """The role that holds.

    Attributes:
        role: Its name; "" if none does.
        reason: What chose it.
        score: Its points.
        confidence: How sure that is.
        margin: How many points it is ahead of the next.
        candidates: The roles that the rules speak for, best first.
        content: The role's Markdown.
        problems: What is wrong with its file.
    """

    role: str = ""
    reason: Reason = "none"
    score: int = 0
    confidence: Confidence = "none"
    margin: int = 0
    candidates: tuple[RoleScore, ...] = ()
    content: str = ""
    problems: tuple[str, ...] = ()


def choose(shelf: Shelf, work: Work) -> RoleContext:
    """Return the role that the settings of *shelf* give for *work*, with its text as it is now."""
    settings, base = shelf.settings.context, project_of(shelf)
    scores = rank(settings.roles, work, base, least=settings.min_query_score, whole=settings.word_boundaries)
    role, reason, confidence = "", "none", "none"
    margin = scores[0].score - (scores[1].score if len(scores) > 1 else 0) if scores else 0
    if scores and scores[0].score >= _DECISIVE and margin >= _LEAD:
        role, reason, confidence = scores[0].name, "rules", "high"
    elif len(scores) == 1:
        role, reason, confidence = scores[0].name, "only", "medium"
    elif scores:
        nearest = _by_meaning(shelf, settings.roles, scores, work.query, base)
        if nearest:
            scores = nearest
            role, reason, confidence = scores[0].name, "meaning", "medium"
        elif margin:
            role, reason, confidence = scores[0].name, "score", "low"
    if not role and settings.default in settings.roles:
        role, reason, confidence = settings.default, "default", "low"
    problems: tuple[str, ...] = ()
    if settings.default and settings.default not in settings.roles:
        problems = (f"context.default names {settings.default!r}, which is no role",)
    content = ""
    if role:
        content, trouble = read_role(base, settings.roles[role].file)
        problems += (f"the role {role!r}: {trouble}",) if trouble else ()
    score = next((each.score for each in scores if each.name == role), 0)
    return RoleContext(
        role=role,
        reason=reason,  # type: ignore[arg-type]
        score=score,
        confidence=confidence,  # type: ignore[arg-type]
        margin=margin if role and reason != "default" else 0,
        candidates=tuple(scores),
        content=content,
        problems=problems,
    )


def project_of(shelf: Shelf) -> Path:
    """Return the folder that the files of roles lie in: that of the settings file."""
    place = shelf.place
    return (place.config or place.folder).parent.resolve()


def rank(
    roles: Mapping[str, RoleSettings], work: Work, base: Path, *, least: int = 1, whole: bool = True
) -> list[RoleScore]:
    """Return the roles that the rules speak for, best first; of equals the one named first."""
    files = [relative for file in work.files if (relative := _relative(file, base))]
    found = []
    for name, role in roles.items():
        words = sum(_holds(work.query, word, whole=whole) for word in set(role.when_query))
        score = min(words, _MOST_WORDS) if words >= least else 0
        score += _FILES * _matches(role.when_files, files)
        score += _TASK * (work.task.strip().casefold() in {task.casefold() for task in role.when_task if task})
        if score:
            found.append(RoleScore(name=name, score=score))
    return sorted(found, key=lambda each: -each.score)


def read_role(base: Path, file: str) -> tuple[str, str]:
    """Return a role's text and "", or "" and what is wrong with its file."""
    try:
        path = (base / file).resolve()
        if not path.is_relative_to(base):
            return "", f"{file} lies outside the project"
        if not path.is_file():
            return "", f"there is no file {file}"
        with path.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            return "", f"{file} is larger than {MAX_BYTES >> 10} kB"
        text = data.decode("utf-8-sig").strip()
    except UnicodeDecodeError:
        return "", f"{file} is not UTF-8 text"
    except (OSError, ValueError) as error:
        return "", f"{file} cannot be read: {getattr(error, 'strerror', None) or error}"
    return (text, "") if text else ("", f"{file} is empty")


def _by_meaning(
    shelf: Shelf, roles: Mapping[str, RoleSettings], scores: Sequence[RoleScore], query: str, base: Path
) -> list[RoleScore]:
    """Return the roles nearest in meaning first; nothing where that cannot be told."""
    if not query.strip():
        return []
    try:
        asked = shelf.query_vector(query)
        near = []
        for each in scores:
            role = roles[each.name]
            text = f"{role.description}\n{read_role(base, role.file)[0][:_HEAD]}".strip() or each.name
            cosine = float(asked @ shelf.query_vector(text))
            near.append(RoleScore(name=each.name, score=each.score, cosine=round(cosine, 4)))
    except EmbedderError:
        return []
    return sorted(near, key=lambda each: -(each.cosine or 0.0))


def _relative(file: str, base: Path) -> str:
    """Return a file's path in the project; "" if it lies elsewhere."""
    try:
        path = (base / file).resolve()
        return path.relative_to(base).as_posix()
    except (OSError, ValueError):
        return ""


def _matches(patterns: Sequence[str], files: Sequence[str]) -> bool:
    if not patterns or not files:
        return False
    from pathspec import GitIgnoreSpec

    return any(GitIgnoreSpec.from_lines(patterns).match_files(files))


def _holds(text: str, word: str, *, whole: bool) -> bool:
    text, word = fold(text), fold(word).strip()
    if not word:
        return False
    if not whole:
        return word in text
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text) is not None
