import { stripHidden } from '../contract/text/hidden-characters.ts'

/**
 * Normalizes a file name as file systems do that ignore case, compatibility forms and invisible characters. Some ignore only a
 * few of these; treating more names as equal is the safe choice.
 */
export function foldFileName(name: string): string {
  return stripHidden(name.normalize('NFKC'), 'exact')
    .replace(/[. ]+$/, '')
    .toLowerCase()
}
