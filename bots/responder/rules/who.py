"""Who somebody is: a bot, or a person, with what the bot knows of them and where they are."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from bots.responder.case.case import SpeakerTools
from bots.responder.rules.knowing import told_of_person
from bots.responder.rules.topics.company import whereabouts_of
from bots.responder.rules.topics.scene import Scene
from bots.text.language import normal
from bots.text.spelling import only_alike

_WHO = re.compile(
    r"^(?:(?:\w+, |and |so |do you know |tell me )*)who(?:'s|s| is) (?P<a>[a-z0-9_.]{2,16})[?!. ]*$"
    r"|^(?P<b>[a-z0-9_.]{2,16})(?:さん|くん|君|ちゃん)?(?:って|は|とは)(?:誰|だれ)"
    r"(?:ですか|なの|です|か)?[?？。 ]*$"
)


def who_is_asked(lines: Sequence[str]) -> str | None:
    """Of whom the newest of these lines asks who that is; in lower case."""
    found = _WHO.search(normal(lines[-1])) if lines else None
    return found and (found["a"] or found["b"])


async def told_who(
    tools: SpeakerTools, scene: Scene, lines: Sequence[str], bots: Collection[str]
) -> str | None:
    """Who somebody is; None when that is not asked, or of a name that nobody here has."""
    asked = who_is_asked(lines)
    if asked is None or asked == scene.bot.casefold():
        return None
    players = scene.world.players if scene.world else ()
    name = only_alike(asked, {*(str(player.name) for player in players), *bots})
    if name is None:
        return None
    seen = next((player for player in players if player.name == name), None)
    if name in bots:
        told = scene.say(f"{name} is a bot like me.", f"{name}さんは私と同じボットです。")
        known = None
    else:
        told = scene.say(f"{name} is a player.", f"{name}さんはプレイヤーです。")
        known = await told_of_person(tools, scene, name)
    where = whereabouts_of(scene, scene.world, seen) if scene.world and seen else None
    return scene.join(filter(None, [told, known, where or _absent(scene)]))


def _absent(scene: Scene) -> str:
    if scene.world is None:
        return ""
    return scene.say("They are not on the server now.", "今はサーバーにいません。")
