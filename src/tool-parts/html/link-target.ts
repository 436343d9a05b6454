import type { Page } from './tree.ts'

/** Longer ones are trackers and embedded data. */
const maxLength = 2000

/** What a link may lead to. Others, such as `javascript:`, run code or stay on the machine. */
const schemes = new Set(['http:', 'https:', 'mailto:'])

/** Resolves the addresses of a page: complete, safe in Markdown and in `<…>`; undefined for those to leave out. */
export function toLinkTargets({ elements }: Page, url: string): (address: string | undefined) => string | undefined {
  const declared = elements.find(({ tag, attributes }) => tag === 'base' && attributes.href !== undefined)
  const base = (declared && URL.parse(declared.attributes.href!, url)?.href) || url
  return (address) => {
    if (address === undefined || address.length > maxLength) return undefined
    const target = URL.parse(address, base)
    if (!target || !schemes.has(target.protocol) || target.username !== '' || target.password !== '') return undefined
    const written = target.href.replace(/[^!-~]|[()<>[\]\\`|"'{}^*]/g, (character) =>
      character === "'" || character === '(' || character === ')' || character === '*'
        ? `%${character.charCodeAt(0).toString(16).toUpperCase()}`
        : encodeURIComponent(character),
    )
    return written.length > maxLength ? undefined : written
  }
}
