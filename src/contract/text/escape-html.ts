import { escapeHidden } from './hidden-characters.ts'

const special: { readonly [character: string]: string } = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' } // biome-ignore format: one line

/** Escapes untrusted text for an HTML element or quoted attribute: no markup, no hidden characters. */
export function escapeHtml(text: string): string {
  return escapeHidden(text, 'prose').replace(/[&<>"']/g, (found) => special[found]!)
}
