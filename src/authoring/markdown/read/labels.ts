const labels = {
  name: ['name'],
  title: ['title'],
  description: ['description', 'purpose'],
  version: ['version'],
  status: ['status'],
  risk: ['risk', 'risklevel'],
  approval: ['approval', 'approvalrequired', 'requiresapproval'],
  transport: ['transport'],
  endpoint: ['endpoint'],
  toolset: ['toolset', 'server'],
  access: ['access'],
  sideEffects: ['sideeffects'],
  input: ['inputschema', 'input', 'parameters', 'arguments'],
  output: ['outputschema', 'output', 'returns'],
  /** Input and output together, with name and description. */
  schema: ['schema', 'contract', 'definition'],
  sample: ['successresponse', 'exampleresponse', 'sampleoutput'],
  request: ['request', 'examplerequest'],
  response: ['response'],
  errors: ['errors', 'errorcases', 'errorcodes'],
  limits: ['limits'],
  effects: ['effects'],
  constraints: ['constraints', 'validationrules', 'rules'],
  examples: ['example', 'examples'],
} as const

/** Labels of the parts of a tool. */
export type Label = keyof typeof labels

const byWord = new Map<string, Label>(
  Object.entries(labels).flatMap(([label, words]) => words.map((word): [string, Label] => [word, label as Label])),
)

/** Normalizes `Input Schema`, `input_schema:` and `inputSchema`. */
export function toLabel(text: string): Label | undefined {
  return byWord.get(text.toLowerCase().replaceAll(/[^a-z]/g, ''))
}
