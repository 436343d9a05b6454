export const rulesFileName = 'rules.json'

/**
 * What tells one state of the rules file from another, without reading it; undefined where there is none. A file that
 * was replaced, written to, or whose permissions were changed has another version.
 */
export function rulesVersion(directory: string): string | undefined {
  // An import of node:fs would load all of its streams too, and this stands before every call.
  const { lstatSync } = process.getBuiltinModule('node:fs')
  try {
    const stat = lstatSync(`${directory}/${rulesFileName}`, { bigint: true, throwIfNoEntry: false })
    return stat && [stat.dev, stat.ino, stat.size, stat.mtimeNs, stat.ctimeNs].join(' ')
  } catch (cause) {
    // It may be there and only not be seen: whoever reads it will tell.
    return `unknown: ${(cause as NodeJS.ErrnoException).code}`
  }
}
