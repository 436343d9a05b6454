/** Families of the process, which are the same for every tenant. */
const ofProcess = /^(?:process_|nodejs_|toolpact_build)/

/** Joins the metrics of tenants or workers, in the text format of Prometheus, with a label that tells them apart. */
export function joinMetrics(
  texts: readonly (readonly [value: string | number, text: string])[],
  label: 'tenant' | 'worker' = 'tenant',
): string {
  const families = new Map<string, { readonly about: string[]; readonly samples: string[] }>()
  for (const [index, [value, text]] of texts.entries())
    for (const line of text.split('\n')) {
      const [, name] = /^# (?:HELP|TYPE) (\S+)/.exec(line) ?? []
      if (name !== undefined) {
        const family = families.get(name) ?? { about: [], samples: [] }
        if (family.samples.length === 0 && !family.about.includes(line)) family.about.push(line)
        families.set(name, family)
      } else if (line !== '') {
        const family = findFamily(families, line)
        if (label === 'worker' || !ofProcess.test(line)) family.push(withLabel(line, `${label}="${value}"`))
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
function withLabel(line: string, label: string): string {
  return line.replace(/^([\w:]+)(?:\{|(?= ))/, (start, name: string) => start.endsWith('{') ? `${name}{${label},` : `${name}{${label}}`) // biome-ignore format: one line
}
