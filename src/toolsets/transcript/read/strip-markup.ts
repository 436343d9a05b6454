import { decodeHTMLStrict } from 'entities/decode'
import { stripHidden } from '../../../contract/text/hidden-characters.ts'

/** Marks of captions: voices, classes, fonts, times within a line. Anything else in angle brackets may have been said. */
const tags = /<\/?(?:c|i|b|u|s|font|ruby|rt|lang|v)(?:[.\s][^<>]{0,200})?>|<\d{1,3}:\d{2}(?::\d{2})?(?:\.\d{1,3})?>/gi
const voice = /<v(?:\.[^\s<>]{0,100})?\s+([^<>]{1,100})>/gi
const positions = /\{\\an?\d[^{}]{0,100}\}/g

const soundNames = [
  ...['music', 'applause', 'laughter', 'laughs', 'laughing', 'cheering', 'cheers', 'silence', 'background noise'],
  ...['musik', 'beifall', 'applaus', 'gelächter', 'lachen', 'lacht', 'stille'],
  ...['musique', 'applaudissements', 'rires', 'rire', 'silence'],
  ...['música', 'aplausos', 'risas', 'risos', 'silencio', 'silêncio'],
  ...['musica', 'applausi', 'risate', 'silenzio', 'muziek', 'gelach', 'applaus', 'музыка', 'аплодисменты', 'смех'],
  ...['音楽', '拍手', '笑い', '音乐', '掌声', '笑声'],
]
const sounds = new RegExp(`[[(] ?(?:${soundNames.join('|')})? ?[\\])]`, 'giu')

/** One line without the marks of captions. Notes of sounds, such as [Music], are told to `onSound`. */
export function stripMarkup(line: string, onSound: () => void): string {
  const named = line.includes('<') ? line.replace(voice, '$1: ').replace(tags, '') : line
  return stripHidden(decodeHTMLStrict(named.replace(positions, '')), 'line')
    .replace(/[\s♪♫]+/g, ' ')
    .replace(sounds, (found) => {
      if (/\p{L}/u.test(found)) onSound()
      return ' '
    })
    .replace(/ {2,}/g, ' ')
    .trim()
}
