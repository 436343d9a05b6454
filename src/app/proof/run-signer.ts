import { spawn } from 'node:child_process'
import { ToolpactError } from '../../contract/toolpact-error.ts'
import { decideEnvironment } from '../../policy/environment.ts'
import {
  fromBase64,
  parseNote,
  toSignatureLine,
  type Verifier,
  verifyNote,
} from '../../runtime/storage/proof/signed-note.ts'

interface SignerCommand {
  readonly command: readonly string[]
  readonly keepEnvironment: readonly string[] | undefined
  /** The signature must fit it. */
  readonly verifier: Verifier
}

const timeoutMs = 10_000
const maxOutput = 1024

/** Lets the operator's program sign a text, without a shell. It gets the text on stdin and prints 64 bytes in base64. */
export async function runSigner(text: string, command: SignerCommand): Promise<Uint8Array> {
  const signature = await run(text, command)
  const note = parseNote(`${text}\n${toSignatureLine(command.verifier, signature)}`)
  if (note && (await verifyNote(note, [command.verifier])).length > 0) return signature
  throw new ToolpactError('storage_unavailable', 'The signature of a checkpoint does not fit the public key. Check ledger.signing in the config.') // biome-ignore format: one line
}

function run(text: string, { command, keepEnvironment = [] }: SignerCommand): Promise<Uint8Array> {
  const [program = '', ...args] = command
  const { kept } = decideEnvironment(process.env, keepEnvironment)
  return new Promise((resolve, reject) => {
    let printed = ''
    let isOver = false
    // A group of its own, so that what it starts ends with it.
    const child = spawn(program, args, { env: kept, stdio: ['pipe', 'pipe', 'ignore'], detached: true })
    const timer = setTimeout(() => end(`did not end within ${timeoutMs / 1000} s`), timeoutMs)

    function end(fault: string | undefined) {
      if (isOver) return
      isOver = true
      clearTimeout(timer)
      try {
        process.kill(-child.pid!, 'SIGKILL')
      } catch {
        // It has ended.
      }
      const signature = fault === undefined ? fromBase64(printed.trim()) : undefined
      if (signature?.length === 64) return resolve(signature)
      const reason = fault ?? 'printed no Ed25519 signature in base64'
      reject(new ToolpactError('storage_unavailable', `No checkpoint was signed: ${program} in ledger.signing ${reason}.`)) // biome-ignore format: one line
    }

    child.once('error', ({ code, message }: NodeJS.ErrnoException) => end(code === 'ENOENT' ? 'was not found' : `failed (${message})`)) // biome-ignore format: one line
    child.stdin.on('error', () => {})
    child.stdin.end(text)
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      printed += part
      if (printed.length > maxOutput) end('printed too much')
    })
    child.once('close', (code, signal) => end(code === 0 ? undefined : `ended with ${signal ?? `exit code ${code}`}`))
  })
}
