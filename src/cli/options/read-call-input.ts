import { type Contract, defaultLimits } from '../../contract/contract.ts'
import type { Status } from '../terminal/status.ts'
import type { Request } from './command.ts'
import type { ReadInput } from './read-input.ts'
import { toInput } from './to-input.ts'

interface GivenInput {
  readonly pairs: readonly string[]
  readonly contract: Contract | undefined
  readonly status: Status | undefined
}

/** The input of a call: `key=value` words, or what `--input` names. */
export async function readCallInput(request: Request, { pairs, contract, status }: GivenInput): Promise<ReadInput> {
  if (request.options.input === undefined) return toInput(pairs, contract?.input)
  const read = () => readWhole(request, contract)
  return status?.whileAsking(read) ?? read()
}

async function readWhole({ options, terminal }: Request, contract: Contract | undefined): Promise<ReadInput> {
  const { readInput } = await import('./read-input.ts')
  if (options.input === '-' && process.stdin.isTTY) terminal.log('Type the input as JSON, then press Ctrl-D.')
  const { inputBytes } = contract?.limits ?? defaultLimits
  return readInput(options.input!, { maxBytes: inputBytes, signal: terminal.signal })
}
