import { escapeHidden } from './hidden-characters.ts'
import { shortenMiddle } from './shorten.ts'

/** A path or other text of a caller for use in a message: shortened, with hidden characters escaped. */
export function toShownPath(path: string): string {
  return escapeHidden(path.length > 200 ? shortenMiddle(path, { start: 120, end: 60, gap: () => '…' }) : path, 'exact')
}
