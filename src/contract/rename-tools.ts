/**
 * Replaces the names of tools in text of a contract. A name that could be an ordinary word counts only between backticks.
 * @param toName The new name of a tool, by its bare name; undefined if the word is not the name of a tool.
 */
export function renameTools(text: string, toName: (bareName: string) => string | undefined): string {
  return text.replace(mention, (word, offset: number) => {
    const isMarked = text[offset - 1] === '`' && text[offset + word.length] === '`'
    return (isMarked || /[_.-]/.test(word) ? toName(word) : undefined) ?? word
  })
}

/** A whole word that may be the name of a tool, without the full stop of its sentence. */
const mention = /[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_])?/g
