import { join } from 'node:path'
import type { Config, ConfigSource } from './config.ts'
import { goOnWithout } from './config-error.ts'
import type { TrustGate } from './trust.ts'

export interface ConfigOptions {
  readonly config?: string | ConfigSource
  readonly discover?: boolean
  readonly workspace?: string
}

/** The config as it holds, and where it comes from. */
export interface OpenedConfig {
  readonly config: Config
  /** For messages. */
  readonly source: string
  /** False where it was found in the workspace and nobody has trusted its content: then it only makes things stricter. */
  readonly trusted: boolean
  /** Whether toolsets that it names wait for trust, so that nobody can say which names are wrong. */
  readonly isPart: boolean
  /** What to do if it is wrong. */
  readonly advice: string
  readonly notices: readonly string[]
}

/** Opens the config that was given, or the one in the workspace if it should be looked for; undefined: there is none. */
export async function openConfig(options: ConfigOptions, trust: TrustGate): Promise<OpenedConfig | undefined> {
  const { config, discover, workspace = '.' } = options
  if (config !== undefined) {
    const { readConfig, checkConfig } = await import('./config.ts')
    const isPath = typeof config === 'string'
    const source = isPath ? config : 'that was passed'
    const checked = isPath ? await readConfig(config) : await checkConfig(config, source)
    return { config: checked, source, trusted: true, isPart: false, advice: '', notices: [] }
  }
  if (!discover || !isThere(join(workspace, 'toolpact.json'))) return undefined
  const { path, state, problem, left, ...found } = await trust.open(workspace)
  const why = state === 'changed' ? 'has changed since it was trusted' : 'is not trusted'
  const review = `toolpact trust${workspace === '.' ? '' : ` ${workspace}`}`
  return {
    ...found,
    source: path,
    trusted: state === 'trusted',
    isPart: left.includes('mcpServers') || left.includes('contracts'),
    advice: goOnWithout,
    notices: [
      ...(left.length > 0 ? [`${path} ${why}, so this was left out: ${left.join(', ')}. Review it with ${review}.`] : []), // biome-ignore format: one line
      ...(problem === undefined ? [] : [problem]),
    ],
  }
}

/** A link that leads nowhere is there too: whoever opens it will tell. */
function isThere(path: string): boolean {
  const { lstatSync } = process.getBuiltinModule('node:fs')
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch (cause) {
    // A folder that is none has no config. One that cannot be searched may have one.
    return (cause as NodeJS.ErrnoException).code !== 'ENOTDIR'
  }
}
