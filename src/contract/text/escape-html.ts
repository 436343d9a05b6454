/** What cannot be seen, or turns the text around it. */
const hidden = /[[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]--[\n\t\u{fe0e}\u{fe0f}]]/gv
const special: { readonly [character: string]: string } = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' } // biome-ignore format: one line

/** Text from elsewhere made fit for a page, in an element or a quoted attribute: no markup, and nothing hidden. */
export function escapeHtml(text: string): string {
  return text
    .replace(hidden, (found) => `\\u{${found.codePointAt(0)!.toString(16)}}`)
    .replace(/[&<>"']/g, (found) => special[found]!)
}
