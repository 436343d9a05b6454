/** Families of the process, which are the same for every tenant. */
const ofProcess = /^(?:process_|nodejs_|toolpact_build)/

/** Joins the metrics of tenants, in the text format of Prometheus, with the label `tenant`. */
export function joinMetrics(texts: readonly (readonly [tenant: string, text: string])[]): string {
  const families = new Map<string, { readonly about: string[]; readonly samples: string[] }>()
  for (const [index, [tenant, text]] of texts.entries())
    for (const line of text.split('\n')) {
      const [, name] = /^# (?:HELP|TYPE) (\S+)/.exec(line) ?? []
      if (name !== undefined) {
        const family = families.get(name) ?? { about: [], samples: [] }
        if (family.samples.length === 0 && !family.about.includes(line)) family.about.push(line)
        families.set(name, family)
      } else if (line !== '') {
        const family = findFamily(families, line)
        if (!ofProcess.test(line)) family.push(withLabel(line, tenant))
        else if (index === 0) family.push(line)
      }
    }
  return [...families.values()].flatMap(({ about, samples }) => [...about, ...samples, '']).join('\n')
}

/** The samples of a histogram have the name of their family with an ending. */
function findFamily(families: ReadonlyMap<string, { readonly samples: string[] }>, line: string): string[] {
  const [name = ''] = /^[\w:]+/.exec(line) ?? []
  const found = families.get(name) ?? families.get(name.replace(/_(?:bucket|sum|count)$/, ''))
  return found!.samples
}

/** Names of tenants need no escaping. */
function withLabel(line: string, tenant: string): string {
  const label = `tenant="${tenant}"`
  return line.replace(/^([\w:]+)(?:\{|(?= ))/, (start, name: string) => start.endsWith('{') ? `${name}{${label},` : `${name}{${label}}`) // biome-ignore format: one line
}
