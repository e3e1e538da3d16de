// @ts-check
// What the page says, in English and Japanese.

const LONGEST_NAME = 20 // letters; the game has 16

/** @type {Record<string, [string, string]>} */
const WORDS = {
  title: ['townsfolk', 'townsfolk'],
  connected: ['live', '接続中'],
  disconnected: ['not connected; trying again', '切断されました。再接続しています'],
  skipped: ['events were skipped', '件の出来事を読み飛ばしました'],
  stopAll: ['Stop all', '全員停止'],
  stop: ['Stop', '停止'],
  talkTo: ['Talk', '話す'],
  theme: ['Light or dark', '明暗の切り替え'],
  language: ['日本語', 'English'],
  bots: ['Bots', 'ボット'],
  noBots: ['No bots yet.', 'ボットはまだいません。'],
  map: ['Map', '地図'],
  nobodyThere: ['Nobody is in the world.', 'ワールドには誰もいません。'],
  where: ['Where everybody is', 'みんなの居場所'],
  zoomIn: ['Closer', '拡大'],
  zoomOut: ['Farther', '縮小'],
  fit: ['All', '全体'],
  forbid: ['bots touch nothing here', 'ボットは何も触りません'],
  ask: ['bots ask before they touch anything here', 'ボットは触る前に聞きます'],
  allow: ['bots may touch things here', 'ボットが触ってもよい場所'],
  hears: ['hears as far as the circle', '円の中の声が聞こえます'],
  day: ['day', '昼'],
  night: ['night', '夜'],
  talk: ['Talk', '会話'],
  nothingSaid: ['Nothing was said yet. Whisper to a bot in the game, or write below.', 'まだ会話はありません。ゲーム内でささやくか、下に書いてください。'],
  everybody: ['everybody', '全員'],
  search: ['Search', '検索'],
  pause: ['Pause', '一時停止'],
  goOn: ['Go on', '再開'],
  earlier: ['Earlier', '以前の会話'],
  deeds: ['What they do', '行動も'],
  you: ['You', 'あなた'],
  aloud: ['aloud', '全体チャット'],
  inTalk: ['talk', 'グループ'],
  talksNow: ['Talks under way', '進行中のグループ会話'],
  speaking: ['is speaking', 'が話しています'],
  decisions: ['Decisions', '判断'],
  noDecisions: ['No decisions yet.', '判断はまだありません。'],
  goals: ['Goals', '目標'],
  noGoals: ['No goals.', '目標はありません。'],
  planning: ['is being planned', 'を計画中'],
  waiting: ['waits', '待機中'],
  paused: ['paused', '一時停止中'],
  underWay: ['under way', '進行中'],
  given: ['given by', '依頼者'],
  left: ['about {} left', '残り約{}'],
  took: ['took {}', '所要{}'],
  about: ['about {}', '約{}'],
  sees: ['Sees', '視界'],
  seenBy: ['What {} sees', '{}の視界'],
  around: ['All around', '全周'],
  toGet: ['getting {}', '{}を用意'],
  knows: ['Knows', '知識'],
  knowsHint: ['What to look for', '探す言葉'],
  nothingKnown: ['Nothing found.', '見つかりません。'],
  forget: ['Forget', '忘れる'],
  money: ['Money', '費用'],
  spent: ['spent of', '／上限'],
  inPeriod: ['in the last {} hours', '直近{}時間'],
  held: ['set aside for calls under way', '実行中の呼び出しの予約額'],
  background: ['nobody asked for', '自発的な処理'],
  strangers: ['asked for by strangers', '見知らぬ人からの依頼'],
  experiments: ['Experiments', '実験'],
  noExperiments: ['No experiments were played yet. To play one:', '実験はまだありません。実行するには：'],
  experiment_running: ['running', '実行中'],
  experiment_ended: ['ended', '終了'],
  experiment_stopped: ['stopped', '中断'],
  simulated: ['simulated', 'シミュレーション'],
  embedded: ['real bots', '実際のボット'],
  runs: ['Runs', '実行回数'],
  everyRun: ['Every run', '各回の結果'],
  lines: ['{} lines', '{}発言'],
  report: ['Report', 'レポート'],
  openReport: ['Open the report', 'レポートを開く'],
  noReport: ['No report yet. To write it:', 'レポートはまだありません。作成するには：'],
  begun: ['begun; its end will show here', '開始しました。終わるとここに表示します'],
  allStopped: ['everybody stopped', '全員停止しました'],
  silent: ['no answer from', '応答なし'],
  livesAt: ['lives at', '所属:'],
  notReached: ['not reached', '達成できませんでした'],
  wasStopped: ['was stopped', '停止されました'],
  tell: ['Tell', '伝える'],
  tellHint: ['Tell it what you think of this', 'この判断について伝える'],
  aboutDecision: ['About your “{}”:', '「{}」について：'],
  searchAll: ['Search all that was ever heard', 'これまでの会話をすべて検索'],
  part_ended: ['ended, start the daemon anew', '止まりました。起動し直してください'],
  noModel: ['the model does not answer, rules do', 'モデルが答えないので、ルールが答えます'],
  approve: ['Approve', '承認'],
  approved: ['approved', '承認済み'],
  reanalyse: ['Decide anew', '再検討'],
  prompt: ['Prompt', 'プロンプト'],
  hide: ['Hide', '隠す'],
  why: ['Why', '理由'],
  sure: ['sure', '確信度'],
  instead: ['Could have', '他の案'],
  asked: ['was asked by', '依頼者'],
  byRules: ['rules', 'ルール'],
  byModel: ['model', 'モデル'],
  partial: ['partly', '一部'],
  tokens: ['tokens', 'トークン'],
  cached: ['cached', 'キャッシュ'],
  failed: ['failed', '失敗'],
  send: ['Send', '送信'],
  sendTo: ['To', '宛先'],
  write: ['Words, or !command', '言葉、または !コマンド'],
  sending: ['…', '…'],
  online: ['here', 'います'],
  connecting: ['is coming', '接続中'],
  refused: ['was refused', '拒否されました'],
  gone: ['is gone', 'いません'],
  idle: ['has nothing to do', '暇にしています'],
  health: ['health', '体力'],
  food: ['food', '満腹度'],
  holds: ['holds', '手に'],
  began: ['began', '開始'],
  ended: ['ended', '終了'],
  talkBegan: ['A talk began', 'グループ会話が始まりました'],
  talkEnded: ['The talk ended', 'グループ会話が終わりました'],
  done: ['done', '完了'],
  now: ['now', '今'],
  next: ['next', '次'],
  close: ['Close', '閉じる']
}

const KEY = 'townsfolk.language'
export const LANGUAGES = ['en', 'ja']

export function language () {
  const chosen = localStorage.getItem(KEY)
  if (chosen && LANGUAGES.includes(chosen)) return chosen
  return navigator.language.startsWith('ja') ? 'ja' : 'en'
}

/** @param {string} chosen */
export function choose (chosen) {
  localStorage.setItem(KEY, chosen)
}

/**
 * A word of the page, with `{}` filled in.
 * @param {string} name
 * @param {string | number} [value]
 */
export function t (name, value) {
  const found = WORDS[name]
  if (!found) return name
  return found[LANGUAGES.indexOf(language())].replace('{}', String(value))
}

/** @param {number} seconds */
export function duration (seconds) {
  const whole = Math.max(0, Math.round(seconds))
  const [minutes, rest] = [Math.floor(whole / 60), whole % 60]
  if (language() === 'ja') return minutes ? `${minutes}分${rest ? `${rest}秒` : ''}` : `${rest}秒`
  return minutes ? `${minutes} min${rest ? ` ${rest} s` : ''}` : `${rest} s`
}

/** Operators stand with an @ in the record. @param {string} name */
export function nameOf (name) {
  if (name === '@operator') return t('you')
  return name.toLowerCase() === t('you').toLowerCase() ? `“${name}”` : brief(name.replace(/^@/, ''))
}

/** A name that leaves room for others. @param {string} name */
export function brief (name) {
  const letters = [...name]
  return letters.length <= LONGEST_NAME ? name : `${letters.slice(0, LONGEST_NAME).join('')}…`
}

const CLOCK = new Intl.DateTimeFormat(language(), { hour: '2-digit', minute: '2-digit', second: '2-digit' })

/** @param {string} at */
export function clock (at) {
  return CLOCK.format(new Date(at))
}

/** @param {number} dollars */
export function money (dollars) {
  return `$${dollars.toFixed(dollars && dollars < 0.1 ? 4 : 2)}`
}

/**
 * A goal as people would say it; several are told by their first.
 * @param {string} goal
 */
export function goalInWords (goal) {
  const [, item, count] = /^inventory\.(\w+):\+?(\d+)/.exec(goal) ?? []
  return item ? t('toGet', `${count} ${plain(item)}`) : plain(goal)
}

/** @param {string} name an item or block */
export function plain (name) {
  return name.replaceAll('_', ' ').replaceAll(',', ' ')
}
