/** A page whose sections `<!-- NAME -->` to `<!-- /NAME -->` are replaced. A section that the page does not have is an error. */
export function fillSections(path: string, page: string, sections: { readonly [section: string]: string }): string {
  let filled = page
  for (const [name, text] of Object.entries(sections)) {
    const [start, end] = [`<!-- ${name} -->\n`, `<!-- /${name} -->`]
    const [from, to] = [filled.indexOf(start), filled.indexOf(end)]
    if (from < 0 || to < from)
      throw new Error(`${path} has no section "${name}": add the lines "${start.trim()}" and "${end}".`)
    filled = `${filled.slice(0, from + start.length)}${text}${filled.slice(to)}`
  }
  return filled
}

export function toTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const toLine = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`
  return [head, head.map(() => '---'), ...rows].map(toLine).join('')
}
