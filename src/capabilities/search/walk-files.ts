import { type Dirent, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import type { Held } from '../files/held.ts'
import { isTemporaryName } from '../files/temporary-name.ts'
import { compileSteps, matchSteps } from './glob.ts'
import { isIgnored, type RuleLayer, readRules, readRulesAbove } from './ignore-rules.ts'
import type { Walk } from './search-request.ts'

/**
 * The walk in JavaScript: opens each directory from its held parent, so that no symlink is ever followed. Yields
 * between directories; `visit` gets each file's path from the start, and the directory to open it in.
 */
export async function walkFiles(
  walk: Walk,
  visit: (path: string, directory: Held, name: string) => void,
): Promise<{ stopped?: 'timeout'; unreadable: number }> {
  const { setting, start, names } = walk
  const wanted = names?.map((name) => compileSteps([name])!)
  const isWanted = (name: string) => !wanted || wanted.some((steps) => matchSteps(steps, [name], true))

  let unreadable = 0
  const onError = (error: unknown) => {
    if (isUnreadable(error)) unreadable++
  }

  async function enter(directory: Held, path: string, depth: number, above: RuleLayer[]): Promise<void> {
    const layers = walk.ignored ? [] : [...above, ...readRules(directory, path)]
    for (const entry of readEntries(directory, onError)) {
      walk.signal?.throwIfAborted()
      if (isOver(walk)) return
      const { name } = entry
      const inner = path ? `${path}/${name}` : name
      const isDirectory = entry.isDirectory()
      if (name === '.git' || isTemporaryName(name) || (!isDirectory && !(entry.isFile() && isWanted(name)))) continue
      if (!walk.hidden && name.startsWith('.')) continue
      if (!walk.ignored && isIgnored(layers, inner, isDirectory)) continue
      if (!isDirectory) visit(inner, directory, name)
      else if (depth < walk.depth && !setting.confinement.isDenied(join(start.real, inner))) {
        await descend(directory, inner, depth, layers)
      }
    }
  }

  async function descend(parent: Held, path: string, depth: number, layers: RuleLayer[]): Promise<void> {
    await turn()
    const held = tryHold(walk, parent, path, onError)
    try {
      if (held) await enter(held, path, depth + 1, layers)
    } finally {
      held?.close()
    }
  }

  await enter(start, '', 1, walk.ignored ? [] : readRulesAbove(walk))
  return { unreadable, ...(isOver(walk) && { stopped: 'timeout' }) }
}

function isOver({ deadline, hurry }: Walk): boolean {
  return performance.now() > deadline || hurry?.aborted === true
}

type OnError = (error: unknown) => void

/** Whether a file or directory exists and cannot be read: one that vanished or became a symlink does not count. */
export function isUnreadable(error: unknown): boolean {
  return !['ENOENT', 'ENOTDIR', 'ELOOP'].includes((error as NodeJS.ErrnoException).code ?? '')
}

function tryHold({ setting }: Walk, parent: Held, path: string, onError: OnError): Held | undefined {
  try {
    const held = setting.hold(parent.at(path.slice(path.lastIndexOf('/') + 1)), { follow: false })
    if (held.stats.isDirectory()) return held
    held.close()
  } catch (error) {
    onError(error)
  }
  return undefined
}

function readEntries(directory: Held, onError: OnError): Dirent[] {
  try {
    return readdirSync(directory.path, { withFileTypes: true })
  } catch (error) {
    onError(error)
    return []
  }
}
