import { totalmem } from 'node:os'

/** What a command in the sandbox may use. */
export interface CommandLimits {
  /** Processes and threads at once. */
  readonly processes: number
  /** Memory of all its processes. */
  readonly memoryBytes: number
  /** Size of a file that it writes. */
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
 * Sets the limits that the kernel enforces for each process, in words of a POSIX shell; no core files either. Memory is
 * what a process may write to, since runtimes reserve far more than they use. A system may have lower limits already.
 * dash has another letter for processes.
 */
export function toLimitScript({ processes, memoryBytes, fileBytes }: CommandLimits): string {
  return [
    'ulimit -c 0',
    `ulimit -f ${Math.ceil(fileBytes / 512)}`,
    `ulimit -d ${Math.ceil(memoryBytes / 1024)}`,
    `ulimit -u ${processes} || ulimit -p ${processes}`,
  ]
    .map((line) => `{ ${line}; } 2>/dev/null`)
    .join('\n')
}

/** The limit that a failed command seems to have met, by what programs say then. */
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
