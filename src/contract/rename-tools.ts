/**
 * Replaces tool names in the text of a contract. A name that could be an ordinary word counts only between backticks.
 * @param toName Returns the new name for a bare tool name, or undefined if the word is not a tool.
 */
export function renameTools(text: string, toName: (bareName: string) => string | undefined): string {
  return text.replace(mention, (word, offset: number) => {
    const isMarked = text[offset - 1] === '`' && text[offset + word.length] === '`'
    return (isMarked || /[_.-]/.test(word) ? toName(word) : undefined) ?? word
  })
}

/** A whole word that may be a tool name, without the full stop of the sentence. */
const mention = /[A-Za-z0-9_](?:[A-Za-z0-9_.-]*[A-Za-z0-9_])?/g
