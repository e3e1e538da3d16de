"""Sentences about the outcome of commands, in the speaker's language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from bots.bot.areas import Named, Rule
from bots.bot.stage import StageInfo
from bots.catalogue.japanese import japanese_name
from bots.responder.case.inbox import EventReport
from bots.responder.rules.requests import Request, Words
from bots.responder.rules.scene import Scene
from bots.text.numbers import duration

_FAILURES_JA: Mapping[str, str] = {
    "missing_item": "必要なものを持っていないので、できませんでした。",
    "entity_not_available": "その人がここからは見えません。",
    "player_not_found": "その人はこのサーバーにいません。",
    "unknown_location": "その場所は知りません。",
    "other_dimension": "その場所は別のディメンションにあります。",
    "not_permitted": "すみませんが、それは信頼された人の頼みでないとできません。",
    "not_following": "今は誰にもついていっていません。",
    "not_found": "見つかりませんでした。",
    "inventory_full": "持ち物がいっぱいです。",
    "unseen_player": "相手を見失いました。",
    "disconnected": "今はワールドにいません。",
    "deadline": "時間がかかりすぎたので、やめました。",
    "stuck": "しばらく何も進まなかったので、やめました。",
    "no_path": "そこへは行けませんでした。",
    "unconfirmed": "サーバーが認めなかったので、できたとは言えません。",
    "unreachable": "そこへは行けませんでした。",
    "replaced": "ほかの人に別のことを頼まれたので、やめました。",
    "stopped": "止められたので、やめました。",
    "not_received": "渡しましたが、全部は受け取ってもらえませんでした。",
    "not_recognised": "落ちているものが何か、私には見分けられませんでした。",
    "not_dropped": "全部は手放せませんでした。",
    "out_of_range": "相手が遠すぎます。",
    "no_tool": "必要な道具がないので、できませんでした。",
    "missing_fuel": "燃料がないので、できませんでした。",
    "gave_up": "何度試してもうまくいかないので、あきらめました。",
    "nothing_edible": "食べられるものがありません。",
}
_STEPS_JA: Mapping[str, str] = {
    "gather": "材料を集めている",
    "craft": "クラフトをしている",
    "smelt": "精錬をしている",
    "place": "設置をしている",
    "approach": "ところへ歩いている",
    "equip": "装備をしている",
    "move": "ところへ歩いている",
    "hunt": "狩りをしている",
    "shear": "毛を刈っている",
    "milk": "乳をしぼっている",
    "fill": "バケツに汲んでいる",
    "grow": "作物を育てている",
    "fish": "釣りをしている",
    "await": "出てくるのを待っている",
    "pick_up": "拾い集めをしている",
    "search": "掘って探している",
}
AREAS_NAMED = 6
_LEFT: Mapping[Rule, Words] = {
    "forbid": Words("I touch nothing in {where}.", "{where}では何にも触りません。"),
    "ask": Words("I ask before I touch anything in {where}.", "{where}では触る前に聞きます。"),
}
_UNITS_JA: Mapping[str, str] = {"s": "秒", "min": "分", "h": "時間"}
_DOING: Mapping[str, tuple[str, str]] = {
    "!navigation follow": ("I am following somebody", "誰かについていっているところ"),
    "!goal": ("I am working on a goal", "頼まれたものを用意しているところ"),
    "!skill gather": ("I am gathering something", "材料を集めているところ"),
    "!navigation gotoCoords": ("I am walking somewhere", "移動しているところ"),
    "!navigation goto": ("I am walking somewhere", "移動しているところ"),
    "!navigation dropItem": ("I am handing something over", "ものを渡しに行くところ"),
    "!skill craft": ("I am crafting", "クラフトしているところ"),
    "!skill smelt": ("I am smelting", "精錬しているところ"),
    "thinking of a plan": ("I am thinking of a plan", "これからのことを考えているところ"),
    "thinking things over": ("I am thinking things over", "いろいろ考えているところ"),
    "!talk": ("I am talking with others", "ほかの人と話しているところ"),
}


def _stage_ja(stage: StageInfo) -> str:
    what, does = japanese_name(stage.target), _STEPS_JA.get(stage.action, "作業をしている")
    left = f"あと約{_duration_ja(stage.left_s)}です" if stage.left_s else "もうすぐ終わります"
    return f"今は{stage.of}段階のうち{stage.step}段階目で、{what}の{does}ところです。{left}。"


def _duration_ja(seconds: float) -> str:
    number, unit = duration(seconds).split()
    return f"{number}{_UNITS_JA[unit]}"


def failure(scene: Scene, reason: str, message: str) -> str:
    """Why something was not done."""
    known = _FAILURES_JA.get(reason, f"うまくいきませんでした：{message}")
    return scene.say(message, known)


def ended(scene: Scene, event: EventReport) -> str:
    """The end of a job."""
    if not event.success:
        return failure(scene, event.reason, event.text)
    return scene.say(event.text, f"終わりました：{event.text}")


def danger(scene: Scene, text: str) -> str:
    """That the bot was hurt while it worked for the speaker, and what they can say to that."""
    health = f"体力は{scene.world.health:.0f}/20です。" if scene.world else ""
    return scene.say(
        f"{text} Say “come here” or “stop” and I leave it.",
        f"けがをしました。{health}「来て」か「止まって」と言えば、そこを離れます。",
    )


def refusal(scene: Scene, advice: str) -> str:
    """For speakers who may not ask for this, with what would change that, if anything."""
    return scene.say(
        f"Sorry {scene.speaker}, I may not do that for you. {advice}"
        if advice
        else f"Sorry {scene.speaker}, I do that only for people my owner trusts.",
        f"{scene.speaker}さん、すみませんが、それは信頼された人の頼みでないとできません。",
    )


def stopped(scene: Scene) -> str:
    return scene.say("I have stopped.", "やめました。")


def nothing_stopped(scene: Scene, others: bool) -> str:
    """`others`: something goes on that the speaker may not stop."""
    if others:
        return scene.say(
            "Somebody else asked me for that; they or a trusted player may stop it.",
            "ほかの人に頼まれたことなので、その人か信頼された人でないと止められません。",
        )
    return scene.say("I was doing nothing.", "何もしていませんでした。")


def left_alone(scene: Scene, areas: Sequence[Named]) -> str:
    """What the bot may not touch."""
    told = [_left_by(scene, areas, rule) for rule in _LEFT]
    if not any(told):
        told = [
            scene.say(
                "Nobody named me a place to leave alone.", "触るなと言われた場所はありません。"
            )
        ]
    anyway = "I leave what people built alone anyway.", "人が作ったものには、どこでも触りません。"
    return scene.join([*filter(None, told), scene.say(*anyway)])


def _left_by(scene: Scene, areas: Sequence[Named], rule: Rule) -> str:
    names = [area.name for area in areas if area.rule == rule]
    if not names:
        return ""
    more = len(names) - AREAS_NAMED
    en, ja = ", ".join(names[:AREAS_NAMED]), "".join(f"「{name}」" for name in names[:AREAS_NAMED])
    if more > 0:
        en, ja = f"{en} and {more} more", f"{ja}とほか{more}か所"
    told = _LEFT[rule]
    return scene.say(told.en.format(where=en), told.ja.format(where=ja))


def what_it_does(
    scene: Scene,
    doing: Sequence[str],
    own: Request | None,
    stage: StageInfo | None,
    lately: str | None,
) -> str:
    """What the bot is doing; `own` is the request of the speaker that is under way, `stage` the
    step of a goal that it is at, `lately` what it did of its own accord."""
    if not doing and lately is not None:
        return scene.say(
            f"Nothing much: I was just {lately}.", "特に何も。少し気ままに過ごしていました。"
        )
    if not doing:
        return scene.say("I am doing nothing right now.", "今は何もしていません。")
    if stage is not None:
        return scene.say(f"I am at {stage}.", _stage_ja(stage))
    if own is not None and f"!{own.command}" == doing[0]:
        return scene.say(
            f"I am at what you asked: {own.doing.en}", f"頼まれたことの途中です。{own.doing.ja}"
        )
    en, ja = _DOING.get(doing[0], (f"I am busy with {doing[0]}", f"{doing[0]} をしているところ"))
    return scene.say(f"{en}.", f"今は{ja}です。")
