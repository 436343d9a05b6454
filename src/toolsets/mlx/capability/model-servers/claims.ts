import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { withFileLock } from '../../../../state/file-lock.ts'
import { makePrivateDirectory, readPrivateFile, writePrivateFile } from '../../../../state/private-file.ts'
import { isSameProcess, type ProcessId, processId } from './process-id.ts'

/** Who has a port: a server that runs, or somebody who is starting or ending one. */
export interface Claim {
  readonly model: string
  /** While it is starting, nobody else can know what there is to end. */
  readonly state: 'starting' | 'waiting' | 'loaded' | 'ending'
  /** The server's process, where it is one of ours. */
  readonly server: ProcessId | null
  /** Who starts or ends it. */
  readonly owner: ProcessId
  /** Whoever takes a claim over makes a new one: by this the former owner sees it. */
  readonly token: string
}

type ClaimContent = Pick<Claim, 'model' | 'state' | 'server'>

/** A claim for as long as nobody else has taken it over. What is done to it after that has no effect. */
export interface OwnClaim {
  stands(): boolean
  /** False where it does not stand any more. */
  change(changes: Partial<ClaimContent>): Promise<boolean>
  release(): Promise<void>
}

/** Which ports are whose, for every process that shares the directory. It outlives them. */
export interface Claims {
  /** Puts in place of what is there what `decide` makes of it. Where that is nothing, all stays as it is. */
  take(
    port: number,
    decide: (before: Claim | undefined) => ClaimContent | undefined,
  ): Promise<{ readonly before: Claim | undefined; readonly own: OwnClaim | undefined }>
  /** What is there now. It may have changed by the time of a `take`. */
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
      // Whoever looks without the lock may see it go.
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

/** Whether the server is a process of ours that still runs. */
export function isRunning({ server }: Claim): boolean {
  return server !== null && isSameProcess(server)
}

/** Whether somebody who still lives is starting or ending the server. */
export function isUnderWay({ state, owner }: Claim): boolean {
  return state !== 'loaded' && isSameProcess(owner)
}
