import { escapeHidden } from './hidden-characters.ts'

/** A path or another text of a caller as it is put in a message: shortened, with hidden characters escaped. */
export function toShownPath(path: string): string {
  return escapeHidden(path.length > 200 ? `${path.slice(0, 120)}…${path.slice(-60)}` : path, 'exact')
}
