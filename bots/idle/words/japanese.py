"""Japanese small talk; see `bots/idle/words/english.py`."""

from __future__ import annotations

from bots.catalogue.japanese import pairs
from bots.idle.seen import Doing
from bots.idle.words.phrases import Phrases, Topic

PHRASES: dict[Topic, Phrases] = {
    "rain": Phrases(
        says=(
            "雨が降ってきましたね。",
            "{to}さん、雨ですよ。",
            "また雨ですね。草は喜ぶでしょう。",
            "葉っぱに当たる雨の音が聞こえます。",
        ),
        cheerful=("雨だ！屋根なんていりません！", "雨の匂い、好きなんです。"),
        calm=("雨ですか。そのうちやみます。", "しばらく木の下にいようかな。"),
        curious=("{to}さん、この雨はいつまで続くと思いますか？", "雨水はどこへ行くのでしょう？"),
        practical=("外の仕事には向かない天気ですね。", "雨だと火が消えるので気をつけましょう。"),
        replies=(
            "ええ、私も濡れています。",
            "しばらく乾いていましたからね、{speaker}さん。",
            "では木のそばにいましょう。",
        ),
        replies_cheerful=("雨の中で踊りましょう、{speaker}さん！", "水たまりが楽しみ！"),
        replies_calm=("あまり気になりません。", "空から水。よくあることです。"),
        replies_curious=("魚たちは何て言っているのかな。", "夜にも降るのでしょうか。"),
        replies_practical=("いつか屋根を作りましょう。", "その間に荷物を整理します。"),
    ),
    "thunder": Phrases(
        says=(
            "{to}さん、今のは雷ですよ。",
            "雷雨になりましたね。",
            "空がすごい音です。",
            "今日の空は怒っていますね。",
        ),
        cheerful=("空のショーですね！",),
        calm=("雷です。高い木から離れましょう。",),
        curious=("{to}さん、雷が落ちるのを見たことがありますか？",),
        practical=("今は丘の上に立たないほうがいいですね。",),
        replies=(
            "私にも聞こえました。",
            "ちょっとうるさいですね、{speaker}さん。",
            "近くにいましょう。",
        ),
        replies_cheerful=("もう一回！もう一回！",),
        replies_calm=("そのうち行ってしまいますよ。",),
        replies_curious=("最初にどこへ落ちるのかな。",),
        replies_practical=("こういう時は屋根がほしいですね。",),
    ),
    "clear": Phrases(
        says=(
            "空がまた晴れましたね。",
            "{to}さん、雨がやみましたよ。",
            "やっといい天気です。",
            "雲がなくなりました。",
        ),
        cheerful=("{to}さん、お日さまが戻りました！",),
        calm=("また静かになりました。",),
        curious=("{to}さん、虹は見えますか？",),
        practical=("これで外の仕事ができますね。",),
        replies=("待っていました。", "では少し見てまわります。", "あの音に慣れたところでした。"),
        replies_cheerful=("どこまでも歩けそうです、{speaker}さん！",),
        replies_calm=("そういうものですね、{speaker}さん。",),
        replies_curious=("その間に何が育ったかな？",),
        replies_practical=("すぐに乾くでしょう。",),
    ),
    "hour": Phrases(
        says=(
            "もう{part}ですね、{clock}です。",
            "{clock}か。一日は早いですね。",
            "太陽の高さだと{clock}くらいです。",
            "{part}になりました。",
        ),
        cheerful=("{to}さん、すてきな{part}ですね！", "気持ちのいい{part}です！"),
        calm=("{clock}。静かですね。", "{part}の光は好きです。"),
        curious=("{to}さんは{part}に何をしますか？", "{part}は毎日同じ時間に来るのかな？"),
        practical=("{clock}。まだ何が残っていますか？", "{clock}までに半分は終わらせたいですね。"),
        replies=(
            "もうそんな時間ですか、{speaker}さん。",
            "私もそのくらいだと思いました。",
            "散歩する時間はありますね。",
        ),
        replies_cheerful=("一日でいちばんいい時間！", "{speaker}さんと一緒でよかったです。"),
        replies_calm=("急ぐことはありませんよ、{speaker}さん。", "太陽は自分の時間で動きます。"),
        replies_curious=("{speaker}さん、どうやって太陽で時間がわかるのですか？", "{part}の次は？"),
        replies_practical=("では無駄にしないようにしましょう。", "暗くなる前に何か片づけます。"),
    ),
    "night": Phrases(
        says=(
            "{to}さん、暗くなってきましたね。",
            "夜です、{clock}。",
            "足もとがよく見えません。",
            "暗いですね。みんな近くにいましょう。",
        ),
        cheerful=("見て、星がいっぱい！",),
        calm=("暗くて静かなのは好きです。",),
        curious=("{to}さん、あちらには何が歩いていると思いますか？",),
        practical=("松明がもっと必要ですね。",),
        replies=(
            "目を開けています。",
            "明かりがほしいですね、{speaker}さん。",
            "今のところ静かです。",
        ),
        replies_cheerful=("{speaker}さんがいれば怖くありません。",),
        replies_calm=("朝は来ますよ。",),
        replies_curious=("今の聞こえましたか、{speaker}さん？",),
        replies_practical=("石炭が手に入ったら作ります。",),
    ),
    "came": Phrases(
        says=(
            "{person}さん、ようこそ！",
            "あ、{person}さんが来ましたよ。",
            "{person}さん、はじめまして。",
            "お客さんだ！こんにちは、{person}さん。",
        ),
        cheerful=("{person}さん！来てくれてうれしいです！",),
        calm=("{person}さん、こんにちは。ごゆっくり。",),
        curious=("{person}さん、どこから来たのですか？",),
        practical=("{person}さん、こんにちは。用があれば言ってください。",),
        replies=(
            "私からもようこそ、{person}さん。",
            "こんにちは、{person}さん！",
            "{person}さんに会えてよかったです。",
        ),
        replies_cheerful=("にぎやかになりますね、{person}さん！",),
        replies_calm=("どうも、{person}さん。",),
        replies_curious=("{person}さん、何をしに来たのですか？",),
        replies_practical=("手が増えるのは助かります、{person}さん。",),
    ),
    "came_again": Phrases(
        says=(
            "{person}さんが戻りました！",
            "{person}さん、また会えましたね。",
            "また来ましたね、{person}さん。",
            "おかえりなさい、{person}さん。",
        ),
        cheerful=("{person}さん！待っていました！",),
        calm=("ああ、{person}さん。静かでしたよ。",),
        curious=("{person}さん、おかえり。何をしていたのですか？",),
        practical=("{person}さん、いつでも始められますよ。",),
        replies=(
            "{person}さん、またこんにちは。",
            "{person}さんの場所は空けてあります。",
            "やっと来ましたね、{person}さん！",
        ),
        replies_cheerful=("{person}さんがそろって完璧です！",),
        replies_calm=("いてくれて何よりです、{person}さん。",),
        replies_curious=("途中で何か見つけましたか、{person}さん？",),
        replies_practical=("{person}さんの仕事が残っていますよ。",),
    ),
    "came_after": Phrases(
        says=(
            "{person}さん、{away}ぶりですね。",
            "{away}ぶりに{person}さんが来ました！",
            "おかえりなさい、{person}さん。{away}ぶりです。",
            "{person}さん、{away}ぶりに会えました。",
        ),
        cheerful=("{person}さん！{away}も待っていました！",),
        calm=("ああ、{person}さん。この{away}は静かでしたよ。",),
        curious=("{person}さん、{away}ぶりですね。どこにいたのですか？",),
        practical=("{person}さん、{away}ぶりですね。いつでも始められますよ。",),
        replies=(
            "{person}さん、{away}ぶりにこんにちは。",
            "{away}の間、{person}さんの場所は空けてありました。",
            "もう{away}ですか、{person}さん。おかえりなさい。",
        ),
        replies_cheerful=("{person}さんがいない{away}は長かったです！",),
        replies_calm=("{away}ぶりにいてくれて何よりです、{person}さん。",),
        replies_curious=("この{away}で何を見ましたか、{person}さん？",),
        replies_practical=("{away}前の仕事が残っていますよ、{person}さん。",),
    ),
    "left": Phrases(
        says=(
            "{person}さんが行ってしまいました。",
            "{person}さんがいなくなって、私たちだけですね。",
            "{person}さんがいないと静かになりますね。",
            "{person}さんはいつ戻るかな。",
        ),
        cheerful=("{person}さん、早くまた来てほしいです！",),
        calm=("{person}さんはいつも静かに行きますね。",),
        curious=("{to}さん、{person}さんはどこへ行くのでしょう？",),
        practical=("{person}さんは行きました。では続きを。",),
        replies=("気づきませんでした。", "また来ますよ、{speaker}さん。", "楽しかったですね。"),
        replies_cheerful=("それまでに何かいい物を用意しましょう！",),
        replies_calm=("人は来て、また行くものです。",),
        replies_curious=("{person}さんは何か言っていましたか？",),
        replies_practical=("では片づけておきましょう。",),
    ),
    "found": Phrases(
        says=(
            "{name}を摘みました。",
            "{name}、これで{n}個です。",
            "{name}を{n}個持っています。",
            "{to}さん、ほら、{name}です。",
        ),
        cheerful=("{name}を見つけました、ついてる！", "また{name}、{n}個目です！"),
        calm=("{name}。そこにあったので。", "{name}がもう一つ、全部で{n}個。"),
        curious=("{to}さん、{name}から何が作れますか？", "{to}さん、{name}は役に立ちますか？"),
        practical=("{name}、{n}個を袋に。", "{name}は取っておきます。何かに使えるかも。"),
        replies=(
            "{speaker}さん、{name}はどこにありましたか？",
            "{name}は取っておくといいですよ、{speaker}さん。",
            "このあたりに{name}はまだありそうです。",
        ),
        replies_cheerful=("{name}、似合いますよ、{speaker}さん。", "{speaker}さん、やりましたね！"),
        replies_calm=("では{n}個になりましたね。", "{name}は足りていますね。"),
        replies_curious=("その{name}を見せてもらえますか？", "{name}はまた生えますか？"),
        replies_practical=(
            "{n}個なら上出来です、{speaker}さん。",
            "{name}はいつか箱に入れましょう。",
        ),
    ),
    "walked": Phrases(
        says=(
            "{towards}へ{n}ブロック歩いてきました。",
            "{towards}へ{n}ブロック、変わりなしです。",
            "{towards}のほう、{n}ブロック先まで行きました。",
            "散歩で{towards}へ{n}ブロック進みました。",
        ),
        cheerful=("{towards}へ{n}ブロック、いい散歩でした！",),
        calm=("{towards}へ{n}ブロック。静かでした。",),
        curious=("{to}さん、{towards}へ{n}ブロックより先には何がありますか？",),
        practical=("{towards}の{n}ブロックは様子がわかりました。",),
        replies=(
            "{speaker}さん、{towards}はどんなところですか？",
            "いつか私も{towards}へ行きます。",
            "{towards}へ{n}ブロックですか、{speaker}さん。",
        ),
        replies_cheerful=("次は{towards}へ一緒に連れていって！",),
        replies_calm=("私はここにいます。{towards}はまた今度。",),
        replies_curious=("{towards}で何か見ましたか？",),
        replies_practical=("では誰かが{towards}と反対側を見ましょう。",),
    ),
    "saw": Phrases(
        says=(
            "{towards}へ{n}ブロックのところに{name}があります。",
            "{towards}の{name}を見てきました。",
            "{to}さん、{towards}へ{n}ブロックの{name}を知っていますか？",
            "さっき{towards}で{name}を見ましたよ。",
        ),
        cheerful=("{towards}の{name}、大好きです！", "{name}が{n}ブロック先に！"),
        calm=("{name}、{towards}へ{n}ブロック。逃げません。", "{name}を眺めていました。"),
        curious=(
            "{towards}へ{n}ブロックの{name}は、どうしてそこにあるのかな？",
            "{to}さん、{towards}の{name}は何の役に立ちますか？",
        ),
        practical=(
            "{name}、{towards}へ{n}ブロック。覚えておきましょう。",
            "{towards}の{name}は使えそうです。",
        ),
        replies=(
            "その{name}、私も見に行かないと。",
            "{towards}ですね。どこを見ればいいかわかりました。",
            "ありがとう、{speaker}さん。{name}ですね、覚えておきます。",
        ),
        replies_cheerful=(
            "{name}！見せてください、{speaker}さん！",
            "ここは{name}まで何でもありますね！",
        ),
        replies_calm=("{name}は明日もそこにありますよ。", "急ぎません。{name}は逃げませんから。"),
        replies_curious=(
            "{name}の向こうには何がありますか？",
            "{towards}にはほかに何がありますか？",
        ),
        replies_practical=(
            "{name}まで{n}ブロックですね。覚えました。",
            "{speaker}さん、{name}は要りますか？",
        ),
    ),
    "animals": Phrases(
        says=(
            "{animals}を見ていました。",
            "あちらの{animals}はのんびりしています。",
            "{to}さん、{animals}を見ましたか？",
            "{animals}にあいさつしました。",
        ),
        cheerful=("{animals}は一日見ていても飽きません！",),
        calm=("{animals}としばらく見つめ合いました。",),
        curious=("{animals}は一日中何を考えているのかな？",),
        practical=("いざという時のために、{animals}が近くにいます。",),
        replies=(
            "{animals}がいるとわかって安心です。",
            "そっとしておきましょう、{speaker}さん。",
            "{animals}が近くにいるのはいいですね。",
        ),
        replies_cheerful=("{speaker}さん、名前はつけましたか？",),
        replies_calm=("いい仲間ですよ。",),
        replies_curious=("小麦を持っていたらついてきますか？",),
        replies_practical=("柵があればここにいてくれますね。",),
    ),
    "fire": Phrases(
        says=(
            "しばらく{name}のそばにいました。",
            "{to}さん、{name}の明かりはいいですね。",
            "{name}のそばは暖かいです。",
            "{to}さん、{name}のところへどうぞ。",
        ),
        cheerful=("{to}さん、今夜は{name}のそばでお話ししましょう！",),
        calm=("{name}は何時間でも見ていられます。",),
        curious=("{name}は燃えつきることがあるのかな？",),
        practical=("{name}があれば怪物が来ません。",),
        replies=("もう一人座れますか？", "今行きます、{speaker}さん。", "あの明かり、好きです。"),
        replies_cheerful=("あとは歌だけですね！",),
        replies_calm=("いい場所ですね。",),
        replies_curious=("炎の中に何が見えますか、{speaker}さん？",),
        replies_practical=("もう一つ置きましょう。",),
    ),
    "fellow": Phrases(
        says=(
            "{fellow}さんは{doing}ね。",
            "見て、{fellow}さんがまた{doing}。",
            "{fellow}さんは{doing}ので、じゃましないでおきましょう。",
            "ここから見えます。{fellow}さんは{doing}。",
        ),
        cheerful=("{fellow}さんは{doing}よ、いいですね！",),
        calm=("{fellow}さんは{doing}。そっとしておきます。",),
        curious=("{fellow}さんはどうして{doing}か？",),
        practical=("{fellow}さんは{doing}。残りは私がやります。",),
        replies=(
            "{fellow}さんがあとで話してくれますよ。",
            "{fellow}さんらしいですね。",
            "誰かがやらないとね、{speaker}さん。",
        ),
        replies_cheerful=("{fellow}さん、がんばれ！",),
        replies_calm=("{fellow}さんも好きなように。",),
        replies_curious=("{fellow}さんに聞いてみましょうか？",),
        replies_practical=("{fellow}さんは一日を無駄にしませんね。",),
    ),
    "company": Phrases(
        says=(
            "{person}さん、何をしているのか見に来ました。",
            "{person}さん、一緒に行くなら「{follow}」とささやいてください。",
            "{person}さん、来ましたよ。何かできることはありますか？",
            "{person}さん、「{look}」と聞いてくれればお話しします。",
        ),
        cheerful=(
            "{person}さんがいるともっと楽しいです！",
            "{person}さん、どこかへ行きませんか？「{follow}」とささやいてください！",
        ),
        calm=("{person}さん、しばらくここにいますね。", "{person}さんのそばは落ち着きます。"),
        curious=(
            "{person}さん、ここに何を建てるのですか？",
            "{person}さんはこの世界の何が一番好きですか？",
        ),
        practical=(
            "{person}さん、手が空いています。「{fetch}」とささやけば行ってきます。",
            "{person}さん、木や石が要るなら言ってください。",
        ),
        replies=(
            "{person}さん、私もいますよ。",
            "{speaker}さんに先を越されました。私も来たかったのに。",
            "{person}さん、安心して任せてください。",
        ),
        replies_cheerful=("{speaker}さんが疲れたら、次は私ですよ、{person}さん！",),
        replies_calm=("{person}さん、ごゆっくりどうぞ。",),
        replies_curious=("{person}さん、私も見に行っていいですか？",),
        replies_practical=("{person}さん、二人ならもっと運べますよ。",),
    ),
    "wished": Phrases(
        says=(
            "{person}さんが前に「{words}」と言っていました。",
            "{person}さんの言葉を考えています。「{words}」",
            "{to}さん、覚えていますか？{person}さんの「{words}」を。",
            "「{words}」と{person}さんから聞きました。",
        ),
        cheerful=("{person}さんの願い、かなうといいですね！「{words}」",),
        calm=("{person}さんは「{words}」と言っていました。いつかそのうちに。",),
        curious=("{to}さん、何から始めればいいでしょう？{person}さんの「{words}」です。",),
        practical=("{person}さんは「{words}」と言っていました。誰かが始めないと。",),
        replies=(
            "{person}さんらしい考えですね、{speaker}さん。",
            "今度{person}さんに聞いてみましょう。",
            "{speaker}さんは{person}さんから聞いたのですか？",
        ),
        replies_cheerful=("{person}さんにはきっとすてきなことですね！",),
        replies_calm=("いつかきっと。",),
        replies_curious=("{person}さんはほかに何か言っていましたか？",),
        replies_practical=("{speaker}さん、それには何が要りますか？",),
    ),
    "wished_here": Phrases(
        says=(
            "{person}さん、前に「{words}」と言いましたね。今もそうですか？",
            "{person}さん、忘れていませんよ。「{words}」",
            "{person}さん、あれはどうなりましたか？「{words}」でしたね。",
            "{person}さんの言葉をまだ考えています。「{words}」",
        ),
        cheerful=("{person}さん！「{words}」でしたね、ぜひ見たいです！",),
        calm=("{person}さん、「{words}」でしたね。急ぎませんよ。",),
        curious=("{person}さん、何から始めますか？「{words}」でしたね。",),
        practical=("{person}さん、「{words}」でしたね。要る物があれば言ってください。",),
        replies=(
            "{person}さん、それは見てみたいです。",
            "いい考えですね、{person}さん。",
            "{person}さん、それは初めて聞きました。",
        ),
        replies_cheerful=("{person}さん、ぜひやりましょう！",),
        replies_calm=("{person}さん、そのうちできますよ。",),
        replies_curious=("{person}さん、どうして思いついたのですか？",),
        replies_practical=("{person}さん、何が足りませんか？",),
    ),
    "talked_of": Phrases(
        says=(
            "{person}さんの問いをまだ考えています。「{words}」",
            "{to}さん、頭から離れません。「{words}」",
            "{person}さんに「{words}」と聞かれましたが、まだわかりません。",
            "{to}さん、今ならどう答えますか？「{words}」",
        ),
        cheerful=("{person}さんに聞かれてうれしかったです。「{words}」",),
        calm=("{person}さんは「{words}」と聞きましたね。いい問いには時間がかかります。",),
        curious=("{person}さんにもう一度聞きたいです。「{words}」",),
        practical=("{to}さん、いつか決めましょう。「{words}」",),
        replies=(
            "私もまだ決めていません。",
            "いい話でしたね、{speaker}さん。",
            "{person}さんはいいことを聞きますね。",
        ),
        replies_cheerful=("また{person}さんと話しましょう！",),
        replies_calm=("答えのない問いもあります。",),
        replies_curious=("{speaker}さんは何と答えましたか？",),
        replies_practical=("誰かが決めないと、{speaker}さん。",),
    ),
}

DOINGS: dict[Doing, str] = {
    "walking": "散歩しています",
    "looking": "{what}を見ています",
    "picking": "{what}を摘んでいます",
    "resting": "{what}のそばで休んでいます",
    "visiting": "{what}さんを訪ねています",
    "watching": "{what}を眺めています",
    "working": "仕事に励んでいます",
}

TOWARDS = pairs("""
north 北|northeast 北東|east 東|southeast 南東|south 南|southwest 南西|west 西|northwest 北西
""")

NAMES = pairs("""
poppy ポピー|dandelion タンポポ|cornflower ヤグルマギク|azure_bluet ヒナソウ
oxeye_daisy フランスギク|allium アリウム|blue_orchid ヒスイラン|lily_of_the_valley スズラン
sunflower ヒマワリ|lilac ライラック|rose_bush バラの低木|peony ボタン|brown_mushroom 茶色のキノコ
red_mushroom 赤色のキノコ|sugar_cane サトウキビ|water 水辺|sand 砂|gravel 砂利|clay 粘土
coal_ore 石炭鉱石|iron_ore 鉄鉱石|obsidian 黒曜石|pumpkin カボチャ|melon スイカ|cactus サボテン
campfire 焚き火|lantern ランタン|torch 松明|wall_torch 松明|oak_log オークの木
birch_log シラカバの木|spruce_log トウヒの木|jungle_log ジャングルの木|acacia_log アカシアの木
dark_oak_log ダークオークの木|chest チェスト|crafting_table 作業台|furnace かまど|cow 牛|sheep 羊
pig 豚|chicken ニワトリ|rabbit ウサギ|horse 馬|villager 村人|wolf オオカミ|cat 猫|fox キツネ
bee ハチ
""")
