import { resolve } from 'node:path'
import type { Toolpact } from '../../app/app.ts'
import type { JsonObject } from '../../contract/json.ts'
import type { Options } from '../options/command.ts'
import { toOwnCommand } from '../options/own-command.ts'

export type Entries = Awaited<ReturnType<Toolpact['catalog']['all']>>

/** A call that shows something and changes nothing, from the examples of the contracts. */
export function findExample(entries: Entries): { name: string; input: JsonObject } | undefined {
  for (const { name, tool } of entries) {
    const { risk, approval, status, examples } = tool.contract
    const example = examples.find(({ error, given }) => error === undefined && given === undefined)
    if (example && risk === 'read_only' && approval === 'never' && status === 'active') return { name, input: example.input } // biome-ignore format: one line
  }
  return undefined
}

/** The command line that serves the same tools on stdio, from whatever folder a client starts it in. */
export function toStdioCommand(options: Options, { workspace }: Pick<Toolpact, 'workspace'>): readonly string[] {
  const {
    toolset = [],
    config,
    'no-config': noConfig,
    ask,
    'read-only': readOnly,
    'single-step': singleStep,
    catalogue,
  } = options
  return [
    ...[...toOwnCommand(), 'serve', '--stdio'],
    ...['--workspace', workspace],
    ...toolset.flatMap((name) => ['--toolset', name]),
    ...(config === undefined ? [] : ['--config', resolve(config)]),
    ...(noConfig ? ['--no-config'] : []),
    ...(ask === undefined ? [] : ['--ask', ask]),
    ...(readOnly ? ['--read-only'] : []),
    ...(singleStep ? ['--single-step'] : []),
    ...(catalogue === undefined ? [] : ['--catalogue', catalogue]),
  ]
}
