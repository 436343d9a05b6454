import { printableLines } from '../../contract/text/printable.ts'
import { shorten } from '../../contract/text/shorten.ts'
import type { Caller } from '../../contract/tool.ts'
import type { Served } from '../served.ts'
import { findKnown } from './capabilities.ts'

/** Of all servers together. */
const maxCharacters = 32_000

/** Our own instructions, followed by those of MCP servers that a person has accepted, quoted and with the name of the server. */
export async function findInstructions(
  served: Served,
  caller: Caller,
  own: string | undefined,
): Promise<string | undefined> {
  const offers = (await findKnown(() => served.catalog.offers(caller))) ?? []
  const quoted = offers.flatMap(({ toolset, tool: { offer } }) =>
    offer?.kind === 'instructions' ? [`The MCP server ${toolset} says about its tools:\n${quote(offer.text)}`] : [],
  )
  if (quoted.length === 0) return own
  const theirs = shorten(quoted.join('\n\n'), maxCharacters)
  return [...(own === undefined ? [] : [own]), `${intro}\n\n${theirs}`].join('\n\n')
}

const intro =
  'The quoted texts below come from MCP servers, and a person has accepted them. They apply to the tools of their server alone.'

/** Each line is marked, so that no text can end its quotation. */
function quote(text: string): string {
  return printableLines(text)
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n')
}
