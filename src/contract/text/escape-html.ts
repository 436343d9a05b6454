import { escapeHidden } from './hidden-characters.ts'

const special: { readonly [character: string]: string } = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' } // biome-ignore format: one line

/** Text from elsewhere made fit for a page, in an element or a quoted attribute: no markup, and nothing hidden. */
export function escapeHtml(text: string): string {
  return escapeHidden(text, 'prose').replace(/[&<>"']/g, (found) => special[found]!)
}
