import { readToolUi, type ToolUi } from '../contract/app-ui.ts'
import { type Contract, defaultLimits, type Effects, operatorService } from '../contract/contract.ts'
import { deepFreeze } from '../contract/deep-freeze.ts'
import { isObject, type JsonObject, type JsonValue } from '../contract/json.ts'
import { instructionsName, isOffer, promptPrefix } from '../contract/offer.ts'
import { boundJson } from '../contract/schema/bound-json.ts'
import { nameHidden } from '../contract/text/hidden-characters.ts'
import { findHiddenStrings } from '../contract/text/hidden-strings.ts'
import { showText } from '../contract/text/show-value.ts'
import { checkSchema } from './admission/check-schema.ts'
import { chooseOutput } from './admission/choose-output.ts'
import { chooseRisk } from './admission/choose-risk.ts'
import { closeInput } from './admission/close-input.ts'
import { toCompletion } from './admission/completions.ts'
import { upstreamNameForm } from './admission/fold-name.ts'
import { findUndeclared } from './admission/input-keys.ts'
import { createToReason, type ToReason } from './admission/reasons.ts'
import type { ToolIndex } from './admission/tool-index.ts'
import { credentialRequired, resourceNotFound, upstreamErrors } from './admission/upstream-errors.ts'
import type { LockVerdict, Reason, Verdict, Withheld } from './admission/verdict.ts'
import { driftWords } from './lock/drift.ts'
import { readGrants } from './offers/app-grants.ts'
import { toServedUri } from './offers/served-uri.ts'
import { resourcesName, toOwnName } from './offers/to-definitions.ts'
import { type ServerSettings, settingFor } from './server-settings.ts'
import { findSignals } from './signals/find-signals.ts'

export interface AdmissionContext {
  readonly server: string
  readonly settings?: ServerSettings
  /** Tools of other servers and toolsets. A name must be distinguishable from theirs, and mentioning one is flagged. */
  readonly others?: ToolIndex
  readonly lock?: LockVerdict
}

/** Real tools return screenshots and whole pages. */
const defaultOutputBytes = 10 * 1024 * 1024

/** Far above the largest definition of a real tool: 77 kB, 15 levels. */
export const definitionLimits = { maxBytes: 524_288, maxDepth: 80 } as const

/**
 * Decides whether to admit a tool, from its definition exactly as received. A tool with errors is withheld, with every
 * reason; missing details are completed, and reported. Never throws.
 *
 * `await admit({ name: 'sum', inputSchema: { type: 'object' } }, { server: 'calc' })` is withheld: it has no description.
 */
export async function admit(definition: unknown, context: AdmissionContext): Promise<Verdict> {
  const bounded = boundJson(definition, definitionLimits)
  const name = nameOf(bounded.ok ? bounded.value : definition)
  const toReason = createToReason(context.server, name)
  if (!bounded.ok) return withhold(name, [toReason('unreadable', `The definition cannot be read: ${bounded.message}`)])
  if (!isObject(bounded.value)) return withhold(name, [toReason('unreadable', 'The definition is not a JSON object.')])
  if (context.lock?.state === 'kept') return admitAccepted(bounded.value, context.lock, context)
  return judge(bounded.value, name, { ...context, toReason })
}

/** Uses the accepted definition, but only if the new one would be admitted as well. */
async function admitAccepted(definition: JsonObject, lock: LockVerdict, context: AdmissionContext): Promise<Verdict> {
  const { lock: _, ...rest } = context
  const { accepted, ...verdict } = lock
  const isSound = accepted !== undefined && (await admit(definition, rest)).state === 'admitted'
  return isSound ? admit(accepted, rest) : admit(definition, { ...rest, lock: { ...verdict, state: 'differs' } })
}

export function withhold(name: string, reasons: readonly Reason[]): Withheld {
  return { state: 'withheld', name, reasons }
}

/** The name, safe to display. It comes from the server and may be missing or of any type. */
export function nameOf(definition: unknown): string {
  try {
    const name = isObject(definition) ? Object.getOwnPropertyDescriptor(definition, 'name')?.value : undefined
    return typeof name === 'string' && name !== '' ? showText(name, 128) : unnamed
  } catch {
    // Reading a proxy may throw anything.
    return unnamed
  }
}

const unnamed = '(unnamed)'

interface Judging extends AdmissionContext {
  readonly toReason: ToReason
}

async function judge(definition: JsonObject, name: string, context: Judging): Promise<Verdict> {
  const { server, settings = {}, others, toReason } = context
  // The operator's own settings decide first.
  const ruled = checkRules(name, settings, toReason)
  if (ruled) return withhold(name, [ruled])
  const reasons = [...checkName(definition.name, context), ...checkWords(definition, toReason), ...checkLock(context)]
  const input = await chooseInput(definition.inputSchema, toReason)
  const output = await chooseOutput(name, definition.outputSchema, { settings, toReason })
  if ('reasons' in input) reasons.push(...input.reasons)
  if ('reasons' in output) reasons.push(...output.reasons)
  if (reasons.length > 0 || 'reasons' in input || 'reasons' in output) return withhold(name, reasons)
  const { risk, approval, claimsToRead, completed } = chooseRisk(name, definition.annotations, settings)
  const { ui, app } = chooseUi(definition, name, context)
  const forApps = ui?.visibility?.includes('model') === false
  const contract: Contract = deepFreeze({
    name,
    title: titleOf(definition) ?? name,
    description: definition.description as string,
    version: '1.0.0',
    status: 'active',
    risk,
    approval,
    input: input.schema,
    output: output.schema,
    errors: [
      ...upstreamErrors,
      ...(settings.authorization ? [credentialRequired] : []),
      ...(name === resourcesName ? [resourceNotFound] : []),
    ],
    limits: { ...defaultLimits, outputBytes: defaultOutputBytes, ...settings.limits },
    effects: toUpstreamEffects(server, isChosen(name, settings) ? approval : 'ask'),
    examples: [],
  })
  return {
    state: 'admitted',
    name,
    ownName: toOwnName(definition, name),
    contract,
    outputForm: output.form,
    passesText: settings.text === 'server',
    requiresIsError: settings.responses === 'strict',
    forApps,
    ...(ui && { ui }),
    ...(app && { app }),
    claimsToRead,
    completed: [
      ...(input.note ? [toCompletion(input.note)] : []),
      ...output.completed,
      ...completed,
      ...(forApps ? [toCompletion('for_apps')] : []),
      ...(app ? [toCompletion('has_app')] : []),
    ],
    get flags() {
      return findSignals(definition, { server, ...(others && { others }) })
    },
  }
}

/** Prompts and resources do not ask by default, which is not the operator's choice. */
function isChosen(name: string, { approval }: ServerSettings): boolean {
  return !isOffer(name) || approval === 'reads' || settingFor(approval, name) !== undefined
}

/**
 * A server receives every input and returns untrusted text, whatever its hints claim. If the operator lets a tool run
 * without asking, its server counts as a recipient that the operator chose.
 */
function toUpstreamEffects(server: string, approval: Contract['approval']): Effects {
  return { sendsTo: [approval === 'never' ? operatorService : `MCP server ${server}`], returns: ['untrusted'] }
}

/** MCP Apps. A page that cannot be read here, because the operator excludes the server's resources, is not announced. */
function chooseUi(definition: JsonObject, name: string, { server, settings = {}, toReason }: Judging) {
  if (isOffer(name)) return {}
  const { resourceUri, visibility } = readToolUi(definition._meta)
  const app = checkRules(resourcesName, settings, toReason) ? undefined : readGrants(definition)
  const ui: ToolUi = {
    ...(app && resourceUri !== undefined && { resourceUri: toServedUri(server, resourceUri) }),
    ...(visibility && { visibility }),
  }
  return { app, ui: Object.keys(ui).length > 0 ? deepFreeze(ui) : undefined }
}

function checkRules(name: string, settings: ServerSettings, toReason: ToReason): Reason | undefined {
  const { tools, exclude, prompts = true, resources = true } = settings
  if (exclude?.includes(name)) return toReason('excluded')
  if (name.startsWith(promptPrefix)) return prompts ? undefined : toReason('excluded')
  if (name === resourcesName) return resources ? undefined : toReason('excluded')
  if (name === instructionsName) return undefined
  return tools && !tools.includes(name) ? toReason('not_listed') : undefined
}

function checkName(name: JsonValue | undefined, { server, others, toReason }: Judging): Reason[] {
  if (typeof name !== 'string' || !upstreamNameForm.test(name)) return [toReason('name_not_usable')]
  const twin = others?.findTwin(server, name)
  if (!twin) return []
  return [toReason('name_taken', `The name is easily confused with ${twin.server}.${twin.tool}.`)]
}

function checkWords(definition: JsonObject, toReason: ToReason): Reason[] {
  const { description } = definition
  const reasons = findHiddenStrings(definition).map(({ pointer, character }) =>
    toReason('hidden_characters', `${showText(pointer, 200)} has ${nameHidden(character)}.`),
  )
  if (typeof description !== 'string' || description.trim() === '') reasons.push(toReason('no_description'))
  return reasons
}

function checkLock({ lock, toReason }: Judging): Reason[] {
  if (lock?.state === 'required_missing') return [toReason('not_in_lock')]
  if (lock?.state !== 'differs') return []
  const changes = lock.changes.slice(0, 5).map((change) => showText(change, 200))
  const meaning = lock.drift ? `, and ${driftWords[lock.drift]}` : ''
  return [toReason('differs_from_lock', `The definition differs from the accepted one${meaning}: ${changes.join('; ')}.`)] // biome-ignore format: one line
}

type ChosenInput =
  | { readonly reasons: readonly Reason[] }
  | { readonly schema: JsonObject; readonly note?: 'input_closed' | 'input_open' }

async function chooseInput(schema: JsonValue | undefined, toReason: ToReason): Promise<ChosenInput> {
  if (schema === undefined || schema === null) return { reasons: [toReason('no_input_schema')] }
  const faults = await checkSchema(schema, '/inputSchema', toReason)
  if (faults.length > 0) return { reasons: faults }
  if (!isObject(schema) || schema.type !== 'object') return { reasons: [toReason('input_not_an_object')] }
  const undeclared = findUndeclared(schema)
  if (undeclared.length > 0) {
    const keys = undeclared.slice(0, 5).map((pointer) => showText(pointer, 100))
    return { reasons: [toReason('undeclared_required', `Required, but declared nowhere: ${keys.join(', ')}.`)] }
  }
  const closed = closeInput(schema)
  if (closed.root === 'closed') return { schema }
  if (closed.root === 'open') return { schema: closed.schema, note: 'input_open' }
  // Copying the keys of branches to the root can exceed the limits of a schema; adding `false` cannot.
  const broken =
    closed.schema.properties === schema.properties ? [] : await checkSchema(closed.schema, '/inputSchema', toReason)
  return broken.length > 0 ? { reasons: broken } : { schema: closed.schema, note: 'input_closed' }
}

function titleOf({ title, annotations }: JsonObject): string | undefined {
  const titles = [title, isObject(annotations) ? annotations.title : undefined]
  return titles.find((text): text is string => typeof text === 'string' && text.trim() !== '')
}
