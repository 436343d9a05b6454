import type { JsonValue } from '../../contract/json.ts'
import { ToolpactError } from '../../contract/toolpact-error.ts'
import type { ListedRule, RuleDraft } from '../../runtime/rules/rule-editor.ts'
import { describePast } from '../../runtime/rules/simulate-rules.ts'
import type { Person } from '../http/route.ts'
import type {
  ActionResponse,
  RuleChange,
  RuleInput,
  RuleList,
  RulePreview,
  RuleRow,
  SimulateRequest,
  SimulateResponse,
} from './api/rules.ts'
import { toCallRow } from './calls.ts'
import { type ConsoleParts, type Endpoint, Refusal } from './endpoint.ts'

/** The stream reports each change of the rules, whoever makes it. */
export const ruleEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: 'rules',
    right: 'view',
    text: 'code',
    handle: async (_asked, { toolpact }): Promise<RuleList> => ({
      rules: (await orRefuse(toolpact.rules.list())).map(toRow),
    }),
  },
  {
    method: 'POST',
    path: 'rules/create',
    right: 'manage',
    body: 'RuleInput',
    text: 'code',
    async handle({ body, person }, { toolpact }): Promise<ActionResponse> {
      const { id } = await orRefuse(toolpact.rules.add(toDraft(body, person)))
      return { message: `The rule ${id} was saved.` }
    },
  },
  {
    method: 'POST',
    path: 'rules/{id}/change',
    right: 'manage',
    body: 'RuleChange',
    handle: ({ params, body }, { toolpact }) =>
      changeRule(toolpact.rules, params.id!, (body as unknown as RuleChange).change),
  },
  {
    method: 'POST',
    path: 'rules/preview',
    right: 'view',
    body: 'RuleInput',
    text: 'code',
    handle: ({ body, person }, { toolpact }) => previewRule(toolpact.rules, toDraft(body, person)),
  },
  {
    method: 'POST',
    path: 'rules/simulate',
    right: 'view',
    body: 'SimulateRequest',
    text: 'code',
    handle: ({ body, person }, { toolpact }) => simulate(toolpact.rules, body, person),
  },
]

type Rules = ConsoleParts['toolpact']['rules']

async function changeRule(rules: Rules, id: string, change: RuleChange['change']): Promise<ActionResponse> {
  const { apply, done } = changes[change]
  if (await orRefuse(apply(rules, id))) return { message: `The rule ${id} was ${done}.` }
  throw new Refusal('not_found', 'There is no such rule: it was removed, or its session has ended.', 'Reload the page.')
}

interface Change {
  readonly done: string
  readonly apply: (rules: Rules, id: string) => Promise<boolean>
}

const changes: { readonly [change in RuleChange['change']]: Change } = {
  disable: { done: 'disabled', apply: (rules, id) => rules.setDisabled(id, true) },
  enable: { done: 'enabled', apply: (rules, id) => rules.setDisabled(id, false) },
  remove: { done: 'removed', apply: (rules, id) => rules.remove(id) },
  expire: { done: 'ended', apply: (rules, id) => rules.expire(id) },
}

async function previewRule(rules: Rules, draft: Draft): Promise<RulePreview> {
  const { pattern = '', problems, wide, past } = await orRefuse(rules.preview(draft))
  const { allowed, asked, denied } = past?.matched ?? { allowed: 0, asked: 0, denied: 0 }
  return {
    pattern,
    problems: problems.map(({ message }) => message),
    warnings: wide,
    calls: past?.calls ?? 0,
    matched: allowed + asked + denied,
    ...{ wereAllowed: allowed, wereAsked: asked, wereDenied: denied },
    text: past ? describePast(past, draft) : '',
  }
}

async function simulate(rules: Rules, body: JsonValue, person: Person): Promise<SimulateResponse> {
  const { add = [], remove = [], last } = body as unknown as SimulateRequest
  const change = { add: add.map((rule) => toDraft(rule, person)), remove, ...(last !== undefined && { last }) }
  const { calls, skipped, changed } = await orRefuse(rules.simulate(change))
  return {
    ...{ calls, skipped },
    changed: changed.map(({ call, before, after }) => ({
      call: toCallRow(call),
      before: before.action,
      after: after.action,
      rule: after.rule,
    })),
  }
}

type Draft = RuleDraft & Pick<RuleInput, 'action'>

function toDraft(rule: RuleInput | JsonValue, person: Person): Draft {
  return { ...(rule as RuleInput), createdBy: person.name }
}

function toRow({ rule, state, problems, uses, lastUsedAt }: ListedRule): RuleRow {
  const { id, tool, pattern, short, action, expiresAt = null, description = '', createdBy, createdAt } = rule
  return {
    ...{ id, tool, pattern, action, state, expiresAt, description, createdBy, createdAt, uses, lastUsedAt },
    ...(short !== undefined && { short }),
    ...(rule.who && { who: rule.who }),
    scope: toScope(rule),
    problems: problems.map(({ message }) => message),
  }
}

function toScope(rule: ListedRule['rule']): string {
  if (rule.scope === 'session') return `in the session ${rule.session}`
  return rule.scope === 'workspace' ? `in ${rule.workspace}` : 'everywhere'
}

/** Rules that are invalid or cannot be read are for the person to correct: the message says how. */
async function orRefuse<Result>(promise: Promise<Result>): Promise<Result> {
  try {
    return await promise
  } catch (cause) {
    if (cause instanceof ToolpactError) throw new Refusal('invalid_request', cause.message)
    throw cause
  }
}
