/** Escapes text for a table cell, so that it cannot end the cell or become markup. */
export function toCell(text: string): string {
  return text
    .replaceAll(/[\\|<>*`[\]]/g, String.raw`\$&`)
    .replaceAll(/\s+/g, ' ')
    .trim()
}
