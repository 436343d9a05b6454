/**
 * One word for a shell that nobody knows. Quotes and backslashes stand outside of single quotes, since fish reads them
 * there in its own way; the rest is the same in every shell.
 */
export function quoteForShell(word: string): string {
  return `'${word.replaceAll(/['\\]/g, (found) => (found === '\\' ? `'\\\\'` : `'"'"'`))}'`
}
