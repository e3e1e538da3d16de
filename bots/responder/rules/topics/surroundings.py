"""The time of day, the weather, the dimension, the version."""

from __future__ import annotations

import re
from re import Match

from bots.responder.case.wording import clock_time, dimension, part_of_day
from bots.responder.rules.topics.scene import Scene, Topic, in_world
from bridge.world import Weather, WorldSnapshot

_WEATHERS: dict[Weather, tuple[str, str]] = {
    "clear": ("The sky is clear.", "空は晴れています。"),
    "rain": ("It is raining.", "雨が降っています。"),
    "thunder": ("There is a thunderstorm.", "雷雨です。"),
}
_WITHOUT_SKY = ("the_nether", "the_end")


def _time(scene: Scene, world: WorldSnapshot, asked: Match[str]) -> str:
    part, clock = part_of_day(world.time_of_day, scene.language), clock_time(world.time_of_day)
    return scene.say(f"It is {part}, about {clock}.", f"今は{part}、だいたい{clock}です。")


def _weather(scene: Scene, world: WorldSnapshot, asked: Match[str]) -> str:
    if world.dimension.removeprefix("minecraft:") in _WITHOUT_SKY:
        where = dimension(world.dimension, scene.language)
        return scene.say(f"There is no weather in {where}.", f"{where}に天気はありません。")
    return scene.say(*_WEATHERS[world.weather])


def _world(scene: Scene, world: WorldSnapshot, asked: Match[str]) -> str:
    where = dimension(world.dimension, scene.language)
    return scene.say(
        f"I am in {where}; the server speaks Minecraft {world.version}.",
        f"ここは{where}です。サーバーは Minecraft {world.version} です。",
    )


_TIME = re.compile(
    r"\bwhat time\b|\btime is it\b|\bwhat(?:'s|s| is) the time\b|\btime of (?:the )?day\b"
    r"|\bis it (?:still |already |getting )?(?:day|night|dark|morning|noon|evening|late|light)"
    r"|\bday or night\b|^time$"
    r"|何時|なんじ|時間|時刻|(?:今|いま)は?(?:朝|昼|夜|夕方)|(?:朝|昼|夜|夕方)(?:です|なの|かな|か|$)"
)
_WEATHER = re.compile(
    r"\bweather\b|\b(?:raining|rain|snowing|sunny|stormy|cloudy)\b|天気|雨|晴れ|雪が|雷|曇"
)
_WORLD = re.compile(
    r"\b(?:what|which) (?:world|dimension|version|server)\b|\b(?:dimension|version)\b"
    r"|ディメンション|バージョン|どの世界|何の世界"
)

TOPICS = (
    Topic("weather", _WEATHER, in_world(_weather)),
    Topic("time", _TIME, in_world(_time)),
    Topic("world", _WORLD, in_world(_world)),
)
