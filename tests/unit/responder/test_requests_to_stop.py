"""A wish to stop is recognised by its words, and told apart from talk about stopping."""

import pytest

from bots.responder.rules.requests.read import asks_to_stop

AS_TYPED = """
stopp | STOOOP | sotp | stahp | stop it pls | halt | no no no | ストップ | とまって | やめろ
STOOOOOPPPP | stp | sto | stpo | tsop | stoo | ssstop | stopppp it | stop plz | plz stop
plss stoppp | pleeease stop | STOP STOP STOP | stop!!1! | stop nowwww | pls stop doing that
can u stop | could you please stop | would you stop it | u need to stop | you must stop now
stop bot | alice stopp | stopp alice | hey alice stahp | stop right now | right now stop
halt!! | HALTTT | freeze | freeeeze | cancel | abort | abort abort | enough | enough already
that's enough | thats enough | ok thats enough | ok stop | okay you can stop now | cut it out
knock it off | hold it | hold it!! | stop that | stop this | stop all of this | stop everything
stop what ur doing | stop what u r doing | stop whatever you are doing | i said stop
I SAID STOP | I told you to stop | just stop | seriously stop | dude stop | bro stop | omg stop
wtf stop it | stop thats my house | stop that's mine | stop you're breaking it
stop ur breaking my house | stop breaking my house | stop digging there | stop hitting me
stop killing the sheep | stop mining pls | stop diggin | stop it right now please | no stop
noooo stop | noo stop it | no no stop | wait stop | wait no stop | nonono | no no no no
nooo nooo nooo | quit it | stop im stuck | stop i dont want that | stpp | stlp | s t o p
stop. | ...stop | stop? | can you stop? | やめてー | やめてください | やめろー！ | やめてよ
やめてってば | もうやめて | ストーップ | ストップストップ | すとっぷ | すとーっぷ | とまれ
止まれ | 止まって！ | とまってー | ちょっととまって | 今すぐやめろ | やめなさい
やめて！やめて！ | もういい | もういいよ | アリス、やめて | Alice とまって | Aliceやめて | 停止
中止して | 中止 | 動くな | だめだめだめ | いやいやいや、止まって | 止まってってば
ストップして | やめ | 待って、やめて | おいやめろ | とめて | やめてくれ | やめてくれよ
"""
"""As children and people in a hurry type it."""
NO_STOP = """
stop by the mill tomorrow | don't stop | dont stop | never stop | pls dont stop | the bus stop
bus stop | where should i stop | why did you stop | when do you stop | shop | step back | top
go to the top | step | spot | stomp on it | stop following me | stop talking | stop saying that
stop at the river | lets stop at the village | stop and get 5 logs | stop, then follow me
if i say stop run | non-stop | stop sign | make a stop sign | no | no thanks | wait
enough wood? | do we have enough wood | have you had enough? | is that enough | quit
it wont stop raining | stop raining | can we stop the rain | i cant stop laughing | stopped
you stopped | did you stop | half | salt | help | halt production of iron at noon tomorrow
cancel my order of logs? | hello | please | ok | right now | do it now | what are you doing
you can do it | no no | no you | nope | top it up | stop motion | a full stop
put a stop to it? | 止まらないで | やめないで | 止まった？ | 待って | とまとを取って | トマト
止まり木 | やめた？ | やめるの？ | 泊まって | もういいかい | だめ | いや | いやだ | stoppage
unstoppable | stop watch | pit stop | stop 5 zombies | stop the zombie | stop Bob from digging
i want you to | it is now | that is it | you | are you ok | can you | will you stop by
we stop here tonight | no more | no idea | no problem no worries no stress | know | nothing
"""
"""With a word like it, in another sense."""


def lines_of(text: str) -> list[str]:
    return [one.strip() for row in text.strip().splitlines() for one in row.split(" | ")]


@pytest.mark.parametrize(
    "line",
    [
        *("stop", "STOP!!!", "please stop", "Alice, stop now", "hey Alice stop", "stop alice"),
        *("can you stop?", "stop it", "stop what you're doing", "stop mining", "cancel that"),
        *("stop stop stop stop", "stop already", "stop doing that", "you can stop now"),
        *("no, stop!", "wait, stop!", "whoa stop", "oh no stop", "stop. stop!", "enough"),
        *("止まって", "止まってください", "Alice、止まって", "ちょっと止まって", "今すぐ止まって"),
        *("ストップ！", "ストップして", "やめて", "やめなさい", "止まりなさい", "もういいよ"),
        *lines_of(AS_TYPED),
        *("いや、止まって", "待って、止まって", "だめ、やめて", "Alice！止まって！"),
    ],
)
def test_a_wish_to_stop(line: str) -> None:
    assert asks_to_stop("Alice", "Steve", line)


@pytest.mark.parametrize(
    "line",
    [
        *("don't stop", "no, don't stop", "why did you stop?", "when will you stop?", "wait", "no"),
        *("the bus stop", "stop by my house", "he said stop", "if I say stop, run", "non-stop"),
        *lines_of(NO_STOP),
        *("stop following me", "stop and get 5 logs", "stop, then follow me", "!stop", "", "hello"),
        *(
            *("止まらないで", "やめないで", "止まった？", "バスが止まって困る", "待って"),
            "やめてほしくない",
        ),
    ],
)
def test_a_line_that_is_none(line: str) -> None:
    assert not asks_to_stop("Alice", "Steve", line)
