import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { nodeForOtherUser, type otherUser } from '../helpers/other-user.ts'
import { entries } from '../helpers/run-command.ts'

export interface StorageProcess {
  readonly child: ChildProcess
  /** Resolves with its output lines when it exits. */
  readonly said: Promise<string[]>
}

/** Starts `storage-process.ts`. `shell` is a prefix for the command, such as `ulimit`. */
export function startStorageProcess(
  [job, directory, name, count]: [job: string, directory: string, name: string, count: string | number],
  options: { shell?: string; user?: typeof otherUser } = {},
): StorageProcess {
  const { user } = options
  const command = [user ? nodeForOtherUser() : process.execPath, entries.storage, job, directory, name, `${count}`]
  const [file, ...parameters] = options.shell
    ? ['sh', '-c', `${options.shell} && exec "$@"`, 'sh', ...command]
    : command
  const child = spawn(file!, parameters, {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 50_000,
    ...user,
  })
  return { child, said: readLines(child) }
}

async function readLines(child: ChildProcess): Promise<string[]> {
  let output = ''
  let errors = ''
  child.stdout!.setEncoding('utf8').on('data', (text) => {
    output += text
  })
  child.stderr!.setEncoding('utf8').on('data', (text) => {
    errors += text
  })
  await once(child, 'close')
  if (errors) throw new Error(`The storage process failed: ${errors}`)
  return output.split('\n').filter((line) => line !== '')
}
