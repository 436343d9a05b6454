import { decodeHTMLStrict } from 'entities/decode'
import type { Cue } from './read-timed.ts'

/** Reads the captions that YouTube itself serves, as XML or JSON; undefined if the text is neither. */
export function readYoutube(text: string): Cue[] | undefined {
  const start = text.trimStart()
  if (/^(?:<\?xml[^>]{0,200}>\s*)?<(?:transcript|timedtext)[\s>]/.test(start)) return readXml(start)
  return /^\{[^{]{0,2000}"events"/.test(start) ? readJson(start) : undefined
}

function readXml(text: string): Cue[] {
  const cues: Cue[] = []
  const opening = /<(text|p)(?:\s[^<>]{0,500})?>/g
  for (let found = opening.exec(text); found; found = opening.exec(text)) {
    const end = text.indexOf(`</${found[1]}>`, opening.lastIndex)
    if (end === -1) break
    const body = text.slice(opening.lastIndex, end)
    cues.push(toCue(decodeHTMLStrict(body.replace(/<\/?s(?:\s[^<>]{0,500})?>/g, ''))))
    opening.lastIndex = end
  }
  return cues
}

function readJson(text: string): Cue[] | undefined {
  try {
    const { events } = JSON.parse(text) as { events: { segs?: { utf8?: unknown }[] }[] }
    return events.map(({ segs = [] }) => toCue(segs.map(({ utf8 }) => String(utf8 ?? '')).join('')))
  } catch {
    return undefined
  }
}

function toCue(words: string): Cue {
  return { lines: words.split('\n').filter((line) => line.trim() !== '') }
}
