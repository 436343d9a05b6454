import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { withFileLock } from '../../../../state/file-lock.ts'
import { makePrivateDirectory, readPrivateFile, writePrivateFile } from '../../../../state/private-file.ts'
import { isSameProcess, type ProcessId, processId } from './process-id.ts'

/** The owner of a port: a running server, or a process that is starting or stopping one. */
export interface Claim {
  readonly model: string
  /** While it is `starting`, only its owner knows what would have to be stopped. */
  readonly state: 'starting' | 'waiting' | 'loaded' | 'ending'
  /** The server's process, if we started it. */
  readonly server: ProcessId | null
  /** The process that is starting or stopping it. */
  readonly owner: ProcessId
  /** Changes when another process takes the claim over, which is how the former owner notices. */
  readonly token: string
}

type ClaimContent = Pick<Claim, 'model' | 'state' | 'server'>

/** A claim until another process takes it over. After that, its methods have no effect. */
export interface OwnClaim {
  stands(): boolean
  /** False if the claim is no longer valid. */
  change(changes: Partial<ClaimContent>): Promise<boolean>
  release(): Promise<void>
}

/** The owners of ports, shared by all processes that use the directory. Outlives them. */
export interface Claims {
  /** Replaces the claim with what `decide` returns for it; undefined changes nothing. */
  take(
    port: number,
    decide: (before: Claim | undefined) => ClaimContent | undefined,
  ): Promise<{ readonly before: Claim | undefined; readonly own: OwnClaim | undefined }>
  /** The current claim. It may have changed by the time of a `take`. */
  look(port: number): Claim | undefined
}

const lockMs = 10_000

export function openClaims(directory: string): Claims {
  makePrivateDirectory(directory)
  const pathOf = (port: number) => join(directory, `${port}.json`)
  const owner = processId(process.pid)
  const locked = <Result>(job: () => Result) => withFileLock(join(directory, 'lock'), lockMs, job)

  function read(port: number): Claim | undefined {
    try {
      const bytes = readPrivateFile(pathOf(port))
      return bytes && (JSON.parse(Buffer.from(bytes).toString()) as Claim)
    } catch (error) {
      // A reader without the lock may see the file being deleted.
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw error
    }
  }

  function write(port: number, claim: Claim) {
    writePrivateFile(pathOf(port), `${JSON.stringify(claim)}\n`)
  }

  function toOwn(port: number, token: string): OwnClaim {
    const readOwn = () => {
      const claim = read(port)
      return claim?.token === token ? claim : undefined
    }
    return {
      stands: () => readOwn() !== undefined,
      change: (changes) =>
        locked(() => {
          const claim = readOwn()
          if (claim) write(port, { ...claim, ...changes })
          return claim !== undefined
        }),
      release: () =>
        locked(() => {
          if (readOwn()) rmSync(pathOf(port))
        }),
    }
  }

  return {
    take: (port, decide) =>
      locked(() => {
        const before = read(port)
        const content = decide(before)
        if (!content) return { before, own: undefined }
        const token = randomUUID()
        write(port, { ...content, owner, token })
        return { before, own: toOwn(port, token) }
      }),
    look: read,
  }
}

/** Whether the server is a process that we started and that still runs. */
export function isRunning({ server }: Claim): boolean {
  return server !== null && isSameProcess(server)
}

/** Whether a live process is starting or stopping the server. */
export function isUnderWay({ state, owner }: Claim): boolean {
  return state !== 'loaded' && isSameProcess(owner)
}
