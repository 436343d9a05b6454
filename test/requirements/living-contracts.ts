import { format } from './living-contracts/format.ts'
import { models } from './living-contracts/models.ts'
import { web } from './living-contracts/web.ts'
import type { RequirementsDocument } from './requirement.ts'

export const livingContracts: RequirementsDocument = {
  title: 'Tool Contracts (Living)',
  about:
    'A strict format for contracts, and five tools: the toolsets [`web-fetch`](web.md), [`transcript-clean`](transcript.md) and [`mlxctl`](mlx.md).',
  groups: [...format, ...web, ...models],
}
