import { contractTarget } from './contract-inputs.ts'
import { definitionTarget } from './definitions.ts'
import { documentTarget } from './documents.ts'
import { httpBytesTarget, httpMessagesTarget } from './http.ts'
import { pathTarget } from './paths.ts'
import { ruleTarget, ruleTextTarget } from './rule-patterns.ts'
import { schemaTarget } from './schemas.ts'
import { stdioBytesTarget, stdioMessagesTarget } from './stdio.ts'
import type { OpenTarget } from './target.ts'
import { workflowTarget } from './workflows.ts'

export const targets: { readonly [name: string]: OpenTarget } = {
  'stdio-bytes': stdioBytesTarget,
  'stdio-messages': stdioMessagesTarget,
  'http-bytes': httpBytesTarget,
  'http-messages': httpMessagesTarget,
  contracts: contractTarget,
  schemas: schemaTarget,
  definitions: definitionTarget,
  documents: documentTarget,
  rules: ruleTarget,
  'rule-texts': ruleTextTarget,
  paths: pathTarget,
  workflows: workflowTarget,
}
