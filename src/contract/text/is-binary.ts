/** Whether decoded text is not text, by its NULs. A few of them in a page are damage. */
export function isBinary(text: string, { isPage }: { readonly isPage: boolean }): boolean {
  const start = text.slice(0, 8192)
  const zeros = start.split('\0').length - 1
  return zeros > start.length * (isPage ? 0.3 : 0.01)
}
