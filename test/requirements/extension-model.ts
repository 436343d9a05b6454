import { addingTools } from './extension-model/adding-tools.ts'
import { contracts } from './extension-model/contracts.ts'
import { runtime } from './extension-model/runtime.ts'
import type { RequirementsDocument } from './requirement.ts'

export const extensionModel: RequirementsDocument = {
  title: 'Tool Contracts & Extension Model (MultiMCPHost)',
  about:
    'A host for many MCP servers whose tools must keep contracts. It is the host of Toolpact ([upstreams](upstreams.md), [admission](admission.md)) and `toolpact ask` ([ask](chat.md#ask-one-question)).',
  names: [
    [
      'tool metadata, `inputSchema`, `outputSchema`',
      '[the contract](contract.md#fields): `name`, `description`, `input`, `output`',
    ],
    ['typed parser', 'made from the output schema; as code, `toolpact export validators`'],
    [
      'allowlist',
      '[admission](admission.md), and [the lock](upstreams.md#pin-what-you-accepted) for what was accepted',
    ],
    ['single-step tool constraint', '[queries](serving.md#one-call-per-query)'],
    ['grounded summarization', '[summaries](chat.md#summaries)'],
    ['planner', '[`toolpact ask`](chat.md#ask-one-question)'],
  ],
  groups: [...contracts, ...runtime, ...addingTools],
}
