import { toPerson } from '../../contract/principal.ts'
import { answerQuestion, type QuestionAnswer, toRuleRefusal } from '../../runtime/approval/answer-question.ts'
import type { RuleDraft } from '../../runtime/rules/rule-editor.ts'
import type { RememberedQuestion } from '../../runtime/storage/storage.ts'
import type { Person } from '../http/route.ts'
import type { AnswerRequest, AnswerResponse } from './api/questions.ts'
import type { RuleInput } from './api/rules.ts'
import { type ConsoleParts, type Endpoint, Refusal } from './endpoint.ts'
import { hasRight, toAnswerer } from './person.ts'
import { toMissing } from './questions.ts'

export const answerEndpoints: readonly Endpoint[] = [
  {
    method: 'POST',
    path: 'questions/answer',
    right: 'approve',
    body: 'AnswerRequest',
    text: 'code',
    async handle({ person, body }, { toolpact }): Promise<AnswerResponse> {
      const { ids, answer, rule } = body as unknown as AnswerRequest
      const draft = rule && (await checkRule(toolpact, { person, rule, ids, answer }))
      const answers = await Promise.all(ids.map((id) => answerOne(toolpact, { id, answer, ...toAnswerer(person) })))
      if (!draft || answers[0]!.result !== 'approved') return { answers }
      const saved = await toolpact.rules.add(draft).then(
        ({ id }) => `The rule ${id} was saved.`,
        (cause: Error) => `The rule was not saved. ${cause.message}`,
      )
      return { answers: [{ ...answers[0]!, message: `${answers[0]!.message} ${saved}` }] }
    },
  },
]

type Toolpact = ConsoleParts['toolpact']

type Given = Omit<QuestionAnswer, 'forTool'>

async function answerOne({ approvals }: Toolpact, given: Given): Promise<AnswerResponse['answers'][number]> {
  const { id } = given
  const answered = await answerQuestion(approvals, given)
  const { result, message } = answered
  return { id, result, message, ...(result === 'approved' && answered.isAwaited && { callId: id }) }
}

interface WithRule {
  readonly person: Person
  readonly rule: RuleInput
  readonly ids: readonly string[]
  readonly answer: 'yes' | 'no'
}

/** The rule to save with a yes. Refuses before anything is answered. */
async function checkRule(toolpact: Toolpact, { person, rule, ids, answer }: WithRule): Promise<RuleDraft> {
  if (answer !== 'yes' || ids.length !== 1)
    throw new Refusal('invalid_request', 'A rule is saved with a yes to one question.')
  const question = await toolpact.approvals.find(ids[0]!, Date.now())
  if (question?.state !== 'pending') throw toMissing(question)
  const refusal = toRuleRefusal(question)
  if (refusal !== undefined) throw new Refusal('right_missing', refusal)
  requireOwnRule(toolpact, { question, rule, person })
  const draft = { who: [toPerson({ name: question.caller })], ...rule, createdBy: person.name }
  const { problems } = await toolpact.rules.check(draft)
  if (problems[0]) throw new Refusal('invalid_request', `The rule would not be used. ${problems[0].message}`)
  return draft
}

function requireOwnRule(
  { workspace }: Toolpact,
  { question, rule, person }: { question: RememberedQuestion; rule: RuleInput; person: Person },
): void {
  const isOwn = (rule.who ?? []).every((name) => name === toPerson({ name: question.caller }))
  const isNarrow = rule.tool === question.tool && rule.action === 'allow' && rule.scope !== 'everywhere' && isOwn
  if (!isNarrow && !hasRight(person, 'manage'))
    throw new Refusal(
      'right_missing',
      `With the right 'approve', a rule can only allow calls of ${question.tool} by ${toPerson({ name: question.caller })} in this folder.`,
    )
  if (question.workspace !== workspace && (rule.scope ?? 'workspace') === 'workspace')
    throw new Refusal('invalid_request', 'The call is about another folder than the one that this server works in, so its rule would not be used.', `Approve it once, and run toolpact rules add in ${question.workspace}.`) // biome-ignore format: one line
}
