import { readFileSync } from 'node:fs'
import { configSchema } from '../src/app/config/config-schema.ts'
import { commands } from '../src/cli/main.ts'
import type { Help, OptionTable } from '../src/cli/options/command.ts'
import { globalOptions } from '../src/cli/options/command-line.ts'
import { exitCodeMeanings } from '../src/cli/terminal/exit-codes.ts'
import { type Instrument, type InstrumentName, instruments, toPrometheusLabel, toPrometheusName } from '../src/telemetry/metrics/instruments.ts' // biome-ignore format: one line
import { fillSections, toTable } from './page-sections.ts'

/** The reference pages with their tables filled in from the definitions in the code, by path. */
export async function toReferencePages(): Promise<{ readonly [path: string]: string }> {
  const sections = {
    'docs/cli.md': await toCommandSections(),
    'docs/config.md': toSettingSections(),
    'docs/telemetry.md': { metrics: toMetricTable() },
  }
  const pages = Object.entries(sections).map(([path, tables]) => {
    const page = readFileSync(new URL(`../${path}`, import.meta.url), 'utf8').replaceAll('\r\n', '\n')
    return [path, fillSections(path, page, tables)]
  })
  return Object.fromEntries(pages)
}

function toMetricTable(): string {
  const rows = (Object.keys(instruments) as InstrumentName[]).map((name) => {
    const { kind, about, labels }: Instrument = instruments[name]
    const shown = labels.map((label) => `\`${toPrometheusLabel(label)}\``).join(', ')
    return [`\`${toPrometheusName(name)}\``, kind, shown, about]
  })
  return toTable(['metric', 'kind', 'labels', 'meaning'], rows)
}

/** Usage and options of each command. A command without a section in the page is an error. */
async function toCommandSections(): Promise<{ [section: string]: string }> {
  const sections: { [section: string]: string } = {
    'options of every command': toOptionTable(globalOptions),
    'exit codes': toTable(
      ['code', 'meaning'],
      exitCodeMeanings.map(([code, meaning]) => [String(code), meaning]),
    ),
  }
  for (const [name, { load }] of Object.entries(commands)) {
    const command = await load()
    const actions = Object.entries(command.actions ?? {}).map(([action, help]) => `\n### ${name} ${action}\n\n${toHelpText(help)}`) // biome-ignore format: one line
    sections[name] = [toHelpText(command), ...actions].join('')
  }
  return sections
}

function toHelpText({ usage, about, options }: Help): string {
  const lines = usage.map((line) => `toolpact ${line}\n`).join('')
  const table = Object.keys(options).length > 0 ? `\n${toOptionTable(options)}` : ''
  return `\`\`\`text\n${lines}\`\`\`\n\n${toProse(about)}\n${table}`
}

/** Help text as Markdown: one line per paragraph, without characters that would be markup. */
function toProse(about: string): string {
  const escaped = about.replaceAll(/[*<]/g, (character) => `\\${character}`)
  return withCode(escaped.replaceAll(/(?<!\n)\n(?!\n)/g, ' '))
}

/** Options, addresses, variables and names with underscores as code. */
function withCode(text: string): string {
  const code =
    /(?<![\w`'"./-])(?:--[a-z][a-z-]+|https?:\/\/[^\s,)]*[^\s,.)]|[A-Z]+(?:_[A-Z]+)+|[a-z]+(?:_[a-z]+)+|toolpact\.(?:json|lock))(?![\w`'"*])/g
  return text.replaceAll(code, '`$&`')
}

function toOptionTable(options: OptionTable): string {
  const rows = Object.entries(options).map(([name, { short, value, about }]) => {
    const names = [...(short ? [`-${short}`] : []), `--${name}`].join(', ')
    return [`\`${value ? `${names} ${value}` : names}\``, withCode(about)]
  })
  return toTable(['option', 'meaning'], rows)
}

interface Schema {
  readonly type?: string
  readonly description?: string
  readonly default?: unknown
  readonly enum?: readonly unknown[]
  readonly deprecated?: boolean
  readonly properties?: { readonly [key: string]: Schema }
  readonly additionalProperties?: boolean | Schema
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
}

/** A table per top-level key that has keys of its own, and one of all top-level keys. */
function toSettingSections(): { [section: string]: string } {
  const top = Object.entries((configSchema as Schema).properties!).filter(([, { deprecated }]) => !deprecated)
  const sections: { [section: string]: string } = {}
  const rows = top.map(([key, schema]) => {
    const below = toRows(schema)
    if (below.length > 0) sections[key] = toTable(['key', 'meaning', 'default'], below)
    return toRow(below.length > 0 ? `[\`${key}\`](#${key.toLowerCase()})` : `\`${key}\``, schema)
  })
  return { keys: toTable(['key', 'meaning', 'default'], rows), ...sections }
}

/** The keys below a schema: those of an object, of each item of a list, of each entry of a map, or of the first of several forms. */
function toRows(schema: Schema, prefix = ''): string[][] {
  const { properties, items, additionalProperties, anyOf } = schema
  const inner = items ?? anyOf?.[0] ?? (typeof additionalProperties === 'object' ? additionalProperties : undefined)
  if (!properties) return inner?.properties ? toRows(inner, prefix) : []
  return Object.entries(properties).flatMap(([key, value]) => {
    const below = toRows(value, `${prefix}${key}.`)
    return value.properties ? below : [toRow(`\`${prefix}${key}\``, value), ...below]
  })
}

/** A sentence of the description may state the default. */
function toRow(name: string, { description = '', default: value, enum: values }: Schema): string[] {
  const stated = / ?Default: (.*?)\.(?= |$)/.exec(description)
  const choices = values ? [`One of ${values.map((choice) => `\`${choice}\``).join(', ')}.`] : []
  const meaning = [withCode(description.replace(stated?.[0] ?? '', '')), ...choices].join(' ')
  return [name, meaning, value === undefined ? (stated?.[1] ?? '') : `\`${JSON.stringify(value).replaceAll('"', '')}\``]
}
