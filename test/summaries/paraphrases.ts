import { readFileSync } from 'node:fs'
import { readPages } from './false-twins.ts'

/** A claim in someone's own words about a sentence of a real page. */
export interface Paraphrase {
  readonly quote: string
  readonly claim: string
  /** What is wrong with the claim; a true claim has none. */
  readonly wrong?: string
}

/**
 * The claims of paraphrases-*.txt. The pages cannot be copied, so a sentence is given by its page, its beginning and its end:
 *
 *     # pages 0151 In 2023, the yoga industry … 9% by 2030.
 *     + a true claim
 *     - bound: a false claim, and what is wrong with it
 */
export function readParaphrases(name: string): Paraphrase[] {
  const pages = { pages: readPages('pages/ground-truth.json.gz'), articles: readPages('articles/ground-truth.json') }
  let quote = ''
  return readFileSync(new URL(name, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .flatMap((line): Paraphrase[] => {
      const [, set, id, from, to] = /^# (pages|articles) (\S+) (.+) … (.+)$/.exec(line) ?? []
      if (set) {
        const page = pages[set as keyof typeof pages][id!]
        quote = cutSentence(String(page?.main_content ?? page?.articleBody), from!, to!)
        return []
      }
      if (line.startsWith('+ ')) return [{ quote, claim: line.slice(2) }]
      const [, wrong, claim] = /^- (\w+): (.+)$/.exec(line) ?? []
      if (!wrong || !claim) throw new Error(`Cannot read this line of ${name}: ${line}`)
      return [{ quote, claim, wrong }]
    })
}

function cutSentence(text: string, from: string, to: string): string {
  const start = text.indexOf(from)
  const end = text.indexOf(to, start)
  if (start < 0 || end < 0 || end - start > 500) throw new Error(`The page has no sentence "${from} … ${to}".`)
  return text.slice(start, end + to.length)
}
