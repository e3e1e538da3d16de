"""A wish to stop is recognised by its words, and told apart from talk about stopping."""

import pytest

from bots.responder.rules.requests.read import asks_to_stop

AS_TYPED = """
sop it | staph it | hault | アリスとまって | とまれええ
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
stawp it | stooopp pls | STAHP! | plz halt | stop stop plz stop | ENOUGH!!! | quit that
やめてください！！ | ちょっとストップ | もうやめろよ | 止めろ | まてまて止まれ
stop this instant | stop at once | pls stop bro | stop, please! | stop u stupid bot
STOP NOW OR ELSE | make it stop | just freeze | stop your work | stop the work | stop work
stop with that | you there stop | hey you stop | stop alice stop | stop for a moment
stop for a sec | stop right there | stop there | stoip | stio p | st op | stop it now alice
alice pls stop now | cmon stop | come on stop it | ffs stop | for gods sake stop
STOPPPPP ITTTT | stop it!!!!!!! | ur breaking it stop | no dont do that stop
please please please stop | stoppit | stopit | cease | やめるんだ | やめたまえ
作業やめて | 作業を止めて | もう十分 | もういいです | 中断して | stop doing it
stop doing this now | stop!!!!! my house!!! | you can quit now | that will do | stop ittt
stop pls stop pls | STTTOP | stop bob is stuck | stop my pig is there | stop dad is calling
stop we are going | stop u r hurting the cow | no stop stop | stoooppp it | yo stop | stop lol
stop xd | stop :( | stop!!!!111 | stop 😡 | stop it or i cry | STOP STOP I SAID STOP
pls stop ur scaring me | stop it alice ur being weird | stop taking my stuff
stop cutting that tree | stop eating my carrots | stop placing blocks
alice can you please stop now | alice stop it right this second | hlat | halttt | abort mission
cancel everything | cancel it | stop everything now | that's enough now | thats enough alice
enough is enough | okok stop | ok ok stop | ahhh stop | aaah stop | stop plzzz
stop plz im begging | stopnow | stop rn | stop asap | stop already omg | oh my god stop
stpo it | stop itt | dtop | ztop | stoo it | お願いやめて | やめてお願い | とまれー！
とまってください | 止まれって | もうやめようよ | ストップストップストップ | すとっぷして
やめやめ | やめてくださいお願いします | 止めてください | 中止！ | 待て、止まれ
stop it u dumb bot | STOP!! my dog!! | stpo please | sttop | stop mom said no | stop ples
pls pls pls stopppp | stop right now or im telling mom | alice alice alice stop
STOP IT ALICE!!! | stop you broke it | stop youre ruining it | stop not there | stop wrong tree
stop wrong one | stop thats the wrong one | stop wait | stop stop no | nononono stop
no!!! stop!!! | stop i changed my mind | stop we need to go | stop there is a creeper
stop it hurts | stop running | stop running away | stop walking | stop moving around
stop jumping on my bed | i need you to stop | i want u to stop now | you should stop
you gotta stop | u gotta stop | stop what are you doing | stop what r u doing
halt right there | freeze right there | cancel this | abort now | ストップ！！！！
すとっぷすとっぷ | とまれとまれ | もうやめてって | やめろよ | ちょっと待って、止まって
作業をやめて | それやめて | 全部やめて | お願いだから止まって | だめ！やめて！
stopstopstop | stob it | i sad stop | stop alreddy | fine stop | thx stop | why wont you stop
did u hear me stop | for the love of cheese stop | stop that is mine | stop ur hurting the sheep
もういいからやめて | うごかないで | それ以上ほらないで
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
I cant stop thinking about you | stop light | we should stop soon | dont ever stop
will it stop | does the rain stop | is there a stop | stopping by | the train stops here
i told him to stop | he wont stop | can you make him stop | tell Bob to stop | bob, stop
what stops a creeper | how do i stop a creeper | halt and catch fire is a show
the cancel button | not enough | is it enough | やめないでください | 止まってる？
もういいかな | やめます | 雨がやめばいい | とめどなく | stop by later | stop at the shop
could you stop at the lake | stop over at my house | stop bob | stop the creeper
stop the water from flowing | stop signs are red | stop sign here | nonstop
can you tell me where the stop is | where do we stop | we can stop for lunch
the clock stopped | stop being sad | stop and think | stop to look | stop when you see me
stop if you see lava | stop after 5 logs | it does not stop | he cant stop | cancel bobs order
can i cancel | how to cancel | freeze water | make ice freeze | stop at 10 64 8 | やめておく
やめとく | 止まれる？ | ストップウォッチ | バス停に止まって待って | 止まる？ | 十分ある？
十分な木がある | stop on the way home | stop near the well | stop for a snack
will you stop for me at the inn | who stopped you | when did it stop | nothing can stop us
do not stop | dont u stop | never ever stop | keep going dont stop | you cant stop
stop motion video | stop the music | stop the cow | stop that pig | the last stop
next stop is the castle | where is the stop sign | stoplight | what does stop do
how does stop work | stop means stop | 止まれの看板 | 止まったら教えて | やめたい
やめたほうがいい？ | ストップって何
enough wood for a house? | mom says i have to stop soon its not fair
we have to stop now | is that enough | i cant stop laughing | my mom says i have to stop soon
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
