import { format } from './living-contracts/format.ts'
import { models } from './living-contracts/models.ts'
import { web } from './living-contracts/web.ts'
import type { RequirementsDocument } from './requirement.ts'

export const livingContracts: RequirementsDocument = {
  title: 'Tool Contracts (Living)',
  about:
    'A strict format for contracts, and five tools: the toolsets [`web-fetch`](toolsets.md#web-fetch), [`transcript-clean`](toolsets.md#transcript-clean) and [`mlxctl`](toolsets.md#mlxctl).',
  names: [
    ['`input_schema`, `output_schema`', '`input`, `output` in [the contract](contract.md)'],
    ['`http_status`', '`status` of an error'],
    [
      '`endpoint`, the name of an MCP server',
      'the toolset; `toolpact serve --stdio --toolset web-fetch` serves it alone',
    ],
    ['an OpenAPI document beside the tools', '[openapi.json](openapi.json), also served at `/openapi.json`'],
    ['LiteLLM', '`LITELLM_SEARCH_API_BASE`, or `web-fetch.search` in [the config](config.md)'],
    ['`mlxctl` on another machine', '`mlx` in the config: [who does the work](toolsets.md#drivers)'],
  ],
  groups: [...format, ...web, ...models],
}
