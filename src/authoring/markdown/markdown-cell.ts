/** Text that cannot end its cell or its row, or become markup. */
export function toCell(text: string): string {
  return text
    .replaceAll(/[\\|<>*`[\]]/g, String.raw`\$&`)
    .replaceAll(/\s+/g, ' ')
    .trim()
}
