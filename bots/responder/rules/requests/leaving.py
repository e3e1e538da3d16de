"""Requests about areas, in English and Japanese: what a bot leaves alone, asks about first, or may
touch again, where the speaker stands, or in a place by its name; and which these are."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from re import Match, Pattern
from typing import TypeAlias

from bots.bot.areas import HERE, Rule
from bots.responder.rules.requests.ask import Ask, Request, Words

_Form: TypeAlias = tuple[Pattern[str], Callable[[Ask, Match[str]], tuple[Request, ...]]]

_DONE: Mapping[Rule, Words] = {
    "forbid": Words(
        "I touch nothing {where} from now on. !area list shows how far that reaches.",
        "{where}のものには触りません。範囲は !area list で見られます。",
    ),
    "ask": Words(
        "I ask before I touch anything {where}. !area list shows how far that reaches.",
        "{where}では、触る前に聞きます。範囲は !area list で見られます。",
    ),
    "allow": Words(
        "I may touch things {where} from now on. !area list shows how far that reaches.",
        "{where}では、掘ったり置いたりします。範囲は !area list で見られます。",
    ),
}


def _area(rule: Rule, _ask: Ask, asked: Match[str]) -> tuple[Request, ...]:
    """The place is the group that matched; without one it is here."""
    name = next(filter(None, asked.groups()), "here").strip()
    is_here, told = name in HERE, _DONE[rule]
    done = Words(
        told.en.format(where="here" if is_here else f"at {name}"),
        told.ja.format(where="ここ" if is_here else f"「{name}」"),
    )
    return (Request(f"area {rule}", {"name": name}, done, done, is_lasting=False),)


def _which(_ask: Ask, _asked: Match[str]) -> tuple[Request, ...]:
    return (Request("area list", {}, Words("", ""), is_lasting=False),)


def _asking(*patterns: str) -> _Form:
    return re.compile(rf"^(?:{'|'.join(patterns)})$"), _which


def _form(rule: Rule, *patterns: str) -> _Form:
    return re.compile(rf"^(?:{'|'.join(patterns)})$"), partial(_area, rule)


_VERB = (
    r"(?:touch|break|dig(?: up| down)?|destroy|take|mine|build|place|harm|damage|wreck|ruin|steal"
    r"|open|kill|change|chop(?: down)?|harvest|grief|mess with)"
)
_TOUCH = rf"{_VERB}(?:(?:,? or |/){_VERB})*"
_RUIN = r"(?:touch|break|destroy|damage|wreck|ruin|grief|mess with)"
_THINGS = r"(?:anything|something|everything|things|stuff|it|(?:any )?(?:blocks?|things?))"
_NAME = r"([a-z0-9_ ]{2,24}?)"
_OURS = (
    r"((?:new |old |big |little |main )?(?:house|home|base|farm|garden|castle|tower|camp|village"
    r"|treehouse|hideout|fields?|crops|shop|workshop|island|land|plot|place|property|builds?"
    r"|buildings?|room|cave|mine|bridge|wall|walls|temple|barn|pen))"
)
_HERE = r"(?:(?:around |in |over |right )?here|in this (?:area|place|spot|zone)|around me)"
_SPOT = rf"(?:{_HERE}|(?:in|on|at|near|around|inside) (?:the|my|our) {_NAME})"
_NOT = r"(?:don't|dont|do not|never|you (?:must not|mustn't|may not|cannot|can't|should not))"
_MAY = (
    r"(?:you (?:may|can|are (?:free|allowed|welcome) to)|feel free to"
    r"|it(?:'s| is) (?:ok|okay|fine) to)"
)
_DOING = r"(?:touching|breaking|digging|taking|changing)"
_AREAS = r"(?:areas?|places?|spots?|zones?)"
_WHAT = rf"(?:what(?: {_THINGS}| blocks)?|where|which (?:{_AREAS}|things|blocks))"
_MUST = r"(?:may|can|could|should|must|are)"
_MUST_NOT = r"(?:(?:may|should|must|can|are) not|cannot|can't|mustn't|shouldn't|aren't|may you not)"
_TO = r"(?:(?:allowed|supposed|permitted|free) to )?"
_OFF = r"(?:off[ -]limits|forbidden|protected|not allowed|left alone|no[ -]go)"

ENGLISH: tuple[_Form, ...] = (
    _asking(
        rf"{_WHAT} {_MUST} you not {_TO}{_TOUCH}(?: {_SPOT})?",
        rf"{_WHAT} {_MUST_NOT} you {_TO}{_TOUCH}(?: {_SPOT})?",
        rf"(?:what|which {_AREAS}) (?:do|must|should|will) you (?:have to )?leave alone",
        rf"(?:what|where|which {_AREAS}) (?:is|are) {_OFF}(?: (?:for|to) you)?",
        rf"(?:what|which) {_AREAS} (?:do you know|are there|have you got)",
        rf"(?:list|show(?: me)?|tell me)(?: (?:all|your|the|of))* (?:{_OFF} )?areas",
        rf"(?:is there|are there) (?:any )?(?:anything|{_AREAS})(?: that)? you"
        rf" {_MUST_NOT} {_TO}{_TOUCH}",
        rf"(?:is there|are there) (?:any )?(?:anything|{_AREAS})(?: that)? (?:is|are) {_OFF}",
    ),
    _form(
        "forbid",
        rf"{_NOT} (?:ever )?{_TOUCH}(?: {_THINGS})? {_SPOT}",
        rf"{_NOT} (?:ever )?{_TOUCH} (?:anything|things|everything)",
        rf"{_NOT} (?:ever )?{_RUIN} (?:my|our|this) {_OURS}",
        rf"leave (?:(?:this (?:place|area|spot)|everything here)|(?:my|our) {_OURS}) alone",
        rf"(?:keep your )?hands off (?:my|our) {_OURS}",
        r"(?:this|here|this place|this area) is off[ -]limits",
    ),
    _form("allow", rf"{_MAY} {_TOUCH}(?: {_THINGS})?(?: again)? {_SPOT}(?: again)?"),
    _form(
        "ask",
        rf"(?:always )?ask(?: me| us)?(?: first)? before (?:you )?(?:{_TOUCH}|{_DOING})"
        rf"(?: {_THINGS})? {_SPOT}",
    ),
)

_BECAUSE = r"(?:(?:ここは)?[^\s、]{1,14}?(?:なんだから|なので|だから|ですから))?"
_THIS = r"ここ|この(?:場所|辺り|辺|へん|あたり|エリア)"
_PLACE = rf"({_THIS}|(?!何|なに|どこ|もう)[^\sをはがもに、「」]{{1,12}}?)"
_OF = r"(?:の(?:中|周り|まわり|もの|物|ブロック|近く))?(?:では|には|で|は|を|に|も|なら|から)"
_NOTHING = r"(?:何も|なにも|何にも|絶対に?|勝手に|どこも)?"
_TOUCH_NOT = (
    r"(?:壊さ|こわさ|触ら|さわら|掘ら|ほら|取ら|とら|いじら|荒らさ|あらさ|開け|あけ|置か|おか"
    r"|殺さ|変え|建て|切ら|伐ら|盗ま)ないで"
)
_POLITE = r"(?:ください|下さい|ちょうだい|くれ|くれる|くれますか|くれませんか|ほしい|欲しい|ね|よ)?"
_TOUCHING = (
    r"(?:掘って|ほって|壊して|こわして|触って|さわって|取って|とって|採って|置いて|おいて|建てて"
    r"|切って|伐って)"
)
_FINE = r"も?(?:いい|良い|よい|大丈夫|構わない|かまわない|オッケー|ok)(?:です)?(?:よ|ね)*"
_BEFORE = r"(?:触る|さわる|壊す|掘る|取る|何かする)(?:前|まえ)に(?:は)?"
_OF_WHICH = r"(?:どこ|何|なに|どの(?:場所|ところ|所|エリア|もの|物|ブロック))"
_WHICH = rf"{_OF_WHICH}(?:の(?:もの|物|ブロック))?(?:を|に|は|が)?"
_TOUCHED = (
    r"(?:触っ|さわっ|壊し|こわし|掘っ|ほっ|取っ|とっ|採っ|いじっ|開け|あけ|置い|建て|切っ|伐っ)"
)
_WRONG = rf"{_TOUCHED}(?:ちゃ|ては|たら)(?:だめ|ダメ|駄目|いけない|いけません|まずい|ならない)"
_IS_IT = r"(?:な?の|なん|ん)?(?:です|だ)?(?:か|かな|っけ|の)?"
_THAT = r"(?:な|の)?(?:ところ|所|場所|もの|物|エリア|ブロック)"
_TELL = r"(?:どこ|何|なに|どれ|ある|あります|あるの|(?:教|おし)えて|言って|見せて)"

JAPANESE: tuple[_Form, ...] = (
    _asking(
        rf"{_WHICH}{_WRONG}{_IS_IT}",
        rf"(?:{_WRONG}{_THAT}|エリア(?:の一覧)?)(?:は|って|を)?{_TELL}(?:{_POLITE}|{_IS_IT})",
    ),
    _form(
        "forbid",
        rf"{_BECAUSE}(?:{_PLACE}{_OF})?{_NOTHING}{_TOUCH_NOT}{_POLITE}",
        rf"{_PLACE}{_OF}{_NOTHING}(?:触る|さわる|壊す|こわす|掘る|取る)な",
    ),
    _form("allow", rf"{_PLACE}{_OF}(?:自由に|好きに|もう)?{_TOUCHING}{_FINE}"),
    _form("ask", rf"{_PLACE}{_OF}{_BEFORE}(?:聞いて|きいて|確認して){_POLITE}"),
)
