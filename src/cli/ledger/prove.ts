import { readFileSync, writeFileSync } from 'node:fs'
import type { Toolpact } from '../../app/app.ts'
import type { LedgerProof } from '../../app/proof/ledger-proof.ts'
import { printable, printableJson } from '../../contract/text/printable.ts'
import { parseCheckpoints } from '../../runtime/storage/proof/checkpoint.ts'
import { type Request, UsageError } from '../options/command.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { findArchivedCall, findRecordedCall } from './show.ts'

/** Writes a proof of a call, or of what happened since a checkpoint, to a file or stdout. */
export async function prove(toolpact: Toolpact, prefix: string | undefined, request: Request): Promise<number> {
  const { options, terminal } = request
  const { ledger } = toolpact
  const proof = requireProof(toolpact)
  if (options.from !== undefined && prefix !== undefined)
    throw new UsageError('ledger prove takes a call or --from, not both.')
  let text: string
  let about: string
  if (options.from !== undefined) {
    const made = await proof.proveConsistency(readCheckpoint(options.from))
    text = JSON.stringify(made, null, 2)
    about = 'that the ledger continues the checkpoint'
  } else {
    const { callId } = (await findArchivedCall(ledger, prefix)) ?? (await findRecordedCall(ledger, prefix))
    text = JSON.stringify(await proof.proveCall(callId), null, 2)
    about = `of the call ${callId}`
  }
  if (options.output === undefined) terminal.printExactly(`${text}\n`)
  else {
    writeFileSync(options.output, `${text}\n`)
    const key = await proof.publicKey()
    if (options.json) terminal.print(printableJson({ file: options.output, publicKey: key }))
    else
      terminal.print(
        `Wrote a proof ${about} to ${printable(options.output)}. Anyone can check it with the public key, which they must get from you:`,
        `  toolpact verify ${printable(options.output)} --key ${key}`,
      )
  }
  return exitCodes.success
}

/** Prints the public key of the ledger. */
export async function printKey(toolpact: Toolpact, { options, terminal }: Request): Promise<number> {
  const publicKey = await requireProof(toolpact).publicKey()
  terminal.print(options.json ? printableJson({ publicKey }) : publicKey)
  return exitCodes.success
}

function requireProof({ proof }: Toolpact): LedgerProof {
  if (proof) return proof
  throw new UsageError('This state has no checkpoints: it is of an older version.', 'Make any call, which migrates it.')
}

/** The last checkpoint of a file. */
function readCheckpoint(path: string): string {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw new UsageError(`The checkpoint ${printable(path)} cannot be read (${(error as NodeJS.ErrnoException).code}).`, 'Check the path after --from.') // biome-ignore format: one line
  }
  const last = parseCheckpoints(text)?.at(-1)
  if (!last) throw new UsageError(`${printable(path)} is not a checkpoint.`, 'A checkpoint is a signed note, as ledger.checkpoints in the config keeps them.') // biome-ignore format: one line
  return text.slice(text.lastIndexOf(`${last.note.text}\n— `))
}
