/** Longer text is not searched further. */
const maxLength = 20_000

/**
 * Whether untyped text is probably Markdown. Source code and logs must not be: their indentation and comments would be
 * lost. A heading alone may be a comment, so it needs another sign.
 */
export function looksLikeMarkdown(text: string): boolean {
  const start = text.slice(0, maxLength)
  if (sure.some((sign) => sign.test(start))) return true
  if (code.test(start)) return false
  const headings = start.match(heading)?.length ?? 0
  return headings > 1 || (headings === 1 && list.test(start))
}

const sure = [
  // A fence with its end.
  /^ {0,3}(```|~~~)[^`\n]*\n[\s\S]*?^ {0,3}\1\s*$/m,
  // The row below the header of a table.
  /^\|?(?: *:?-{3,}:? *\|)+(?: *:?-{3,}:? *)?$/m,
  // A link.
  /(?:^|[\s(*_])!?\[[^\]\n]{1,200}\]\(https?:\/\/[^\s)]+\)/m,
  // Strong text.
  /(?:^|[\s(])\*\*[^\s*](?:[^*\n]{0,120}[^\s*])?\*\*(?=$|[\s:.,;!?)])/m,
]
/** Between blank lines, or at the start or end. */
const heading = /(?:^|\n\n)#{1,6} [^\n]+(?=\n\n|\n?$)/g
const list = /^(?:[-*+]|\d+[.)]) \S.*\n(?:[-*+]|\d+[.)]) \S/m
const code =
  /^(?:#!|#include|import |from \S+ import |export |package |using |def |class |func(?:tion)? |const |let |var |[\w-]+:\s*$)/m
