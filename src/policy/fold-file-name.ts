/** A file's name as the file systems fold it that would take another spelling for the same name. */
export function foldFileName(name: string): string {
  return name
    .normalize('NFKC')
    .replace(ignoredByFileSystems, '')
    .replace(/[. ]+$/, '')
    .toLowerCase()
}

const ignoredByFileSystems = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g
