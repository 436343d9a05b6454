import { totalmem } from 'node:os'

/** Limits of a sandboxed command. */
export interface CommandLimits {
  /** Concurrent processes and threads. */
  readonly processes: number
  /** Memory of all its processes together. */
  readonly memoryBytes: number
  /** Size of each file it writes. */
  readonly fileBytes: number
}

export type LimitName = 'processes' | 'memory' | 'file size'

const gigabyte = 1024 ** 3

export const defaultLimits: CommandLimits = {
  processes: 4096,
  memoryBytes: Math.min(8 * gigabyte, Math.floor(totalmem() * 0.75)),
  fileBytes: 10 * gigabyte,
}

/**
 * POSIX shell commands that set the kernel's limits for each process, and disable core files. The memory limit covers
 * writable data only, since runtimes reserve far more address space than they use. Lower limits of the system stay.
 * dash uses a different letter for processes.
 */
export function toLimitScript({ processes, memoryBytes, fileBytes }: Partial<CommandLimits>): string {
  return [
    'ulimit -c 0',
    ...(fileBytes === undefined ? [] : [`ulimit -f ${Math.ceil(fileBytes / 512)}`]),
    ...(memoryBytes === undefined ? [] : [`ulimit -d ${Math.ceil(memoryBytes / 1024)}`]),
    ...(processes === undefined ? [] : [`ulimit -u ${processes} || ulimit -p ${processes}`]),
  ]
    .map((line) => `{ ${line}; } 2>/dev/null`)
    .join('\n')
}

/** The limit that a failed command probably hit, from its error output. */
export function findMetLimit(exitCode: number | null, complaint: string): LimitName | undefined {
  if (exitCode === 0) return undefined
  // A shell reports SIGXFSZ as 128 + 25.
  if (exitCode === 153 || /File too large|EFBIG/.test(complaint)) return 'file size'
  if (/Cannot allocate memory|MemoryError|ENOMEM|bad_alloc|out of memory|memory exhausted/i.test(complaint))
    return 'memory'
  if (/[Cc]annot fork|fork: retry|EAGAIN|Resource temporarily unavailable|can't start new thread/.test(complaint))
    return 'processes'
  return undefined
}
