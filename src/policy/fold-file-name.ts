import { stripHidden } from '../contract/text/hidden-characters.ts'

/**
 * A file's name as file systems compare names that ignore case, compatible forms and characters nobody sees. Some file systems
 * ignore only a few of these; a name that differs in others is treated as the same, to be safe.
 */
export function foldFileName(name: string): string {
  return stripHidden(name.normalize('NFKC'), 'exact')
    .replace(/[. ]+$/, '')
    .toLowerCase()
}
