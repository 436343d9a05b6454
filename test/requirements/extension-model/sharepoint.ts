import type { JsonObject } from '../../../src/contract/json.ts'
import { type AdmissionContext, admit } from '../../../src/host/admit.ts'

/** The tool that the document shows as an example. */
export const sharepoint = {
  name: 'fetch_sharepoint_doc',
  description: 'Fetch a SharePoint doc by id and return its content.',
  inputSchema: { type: 'object', properties: { doc_id: { type: 'string' } }, required: ['doc_id'] },
  outputSchema: {
    type: 'object',
    properties: { doc_id: { type: 'string' }, content: { type: 'string' } },
    required: ['doc_id', 'content'],
  },
} satisfies JsonObject

/** What the host decides about the example, changed. A key that is undefined is left out. */
export function admitExample(
  changes: { readonly [key: string]: unknown } = {},
  context: Partial<AdmissionContext> = {},
) {
  const definition = JSON.parse(JSON.stringify({ ...sharepoint, ...changes }))
  return admit(definition, { server: 'sharepoint', ...context })
}

/** The verdict on a tool that is not served, for a reason of this code. */
export const withheld = (code: string) => ({ state: 'withheld', reasons: [{ code }] })
