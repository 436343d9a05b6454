import type { Toolpact } from '../../app/app.ts'
import { reveal } from '../../runtime/approval/text/reveal.ts'
import { type Row, toRows, toTextRows } from '../../runtime/approval/text/rows.ts'
import { paint } from '../terminal/terminal.ts'

type Reviewed = Awaited<ReturnType<Toolpact['trust']['look']>>

/** Formats a config for review: all settings, with those that run or loosen something last. */
export function toReviewRows(reviewed: Reviewed, columns: number): Row[] {
  const { path, digest, state, content, loosens } = reviewed
  const width = columns - 1
  const settings = toSettings(content)
  const isLoose = ({ name }: Setting) => loosens.some((loose) => isPartOf(loose, name) || isPartOf(name, loose))
  const loose = settings.filter(isLoose)
  const strict = settings.filter((setting) => !isLoose(setting))
  return [
    ...toRows(paint('bold', 'Config: '), reveal(path, 8).parts, { width, indent: 4 }),
    [paint('bold', 'Digest: '), digest],
    [paint('bold', 'State: '), stateWords[state]],
    ...(strict.length > 0 ? [[paint('bold', 'Holds without trust:')]] : []),
    ...strict.flatMap((setting) => toSettingRows(setting, width)),
    loose.length > 0
      ? [paint('bold', 'Would run or loosen, once trusted:')]
      : [paint('green', 'Nothing in it needs trust.')],
    ...loose.flatMap((setting) => toSettingRows(setting, width, setting.runs ? 'red' : 'yellow')),
  ]
}

const stateWords: { readonly [state in Reviewed['state']]: string } = {
  trusted: 'trusted',
  changed: 'changed since it was trusted',
  untrusted: 'not trusted',
}

interface Setting {
  /** Such as `policy.sandbox`. */
  readonly name: string
  readonly value: unknown
  readonly runs: boolean
}

/** Nested settings are listed one by one. */
const groups = ['ledger', 'policy', 'limits', 'callers', 'http', 'mcpServers']

function toSettings(content: Reviewed['content']): Setting[] {
  return Object.entries(content).flatMap(([key, value]) =>
    groups.includes(key)
      ? Object.entries(value as object).map(([part, value]) => ({
          name: `${key}.${part}`,
          value,
          runs: key === 'mcpServers',
        }))
      : [{ name: key, value, runs: key === 'contracts' }],
  )
}

function isPartOf(name: string, whole: string): boolean {
  return name === whole || name.startsWith(`${whole}.`)
}

const maxInline = 60

function toSettingRows({ name, value }: Setting, width: number, style?: 'red' | 'yellow'): Row[] {
  const parts = reveal(name, 8).parts.map((part) =>
    style && typeof part === 'string' ? paint([style, 'bold'], part) : part,
  )
  const inline = JSON.stringify(value)
  if (inline.length <= maxInline)
    return toRows('  ', [...parts, ': ', ...reveal(inline, 8).parts], { width, indent: 6 })
  return [...toRows('  ', [...parts, ':'], { width, indent: 6 }), ...toTextRows(JSON.stringify(value, null, 2), width)]
}
