import { existsSync, readFileSync } from 'node:fs'

/** Whether a test of this title exists. Composed titles are found by their last part. */
export function hasTest(source: string, title: string): boolean {
  return ["'", '"', '`'].some((quote) =>
    source
      .split(`${title}${quote},`)
      .slice(1)
      .some((after) => /^\s*(?:async\b|\(|\{)/.test(after)),
  )
}

/** Links of a page to files, and to headings in them, that do not exist. Links to other hosts are not followed. */
export function findBrokenLinks(page: string, address: URL): { readonly links: number; readonly broken: string[] } {
  const links = [...page.matchAll(/\]\(([^)#]*)(?:#([^)]+))?\)/g)]
  const broken = links.filter(([, target = '', anchor]) => {
    if (/^https?:/.test(target)) return false
    const file = new URL(target, address)
    return !existsSync(file) || (anchor !== undefined && !readAnchors(readFileSync(file, 'utf8')).includes(anchor))
  })
  return { links: links.length, broken: broken.map(([link]) => link) }
}

function readAnchors(text: string): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => toAnchor(heading))
}

/** The anchor of a heading, as GitHub makes it. */
export function toAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}
