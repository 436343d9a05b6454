import { toConsoleDocument } from '../../projections/openapi/console/console-document.ts'
import type { Endpoint } from './endpoint.ts'

export const documentEndpoints: readonly Endpoint[] = [
  { method: 'GET', path: 'openapi.json', right: 'view', handle: (_asked, { version }) => toConsoleDocument({ version }) }, // biome-ignore format: one line
]
