import type { Token } from './read-tokens.ts'
import { toClause } from './read-tokens.ts'
import { functionWords, negationWords, toSet } from './word-lists.ts'
import { hasKin, isKin, toContentWords, toWords } from './words.ts'

/** The negating tokens, by index, each negation once: `ne … pas` and `neither … nor` are one. */
export function findNegations(tokens: readonly Token[]): number[] {
  const found: number[] = []
  for (const [index, token] of tokens.entries()) {
    const before = found.at(-1)
    const isSecond =
      before !== undefined && index - before <= 8 && seconds.get(toFirst(tokens[before]!))?.has(token.lower)
    if (isNegation(token, tokens[index - 1], tokens[index + 1]) && !isSecond) found.push(index)
    for (let more = countWithin(token); more > 1; more--) found.push(index)
  }
  return found
}

/** Whether negations differ between the two. The words beside them must be the same, too. */
export function decideNegations(
  claim: readonly Token[],
  evidence: readonly Token[],
): 'added' | 'dropped' | 'moved' | undefined {
  const said = findNegations(claim)
  const all = findNegations(evidence)
  if (said.length > all.length) return 'added'
  const quoted = said.length < all.length ? all.filter((at) => isSpokenOf(claim, evidence, at)) : all
  if (said.length > quoted.length) return 'moved'
  if (said.length < quoted.length) return 'dropped'
  const prefixed = comparePrefixes(claim, evidence)
  if (prefixed) return prefixed
  return said.some((at, index) => isMoved(claim, at, evidence, quoted[index]!)) ? 'moved' : undefined
}

/** Whether a claim is about the statement of a negation: it has a word that no other statement of the quote has. */
function isSpokenOf(claim: readonly Token[], evidence: readonly Token[], at: number): boolean {
  const clause = toClause(evidence, at)
  // "Than those with no certificate": only the other side of a comparison is negated. "Non-urban" negates a word.
  const than = evidence.slice(clause.start, at).findLastIndex(({ lower }) => /^(?:than|versus|compared)$/.test(lower))
  const start = clause.start + than + 1
  const end = evidence[at]!.lower === 'non' ? Math.min(clause.end, at + 4) : clause.end
  const others = [...evidence.slice(0, start), ...evidence.slice(end)]
  const shared = toContentWords(claim).filter((word) => hasKin(others, word))
  const own = toContentWords(evidence.slice(start, end)).filter((word) => !hasKin(others, word))
  if (evidence[at]!.lower === 'non' && own.length === 0) return false
  return shared.length < 2 || own.length === 0 || own.some((word) => hasKin(claim, word))
}

const signs = toSet('≠ ¬ ✗ ✘ ❌ 🚫 ⊄ ∉ ∄')
/** Words of languages that are matched by substring. */
const within = /[不没沒無无未非勿莫]|ない|なかっ|なく|ません|ぬ(?=。|$)|ずに|없|않|아니|못하|ไม่|มิ/gu
/** The second part for each first part. */
const seconds: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['neither', toSet('nor')],
  ['nor', toSet('nor')],
  ['weder', toSet('noch')],
  ['ne', toSet('pas jamais rien aucun aucune personne guère ni')],
  ['ni', toSet('ni')],
  ['no', toSet('ni nada nadie nunca ningún ninguno ninguna tampoco')],
  ['não', toSet('nem nada nunca nenhum nenhuma ninguém')],
  ['non', toSet('né nessuno nessun nessuna niente neppure neanche mica')],
  ['nie', toSet('ani żaden żadna żadne nikt nic nigdy')],
  ['не', toSet('ни никогда никто ничего')],
  ...pair('jamais rien personne aucun aucune', 'ne'),
  ...pair('nadie nunca nada', 'no'),
  ...pair('nigdy nikt nic', 'nie'),
  ...pair('никогда никто ничего нельзя', 'не'),
])

function pair(firsts: string, second: string): [string, ReadonlySet<string>][] {
  return [...toSet(firsts)].map((first) => [first, toSet(second)])
}

/** "N'est" starts a pair as "ne" does. */
function toFirst({ lower }: Token): string {
  return /^n'\p{L}/u.test(lower) ? 'ne' : lower
}

function isNegation(token: Token, before: Token | undefined, after: Token | undefined): boolean {
  const { kind, lower } = token
  if (kind === 'sign') return signs.has(token.text)
  if (kind !== 'word') return false
  if (lower.endsWith("n't") || lower === "ain't" || /^n'\p{L}/u.test(lower)) return true
  // "Not only" affirms; "No. 5" counts.
  if (lower === 'not' && after?.lower === 'only') return false
  // "No more than 5" is a bound.
  if (/^(?:no|not)$/.test(lower) && /^(?:more|less|fewer)$/.test(after?.lower ?? '')) return false
  if (token.text === 'No' && after?.text === '.') return false
  // "d'une personne", "une personne" and "la personne" mean a person.
  if (lower === 'personne' && before && functionWords.has(before.lower) && before.lower !== 'ne') return false
  if (lower === 'pas' && before?.lower === 'du') return false
  if (/^fail(?:s|ed|ing|ure)?$/.test(lower)) return after?.lower === 'to'
  // "Error-free" negates the word before.
  if (lower === 'free') return before !== undefined && !token.spaced && before.kind === 'word'
  return negationWords.has(lower) || isTurned(lower) || countWithin(token) > 0
}

/** Words with un- that negate the rest. Others start so by chance, or reverse rather than negate. */
function isTurned(word: string): boolean {
  return (
    word.length >= 6 &&
    /^un(?!der|ter|til|io|it|iq|iv|if|cle|ser|gef|anim|veil|lock|pack|zip|load|fold|cover|leash|wind|preced|employ|like$)/.test(
      word,
    )
  )
}

function countWithin({ kind, text }: Token): number {
  return kind === 'word' && !/^[\p{Script=Latin}']+$/u.test(text) ? (text.match(within)?.length ?? 0) : 0
}

/** Prefixes and suffixes that negate a word in any language: the rest must be the other word. */
const prefixes = [...toSet('un in im il ir dis non mis de dé des dés a an anti on o ne nie u не без бес α αν')]
const endings =
  /(?:less|lessly|lessness|los|lose|loser|loses|losen|losem|frei|loos|loze|lös|löst|løs|siz|sız|suz|süz)$/u

function comparePrefixes(claim: readonly Token[], evidence: readonly Token[]): 'added' | 'dropped' | undefined {
  const said = claim.flatMap(toWords)
  const quoted = evidence.flatMap(toWords)
  if (hasTurned(said, quoted)) return 'dropped'
  return hasTurned(quoted, said) ? 'added' : undefined
}

/** Whether a word is in one text and only its negated form in the other. */
function hasTurned(plain: readonly string[], other: readonly string[]): boolean {
  return other.some((word) => {
    if (word.length < 5 || plain.some((one) => isKin(one, word))) return false
    const bare = prefixes.filter((prefix) => word.startsWith(prefix)).map((prefix) => word.slice(prefix.length))
    const stem = word.replace(endings, '')
    // "Harmless" negates "harm" and "harmful".
    if (stem !== word) bare.push(stem, `${stem}ful`)
    return plain.some(
      (one) =>
        one.length >= 3 &&
        !other.includes(one) &&
        bare.some((rest) => rest === one || (rest.length > 4 && isKin(one, rest))),
    )
  })
}

/**
 * Whether a claim negates something else: one of the words after its negation that the quote has must be negated there;
 * and no word beside it may occur only in a later statement of the quote.
 */
function isMoved(claim: readonly Token[], said: number, evidence: readonly Token[], quoted: number): boolean {
  const mine = toClause(claim, said)
  const other = toClause(evidence, quoted)
  const denied = evidence.slice(other.start, other.end)
  const after = toContentWords(claim.slice(said + 1, mine.end))
  const object = after.length > 0 ? after : toContentWords(claim.slice(mine.start, said))
  const shared = object.filter((word) => hasKin(evidence, word))
  if (shared.length > 0 && !shared.some((word) => hasKin(denied, word))) return true
  // Both sides were exchanged.
  const [lead, rest] = [evidence.slice(other.start, quoted), evidence.slice(quoted + 1, other.end)]
  const isOnly = (word: string, here: readonly Token[], there: readonly Token[]) =>
    hasKin(here, word) && !hasKin(there, word)
  const isForward = toContentWords(claim.slice(mine.start, said)).some((word) => isOnly(word, rest, lead))
  if (isForward && after.some((word) => isOnly(word, lead, rest))) return true
  const until = evidence.slice(0, other.end)
  const later = evidence.slice(other.end)
  const words = toContentWords(claim.slice(mine.start, mine.end))
  return words.some((word) => hasKin(later, word) && !hasKin(until, word))
}
