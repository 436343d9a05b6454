import { readFile } from 'node:fs/promises'
import type { Toolpact } from '../../app/app.ts'
import type { ConfigEditor } from '../../app/config/config-editor.ts'
import { isObject, type JsonObject, type JsonSchema, type JsonValue } from '../../contract/json.ts'
import { guardSchema } from '../../contract/schema/guard-schema.ts'
import { type InferredSchema, inferSchema } from '../../contract/schema/infer-schema.ts'
import { parseJson } from '../../contract/schema/parse-json.ts'
import { printable, printableJson } from '../../contract/text/printable.ts'
import { shorten } from '../../contract/text/shorten.ts'
import { toOverlaySource } from '../../host/to-output.ts'
import { toTextRows } from '../../runtime/approval/text/rows.ts'
import { commandCaller, type Request, UsageError } from '../options/command.ts'
import { chooseApprover } from '../terminal/choose-approver.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { paint } from '../terminal/terminal.ts'
import { readUserName } from '../terminal/user-name.ts'

interface Adopted {
  readonly server: string
  readonly tool: string
}

/** Proposes an output schema for a tool without one, and stores it in the lock if the user confirms. */
export async function adoptTool(adopted: Adopted, editor: ConfigEditor, request: Request): Promise<number> {
  const { options, terminal } = request
  const seen = await editor.look()
  if (!seen?.isTrusted(adopted.server))
    throw new UsageError(`${editor.path} is not trusted.`, 'Review it with toolpact trust.')
  const { schema, doubts } = await propose(adopted, seen.content, request)
  const isWanted = await isMeant({ ...adopted, schema, doubts }, request)
  const toolpact = await request.open({ storage: 'memory' })
  try {
    if (isWanted) await toolpact.lock.attach({ ...adopted, output: schema }, readUserName())
    if (options.json) terminal.print(printableJson({ ...adopted, schema, doubts, attached: isWanted }))
    else if (isWanted)
      terminal.print([paint('green', '✓ '), `Attached in ${await toolpact.lock.pathOf(adopted.server)}. What ${adopted.tool} returns is held to it from now on.`]) // biome-ignore format: one line
    return isWanted ? exitCodes.success : exitCodes.refused
  } finally {
    await toolpact.close()
  }
}

async function propose(adopted: Adopted, content: JsonObject, request: Request): Promise<InferredSchema> {
  const { input, result = [], schema } = request.options
  // Repeatable here, although the shared type says otherwise.
  const inputs = ((input ?? []) as readonly string[]).map((text) => toObject(text, '--input'))
  if (schema !== undefined) {
    if (inputs.length + result.length > 0) throw new UsageError('Give samples or --schema, not both.')
    const given = (await readObject(schema, '--schema')) as JsonSchema
    await refuseUnfit(given)
    return { schema: given, doubts: [] }
  }
  if (inputs.length + result.length === 0)
    throw new UsageError(`To propose a schema for ${adopted.tool}, its results must be seen.`, `Give inputs to call it with: --input '{"key": "value"}', several if they give different results.`) // biome-ignore format: one line
  const recorded = await readResults(result)
  return inferSchema([...recorded, ...(await callSamples(adopted, inputs, content, request))])
}

async function refuseUnfit(schema: JsonSchema): Promise<void> {
  const verdict = await guardSchema(schema)
  const [problem] = verdict.admitted ? [] : verdict.problems
  if (problem) throw new UsageError(`The schema cannot be used. ${problem.pointer}: ${problem.message}`)
  if (schema.type !== 'object') throw new UsageError('The schema is not of type object, and an output is an object.')
}

/** The target of a schema, from recorded results. */
async function readResults(files: readonly string[]): Promise<JsonObject[]> {
  const results = await Promise.all(files.map((file) => readObject(`@${file}`, '--result')))
  return results.map((result) => (isResult(result) ? toOverlaySource(result) : result))
}

function isResult({ content, structuredContent }: JsonObject): boolean {
  return isObject(structuredContent) || (Array.isArray(content) && content.every((block) => isObject(block) && 'type' in block)) // biome-ignore format: one line
}

/** Calls the tool once per input, through the pipeline: checked, approved and recorded. */
async function callSamples(
  { server, tool }: Adopted,
  inputs: readonly JsonObject[],
  content: JsonObject,
  request: Request,
): Promise<JsonObject[]> {
  const { options, terminal } = request
  if (inputs.length === 0) return []
  const { openToolpact } = await import('../../app/app.ts')
  const approver = chooseApprover(terminal, options, () => toolpact.approvals)
  let violating: unknown
  const toolpact: Toolpact = await openToolpact({
    ...(options.workspace !== undefined && { workspace: options.workspace }),
    config: withOpenOutput(content, server, tool),
    approver: approver.ask,
    person: readUserName(),
    // A previously attached schema may be wrong, so violations still count as samples.
    onViolation: ({ kind, raw }) => {
      violating = kind === 'invalid_output' ? raw : undefined
    },
  })
  const outputs: JsonObject[] = []
  try {
    for (const input of inputs) {
      terminal.log(paint('dim', `Calling ${server}.${tool} with ${shorten(printableJson(input), 200)} …`))
      violating = undefined
      const call = { caller: commandCaller, signal: terminal.signal }
      const result = approver.explain(await toolpact.query().call(`${server}.${tool}`, input, call))
      if (result.success) outputs.push(result.output)
      else if (isObject(violating as JsonValue)) outputs.push(toOverlaySource(violating as JsonObject))
      else throw new UsageError(`The call failed (${result.error.code}): ${result.error.message}`, result.error.suggestion) // biome-ignore format: one line
    }
    return outputs
  } finally {
    await toolpact.close()
  }
}

/** The config with only this server, and a schema for this tool that accepts everything. */
function withOpenOutput(content: JsonObject, server: string, tool: string): JsonObject {
  const entry = (content.mcpServers as JsonObject)[server] as JsonObject
  const overlays = { [tool]: { output: { type: 'object' } } }
  const { toolsets: _, lock: __, callers: ___, ...rest } = content
  return { ...rest, mcpServers: { [server]: { ...entry, overlays } } }
}

async function isMeant(
  { server, tool, schema, doubts }: Adopted & { schema: JsonSchema; doubts: readonly string[] },
  { options, terminal }: Request,
): Promise<boolean> {
  const rows = [
    [paint('bold', `Output schema for ${server}.${tool}:`)],
    ...toTextRows(JSON.stringify(schema, null, 2), terminal.columns ?? 100),
    ...doubts.map((doubt) => [paint('yellow', 'Doubt:'), ` ${printable(doubt)}`]),
  ]
  if (options.yes) {
    if (!options.json) terminal.print(...rows)
    return true
  }
  const { openTty } = await import('../terminal/prompt/open-tty.ts')
  const tty = openTty()
  if (!tty) {
    if (!options.json) terminal.print(...rows)
    terminal.log('Not attached: there is no terminal to ask at. Add --yes to attach it as it is.')
    return false
  }
  try {
    const { page } = await import('../terminal/prompt/page.ts')
    const isSeen = await page(rows, tty, () => terminal.signal)
    const answer = isSeen ? await tty.ask(paint('bold', 'Attach it? (y/N) '), terminal.signal) : undefined
    const isYes = /^\s*y(?:es)?\s*$/i.test(answer ?? '')
    if (!isYes) terminal.log('Not attached.')
    return isYes
  } finally {
    tty.close()
  }
}

async function readObject(source: string, option: string): Promise<JsonObject> {
  if (!source.startsWith('@')) return toObject(source, option)
  const text = await readFile(source.slice(1), 'utf8').catch((cause) => {
    throw new UsageError(`${source.slice(1)} cannot be read (${cause.code}).`, `Check the path after ${option}.`)
  })
  return toObject(text, option)
}

function toObject(text: string, option: string): JsonObject {
  const parsed = parseJson(text, { maxBytes: 16_777_216, maxDepth: 64 })
  if (!parsed.ok) throw new UsageError(`The JSON after ${option} is not valid. ${parsed.message}`)
  const value: JsonValue = parsed.value
  if (!isObject(value)) throw new UsageError(`${option} needs an object, but got ${printable(shorten(text, 100))}.`)
  return value
}
