"""Answers from the catalogue: how a thing is made, found, dug and used, and what drops it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from bots.catalogue.counted import mob_name, thing
from bots.catalogue.entries import ItemEntry, Kind, MobEntry
from bots.catalogue.handbook import Handbook
from bots.catalogue.in_words import Aspect, told
from bots.catalogue.names import Named, Names
from bots.responder.case.wording import place
from bots.responder.rules.scene import Scene
from bots.text import suggest
from bots.text.language import language_of, normal

About: TypeAlias = Literal[
    "making", "finding", "dropping", "using", "digging", "eating", "all", "left_by"
]
"""What is asked of a thing: of an item what leaves it (dropping), of a mob what it leaves (left_by)
and so on."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question about a thing."""

    about: About
    words: str
    """For the thing, as they were said."""
    is_plain: bool
    """Whether it can be about nothing else, so that an unknown name is worth a word."""


KINDS: Mapping[About, Sequence[Kind]] = {
    "making": ("item", "block", "mob"),
    "finding": ("item", "block", "mob"),
    "dropping": ("item", "block"),
    "using": ("item", "block"),
    "digging": ("block", "item"),
    "eating": ("item",),
    "all": ("mob", "item", "block"),
    "left_by": ("mob", "block", "item"),
}
"""What may be meant, the likeliest first."""


def asked_in(line: str) -> Asked | None:
    """The question about a thing in a line."""
    text = normal(line)
    questions = _JAPANESE if language_of([text]) == "ja" else _ENGLISH
    for part in reversed(_parts(text)):
        for about, pattern, is_plain in questions:
            if found := pattern.search(part):
                words = next(filter(None, found.groups()), "")
                words = _AROUND.sub("", words).strip()
                if words and words.partition(" ")[0] not in _NO_THINGS:
                    return Asked(about, words, is_plain)
    return None


def _parts(text: str) -> list[str]:
    return [part for one in _SENTENCES.split(text) if (part := _BEFORE.sub("", one.strip()))]


_SENTENCES = re.compile(r"[.!?。！？\n]+")
_BEFORE = re.compile(
    r"^(?:(?:hey|hi|hello|ok|okay|so|and|please|pls|um|erm|well|but|excuse me"
    r"|(?:can|could|would) you (?:please )?tell me|tell me(?! about| something| more)|do you know"
    r"|i wonder|i want to know"
    r"|ねえ|ねぇ|あの|えっと|じゃあ|ところで)[,、 ]+)+"
)
_AROUND = re.compile(
    r"^(?:(?:an?|the|some|any|my|our|more|one|another|those|these|that|this|new|good)\s+)+"
    r"|(?:\s+(?:please|pls|plz|here|in minecraft|in this (?:game|world)|for me|for us|myself"
    r"|again|now|with|at|exactly|fast|quickly|easily|best|from|mostly|around here|near here|then"
    r"|if i want to|alice|bro|though|anyway|today|block|blocks|mobs?|recipe))+$"
    r"|^[「『]|[」』]$"
)
_NO_THINGS = frozenset(
    {
        *("you", "u", "me", "i", "it", "that", "this", "them", "they", "we", "us", "one", "he"),
        *("she", "him", "her", "there", "something", "anything", "things", "stuff", "everything"),
        *("これ", "それ", "あれ", "私", "僕", "俺", "君", "あなた", "何か", "なにか"),
    }
)
_ONE = r"(?:i|we|you|u|one|they|ya|people|someone|somebody|it|he|she)"
_DO = r"(?:do|does|did|can|could|would|should|must|shall|d|du|to|2)"
_MAKE = r"(?:make|mak|mke|maek|craft|crat|crft|carft|build|bild|cook|bake|smelt|create|brew)"
_DIG = r"(?:mine|dig|break|harvest|destroy|chop|cut|dig up|cut down|chop down|collect)"
_FIND = (
    r"(?:find|fnid|fid|get(?! (?:to|home|there|here|out|up|down|back|in|on|off)\b)|mine"
    r"|dig(?: for)?|look for|search for|collect|gather|obtain|buy)"
)
_X = r"(?P<{}>[a-z][\w' -]{{1,40}}?)"
_END = r"(?:\s*(?:,.*)?)$"


def _x(name: str) -> str:
    return _X.format(name)


def _english(
    about: About, pattern: str, *, is_plain: bool = True
) -> tuple[About, re.Pattern[str], bool]:
    return about, re.compile(f"(?:{pattern}){_END}"), is_plain


_ENGLISH: Sequence[tuple[About, re.Pattern[str], bool]] = (
    _english(
        "making",
        rf"\bhow (?:many|much) .{{1,24}}? (?:{_DO} )?(?:{_ONE} )?(?:need|take|have to have)s? "
        rf"(?:for|to {_MAKE}) {_x('a')}",
    ),
    _english(
        "using",
        rf"\bwhat(?: else)? (?:{_DO}) (?:{_ONE} )?(?:be )?(?:make|craft|build|do|cook|create|made)"
        rf"(?: (?:with|from|out of|of|using)) {_x('a')}"
        rf"|\bwhat (?:is|are|'s) {_x('b')} (?:good |used |useful )?for|\bwhat does {_x('c')} do"
        rf"|\b(?:what|how) (?:{_DO}) (?:{_ONE} )?use {_x('d')}(?: for)?"
        rf"|\bwhat (?:can|could) {_x('e')} be used for|\bwhat needs {_x('f')}",
    ),
    _english(
        "digging",
        rf"\b(?:what|which)(?: kind of)?(?: tools?| pick(?:axe)?)?(?: {_DO})?(?: {_ONE})? "
        rf"(?:need|needs|use|take|takes|have)(?: to have)? (?:to|for) {_DIG}(?:ing)? {_x('a')}"
        rf"|\b(?:what|which)(?: kind of)?(?: tools?| pick(?:axe)?)? (?:{_DO} )(?:{_ONE} )?{_DIG} "
        rf"{_x('b')} with|\b(?:what|which) (?:pickaxe|tool|axe|shovel)"
        rf"(?: is best| {_DO} {_ONE} (?:need|use|take))? for {_x('c')}"
        rf"|\bhow {_DO} (?:{_ONE} )?{_DIG} {_x('d')}"
        rf"|\bcan {_ONE} {_DIG} {_x('e')}(?: with .*| by hand)?",
    ),
    _english(
        "making",
        rf"\bhow\b.{{0,24}}? {_MAKE} {_x('a')}|\bhow (?:is|are) {_x('b')} (?:made|crafted|built)"
        rf"|\bwhat (?:{_DO} )?(?:{_ONE} )?(?:need|needs|take|takes|require|requires)"
        rf"(?: (?:to (?:{_MAKE}|get)|for(?: making| crafting| building)?)) {_x('c')}"
        rf"|\bwhat (?:is|are) {_x('d')} (?:made|crafted|built) (?:of|from|out of|with)"
        rf"|\b(?:recipe|ingredients) (?:for|of) {_x('e')}|^{_x('f')} recipe"
        rf"|^(?:can|could) (?:i|we|one) {_MAKE} {_x('g')}(?: (?:by hand|with .*))?",
    ),
    _english(
        "finding",
        rf"\bwhere {_DO} (?:{_ONE} )?{_FIND} {_x('a')}|\bwhere to {_FIND} {_x('b')}"
        rf"|\bhow {_DO} (?:{_ONE} )?{_FIND} {_x('c')}"
        rf"|\b(?:at )?(?:what|which) (?:height|level|depth|y|layer)s? .{{0,14}}?"
        rf"(?:find|get|mine|is|are|for|has|have) {_x('d')}"
        rf"|\bwhere (?:is|are) {_x('e')} found|\bhow deep is {_x('f')}",
    ),
    _english(
        "finding",
        rf"\bwhere (?:does|do) {_x('a')} (?:spawn|live|grow|come from)"
        rf"|^where(?:'s| is| are) {_x('b')}",
        is_plain=False,
    ),
    _english(
        "dropping",
        r"\b(?:what|who|which)(?: kinds? of)?(?: mobs?| animals?| monsters?| blocks?| creatures?)? "
        rf"(?:drops?|gives?(?: me| you)?|leaves?) {_x('a')}"
        rf"|\bwhat .{{0,16}}?(?:kill|fight|break) (?:for|to get) {_x('b')}"
        rf"|\bwhere does {_x('c')} come from",
    ),
    _english(
        "left_by",
        rf"\bwhat {_DO} {_x('a')} (?:drop|give|leave)(?: when .*)?|\bwhat drops? from {_x('b')}"
        rf"|\bwhat .{{0,12}}?get (?:from|for killing|when .{{0,8}}?kill) {_x('c')}",
    ),
    _english("eating", rf"\bcan {_ONE} eat {_x('a')}|\b(?:is|are) {_x('b')} (?:edible|food)"),
    _english(
        "all",
        rf"\btell me (?:more |something )?about {_x('a')}"
        rf"|\bwhat (?:do|can) you (?:know|tell me) (?:about|of) {_x('b')}"
        rf"|\b(?:is|are) {_x('c')} (?:dangerous|hostile|friendly|bad|evil|peaceful|aggressive)"
        rf"|\bhow (?:much|many) (?:health|hearts|hp|life) {_DO} {_x('d')} have"
        rf"|^(?:what|who)(?: is|'?s| are) {_x('e')}|\bwhat {_x('f')} (?:is|are)",
        is_plain=False,
    ),
)

_HOW_JA = r"(?:どう(?:やって|したら|すれば|やったら)?|どのように|何から|なにから|何で|なにで)"
_MAKE_JA = r"(?:作|つく|クラフト|製作|でき|焼)"
_GET_JA = (
    r"(?:見つ|みつ|取|と[れっる]|採|掘|ほ[れっる]|手に入|出|で[るま]|探|さが"
    r"|ある|あり|い[るま]|生え|湧)"
)
_WHAT_JA = r"(?:何|なに|なん)"
_THING = r"(?P<{}>[^、。「」]{{1,20}}?)"
_TOPIC = r"(?:は|って|を|が|の)?、? ?"


def _y(name: str) -> str:
    return _THING.format(name)


def _japanese(
    about: About, pattern: str, *, is_plain: bool = True
) -> tuple[About, re.Pattern[str], bool]:
    return about, re.compile(pattern), is_plain


_JAPANESE: Sequence[tuple[About, re.Pattern[str], bool]] = (
    _japanese(
        "digging",
        rf"^{_y('a')}{_TOPIC}(?:掘|ほ|採掘|壊|こわ|切)(?:る|す|るの|すの)(?:に|には|のに)?(?:は)?"
        rf"、?(?:{_WHAT_JA}|どの|どう|どんな)"
        rf"|^{_y('b')}{_TOPIC}(?:{_WHAT_JA}|(?:どの|どんな).{{1,6}}?)で(?:掘|ほ|採|壊|こわ)"
        rf"|^{_y('c')}{_TOPIC}どう(?:やって|したら|すれば)?(?:掘|ほ|壊|こわ)"
        rf"|^{_y('d')}(?:は|って)?素手で(?:掘|壊)",
    ),
    _japanese(
        "using",
        rf"^{_y('a')}(?:で|から|を使って|を使うと)(?:は)?(?:{_WHAT_JA})(?:が|を|か)?{_MAKE_JA}"
        rf"|^{_y('b')}{_TOPIC}(?:{_WHAT_JA})(?:に|の(?:役|ため)|のため)(?:に)?(?:使|つか|役|立)"
        rf"|^{_y('c')}の?(?:使い道|使い方|用途)",
    ),
    _japanese(
        "making",
        rf"^{_y('a')}{_TOPIC}{_HOW_JA}{_MAKE_JA}|^どう(?:やって|したら|すれば){_y('b')}(?:を|は|が)"
        rf"{_MAKE_JA}|^{_y('c')}の?(?:作り方|つくり方|作りかた|つくりかた|レシピ|材料)"
        rf"|^{_y('d')}(?:を|が)?(?:作|つく)る(?:に|の)?(?:は|に|には)?、?(?:{_WHAT_JA}|どう|どんな)"
        rf"|^{_y('e')}(?:は|って|を|も)?(?:作れ|つくれ|クラフトでき)",
    ),
    _japanese(
        "left_by",
        rf"^{_y('a')}(?:は|って){_WHAT_JA}を(?:落|おと|ドロップ|くれ)"
        rf"|^{_y('b')}(?:から|を倒すと|を倒したら)(?:は)?、?{_WHAT_JA}(?:を|が)"
        r"(?:落|おと|ドロップ|出|で[るま]|手に入|取れ)",
    ),
    _japanese(
        "dropping",
        rf"^{_y('a')}(?:は|って|を)?(?:{_WHAT_JA}|どの.{{1,5}}?|どんな.{{1,5}}?|誰|だれ)"
        rf"(?:が|を倒すと|を倒したら|から)(?:落|おと|ドロップ|出|で[るま]|手に入|取れ)"
        rf"|^(?:{_WHAT_JA}|どの.{{1,5}}?|誰|だれ)(?:が|を倒すと|を倒したら|から)、?{_y('b')}"
        rf"(?:を|が)(?:落|おと|ドロップ|出|手に入)",
    ),
    _japanese(
        "finding",
        rf"^{_y('a')}(?:は|って|が|を)?(?:どこ|何処|どの(?:高さ|辺|あたり))(?:で|に|へ|の|まで)?"
        rf"(?:行けば|行ったら)?{_GET_JA}"
        rf"|^{_y('b')}(?:は|って|を)?(?:どう(?:やって|したら|すれば)?){_GET_JA}"
        rf"|^{_y('c')}の?(?:見つけ方|みつけかた|探し方|取り方|とりかた|入手方法|手に入れ方|場所)"
        rf"|^どこ(?:で|に|へ)(?:行けば|行ったら)?、?{_y('d')}(?:が|を|は){_GET_JA}"
        rf"|^{_y('e')}(?:って|は)どこ(?:ですか|なの|かな)?$",
    ),
    _japanese("eating", rf"^{_y('a')}(?:は|って|を)?(?:食べられ|食べれ|たべられ|たべれ)"),
    _japanese(
        "all",
        rf"^{_y('a')}(?:って|とは|は)(?:{_WHAT_JA}|どんな.{{1,6}}?)(?:です|なの|だ)?(?:か|の|んですか)?$"
        rf"|^{_y('b')}(?:について|のこと)(?:を|は)?(?:教え|おしえ|{_WHAT_JA}|知)"
        rf"|^{_y('c')}(?:は|って)(?:危険|危ない|あぶない|敵|襲)",
        is_plain=False,
    ),
)


MOST_LEFT_OUT = 2  # words before the name of a thing that may be none of it

_ASPECTS: Mapping[About, Aspect] = {
    "making": "making",
    "finding": "finding",
    "dropping": "dropping",
    "using": "using",
    "digging": "digging",
    "eating": "eating",
    "all": "all",
    "left_by": "all",
}


def meant_by(handbook: Handbook, asked: Asked) -> Named | None:
    """The thing that is asked about; a name a little misspelt is understood where the question
    can be about nothing else."""
    names, kinds = Names(handbook), KINDS[asked.about]
    for words in _shorter(asked.words):
        if found := names.meant(words, kinds):
            return found
    return names.surely_meant(asked.words, kinds) if asked.is_plain else None


def told_of(handbook: Handbook, scene: Scene, asked: Asked, named: Named) -> str:
    """The answer: a sentence or two."""
    entry, aspect = handbook.entry(named.kind, named.name), _ASPECTS[asked.about]
    if asked.about == "finding" and isinstance(entry, ItemEntry):
        return scene.join(_found(handbook, scene, entry))
    if asked.about == "finding" and isinstance(entry, MobEntry):
        unknown = scene.tell("world.mob_unknown", what=_called(scene, named))
        return in_sight(scene, entry.name) or unknown
    if asked.about == "making" and not isinstance(entry, ItemEntry):
        no_recipe = scene.tell("world.no_recipe", what=_called(scene, named))
        return scene.join([no_recipe, told(entry, "all", scene.language)])
    return told(entry, aspect, scene.language)


def unknown(handbook: Handbook, scene: Scene, asked: Asked) -> str:
    """That the version has nothing of this name, and what was perhaps meant."""
    near = Names(handbook).like(asked.words, KINDS[asked.about])
    like = list(dict.fromkeys(_called(scene, one) for one in near))
    hint = suggest.as_sentence(like)
    if scene.language == "ja" and like:
        hint = scene.tell("own.said.meant", names=scene.tell("own.said.meant_joint").join(like))
    version, what = handbook.version, asked.words[:40]
    return scene.tell("world.no_such_thing", version=version, what=what, hint=hint)


def in_sight(scene: Scene, mob: str) -> str:
    """Where the nearest animal or monster of a kind is; '' where the bot sees none."""
    mobs = scene.world.mobs if scene.world else ()
    near = next((one for one in mobs if one.name == mob), None)
    if near is None or scene.world is None:
        return ""
    away = scene.in_blocks(scene.world.position.distance_to(near.position))
    name = mob_name(mob, scene.language)
    return scene.tell("world.mob_at", thing=name, at=place(near.position), away=away)


def _found(handbook: Handbook, scene: Scene, entry: ItemEntry) -> Iterator[str]:
    """Where an item comes from. Of a metal that is smelted, where its ore is."""
    raw = entry.cooked_from[0] if entry.cooked_from and not entry.dug_from else ""
    ore = handbook.item(raw) if raw in handbook.items else None
    if ore is not None and ore.dug_from and ore.heights:
        yield told(ore, "digging", scene.language)
        yield told(entry, "cooking", scene.language)
    else:
        yield told(entry, "finding", scene.language)


def _called(scene: Scene, named: Named) -> str:
    return (mob_name if named.kind == "mob" else thing)(named.name, scene.language)


def _shorter(words: str) -> Iterator[str]:
    """The words as they are, then without the first ones, then without the last."""
    parts = words.split(" ")
    yield words
    for left_out in range(1, min(MOST_LEFT_OUT, len(parts) - 1) + 1):
        yield " ".join(parts[left_out:])
    for left_out in range(1, min(MOST_LEFT_OUT, len(parts) - 1) + 1):
        yield " ".join(parts[:-left_out])
