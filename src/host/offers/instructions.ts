import type { Contract } from '../../contract/contract.ts'
import type { JsonObject } from '../../contract/json.ts'
import { instructionsName } from '../../contract/offer.ts'
import { shorten } from '../../contract/text/shorten.ts'
import type { Tool } from '../../contract/tool.ts'

/** Longer ones would crowd out the work of a model. */
const maxCharacters = 8000

/** Instructions of a server as a definition, so that admission, lock and review apply to them. They are its description. */
export function toInstructionsDefinition(instructions: string | undefined): readonly JsonObject[] {
  if (instructions === undefined || instructions.trim() === '') return []
  return [
    {
      name: instructionsName,
      title: 'Instructions',
      description: instructions,
      inputSchema: { type: 'object', properties: {}, additionalProperties: false },
      outputSchema: {
        type: 'object',
        properties: { text: { type: 'string', description: 'The instructions' } },
        required: ['text'],
        additionalProperties: false,
      },
    },
  ]
}

/** Instructions that a person has accepted. Clients get them with those of this host. */
export function toInstructionsTool(contract: Contract): Tool {
  const text = shorten(contract.description, maxCharacters)
  return Object.freeze({ contract, offer: { kind: 'instructions', text }, run: () => ({ text }) } satisfies Tool)
}
