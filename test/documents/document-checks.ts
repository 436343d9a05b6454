import { existsSync, readFileSync, statSync } from 'node:fs'

/** Whether a test of this title exists. Composed titles are found by their last part. */
export function hasTest(source: string, title: string): boolean {
  return ["'", '"', '`'].some((quote) =>
    source
      .split(`${title}${quote},`)
      .slice(1)
      .some((after) => /^\s*(?:async\b|\(|\{)/.test(after)),
  )
}

/** Links and pictures of a page to files, and to headings in them, that do not exist. Links to other hosts are not followed. */
export function findBrokenLinks(page: string, address: URL): { readonly links: number; readonly broken: string[] } {
  const links = [...withoutCode(page).matchAll(/\]\(([^)#\s]*)(?:#([^)]+))?\)|\b(?:src|srcset|href)="([^"#]*)(?:#([^"]+))?"/g)] // biome-ignore format: one line
  const broken = links.filter(([, target, anchor, source, hash]) => {
    const file = target ?? source ?? ''
    return !/^[a-z]+:/.test(file) && !leadsSomewhere(new URL(file, address), anchor ?? hash)
  })
  return { links: links.length, broken: broken.map(([link]) => link) }
}

function leadsSomewhere(file: URL, anchor: string | undefined): boolean {
  if (!existsSync(file)) return false
  if (anchor === undefined || statSync(file).isDirectory() || !file.pathname.endsWith('.md')) return true
  return readAnchors(readFileSync(file, 'utf8')).has(anchor)
}

/** Of several headings with the same text, all but the first get a number. */
function readAnchors(text: string): ReadonlySet<string> {
  const anchors = new Set<string>()
  for (const [, heading = ''] of withoutFences(text).matchAll(/^#+ (.+)$/gm)) {
    const anchor = toAnchor(heading)
    let free = anchor
    for (let count = 1; anchors.has(free); count++) free = `${anchor}-${count}`
    anchors.add(free)
  }
  return anchors
}

/** The text of a page without blocks of code. */
function withoutFences(text: string): string {
  return text.replaceAll(/^( *)(`{3,}|~{3,}).*\n[\s\S]*?^\1\2$/gm, (block) => block.replaceAll(/[^\n]/g, ''))
}

/** The prose of a page: neither blocks of code nor code in a line. Lines keep their numbers. */
export function withoutCode(text: string): string {
  return withoutFences(text).replaceAll(/(`+)(?!`)[^\n]*?[^`]\1(?!`)/g, (code) => '`'.repeat(code.length))
}

/** The anchor of a heading, as GitHub makes it. */
export function toAnchor(heading: string): string {
  return heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')
}
