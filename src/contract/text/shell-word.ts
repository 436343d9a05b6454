/** Quotes a word for a POSIX shell. */
export function toShellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
}

/** A path as a word of a command to copy. One below `~` stays as it is, for the shell to resolve. */
export function toPathWord(path: string): string {
  return /^~[\w@%+=:,./-]*$/.test(path) ? path : toShellWord(path)
}
