import { openSync, readdirSync, readFileSync } from 'node:fs'

type Stdio = ('ignore' | 'pipe' | number)[]

let replaced: { readonly descriptors: readonly number[]; readonly by: number } | undefined

/**
 * Replaces inherited descriptors, which children would inherit too, with `/dev/null`. Node closes its own descriptors
 * in children, but not those that it was started with. Linux only.
 */
export function withoutInherited(stdio: Stdio): Stdio {
  replaced ??= findInherited()
  const { descriptors, by } = replaced
  const last = Math.max(stdio.length - 1, ...descriptors)
  return Array.from({ length: last + 1 }, (_, descriptor) => {
    const own = stdio[descriptor] ?? 'ignore'
    return own === 'ignore' && descriptors.includes(descriptor) ? by : own
  })
}

function findInherited() {
  if (process.platform !== 'linux') return { descriptors: [], by: -1 }
  const descriptors = list('/proc/self/fdinfo').filter((descriptor) => {
    try {
      const [, flags = '0'] = /^flags:\s*(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8')) ?? []
      return descriptor > 2 && (Number.parseInt(flags, 8) & closeOnExec) === 0
    } catch {
      return false
    }
  })
  return { descriptors, by: descriptors.length > 0 ? openSync('/dev/null', 'r+') : -1 }
}

const closeOnExec = 0o2000000

function list(folder: string): number[] {
  try {
    return readdirSync(folder).map(Number)
  } catch {
    return []
  }
}
