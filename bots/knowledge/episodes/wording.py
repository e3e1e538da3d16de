"""Episodes in sentences, English and Japanese: to whom they were for, and to others."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from bots.access.origin import called
from bots.bot.episode import Episode, What
from bots.catalogue.counted import item, thing
from bots.catalogue.japanese import japanese_mob
from bots.text.causes import of_what
from bots.text.language import Language
from bridge.world import Position


@dataclass(frozen=True, slots=True)
class EpisodeWords:
    """In which language episodes are told, and to whom."""

    language: Language
    listener: str = ""
    """Who is “you”, as lines of theirs are recorded; '': nobody."""

    def sentence(self, episode: Episode, ago: str = "") -> str:
        """A episode as the bot tells it: I made 4 torches for Steve at 10 64 -3."""
        words = _SENTENCES[episode.what]
        pattern = words.ja if self.language == "ja" else words.en
        told = pattern.format(
            count=self._count(episode),
            thing=thing(episode.thing, self.language),
            place=episode.thing.replace("_", " ") or _axes(episode.at),
            who=self._who(episode.person),
            why=episode.why,
            cause=self._cause(episode),
            **{"for": self._for(episode), "at": self._at(episode), "ago": self._ago(ago)},
        )
        return told[:1].upper() + told[1:]

    def _count(self, episode: Episode) -> str:
        if episode.what != "visited":
            return item(episode.thing, episode.count, self.language)
        hours, minutes = divmod(episode.count, 60)
        if self.language == "ja":
            return f"{hours}時間" if hours else f"{minutes}分"
        number, unit = (hours, "hour") if hours else (minutes, "minute")
        return f"{number} {unit}{'s' * (number > 1)}"

    def _ago(self, ago: str) -> str:
        if not ago:
            return ""
        return f"{ago}、" if self.language == "ja" else f" {ago}"

    def _who(self, name: str) -> str:
        is_you = name == self.listener
        if self.language == "ja":
            return "あなた" if is_you else f"{called(name)}さん"
        return "you" if is_you else called(name)

    def _for(self, episode: Episode) -> str:
        if not episode.asked_by or episode.asked_by == episode.person:
            return ""
        who = self._who(episode.asked_by)
        return f"{who}のために" if self.language == "ja" else f" for {who}"

    def _cause(self, episode: Episode) -> str:
        if self.language == "en":
            return of_what(episode.cause)
        if episode.cause is None:
            return "原因は分かりません。"
        kind, name = episode.cause.kind, episode.cause.name
        thing_ja = _THINGS_JA.get(name) or thing(name, "ja")
        who = {"player": f"{name}さん", "creature": japanese_mob(name)}.get(kind, thing_ja)
        return f"{'もしかすると' * (episode.cause.how == 'guessed')}原因は{who}です。"

    def _at(self, episode: Episode) -> str:
        """Where it was, in the world where nothing else is said."""
        if episode.at is None:
            return ""
        land = episode.dimension.removeprefix("minecraft:").removeprefix("the_")
        named = "" if land in ("", "overworld") else land
        if self.language == "ja":
            return f"（{_DIMENSIONS_JA.get(named, named)}{_axes(episode.at)}）"
        return f" at {_axes(episode.at)}{f' in the {named}' if named else ''}"


class _Words(NamedTuple):
    en: str
    ja: str


_SENTENCES: Mapping[What, _Words] = {
    "made": _Words("I made {count}{for}{ago}{at}.", "{ago}{for}{count}を作りました{at}。"),
    "got": _Words("I got {count}{for}{ago}{at}.", "{ago}{for}{count}を集めました{at}。"),
    "placed": _Words("I placed {count}{for}{ago}{at}.", "{ago}{for}{count}を置きました{at}。"),
    "dug": _Words("I dug {thing}{for}{ago}{at}.", "{ago}{for}{thing}を掘りました{at}。"),
    "gave": _Words("I gave {who} {count}{ago}{at}.", "{ago}{who}に{count}を渡しました{at}。"),
    "received": _Words("{who} gave me {count}{ago}{at}.", "{ago}{who}が{count}をくれました{at}。"),
    "dropped": _Words("I dropped {count}{for}{ago}{at}.", "{ago}{for}{count}を落としました{at}。"),
    "put": _Words(
        "I put {count} into a chest{for}{ago}{at}.", "{ago}{for}{count}をチェストに入れました{at}。"
    ),
    "took": _Words(
        "I took {count} out of a chest{for}{ago}{at}.",
        "{ago}{for}{count}をチェストから出しました{at}。",
    ),
    "ate": _Words("I ate {thing}{ago}{at}.", "{ago}{thing}を食べました{at}。"),
    "wore": _Words("I put on {thing}{for}{ago}.", "{ago}{for}{thing}を身に着けました。"),
    "took_off": _Words("I took off {thing}{for}{ago}.", "{ago}{for}{thing}を外しました。"),
    "went": _Words("I went to {place}{for}{ago}.", "{ago}{for}{place}へ行きました。"),
    "followed": _Words("I followed {who}{ago}.", "{ago}{who}について行きました。"),
    "failed": _Words(
        "I failed at {thing}{for}{ago}: {why}", "{ago}{for}{thing}に失敗しました: {why}"
    ),
    "died": _Words("I died{ago}{at}{cause}.", "{ago}死にました{at}。{cause}"),
    "visited": _Words(
        "{who} came{ago} and stayed for {count}.", "{ago}{who}が来て、{count}いました。"
    ),
}
_THINGS_JA = {
    **{"fall": "落下", "fire": "火", "lava": "溶岩", "drowning": "溺れ", "hunger": "空腹"},
    **{"explosion": "爆発", "void": "奈落", "command": "誰かのコマンド", "lightning": "雷"},
    **{"suffocation": "窒息", "freezing": "寒さ", "magic": "魔法", "arrow": "矢"},
}
_DIMENSIONS_JA = {"nether": "ネザー、", "end": "エンド、"}


def _axes(at: Position | None) -> str:
    return "" if at is None else f"{at.x:.10g} {at.y:.10g} {at.z:.10g}"
