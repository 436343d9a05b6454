import { pipelineErrors } from '../../../contract/error-codes.ts'
import { judgeRefusal, judgeRun } from '../judge.ts'
import type { ScenarioLog } from '../report.ts'
import type { Trial } from '../trial.ts'
import { noInput } from './valid.ts'

/** Declared errors reach the caller as declared; undeclared ones do not. */
export async function tryDeclaredErrors(trial: Trial, log: ScenarioLog): Promise<void> {
  const { contract, subject, output, codes, notRun } = trial
  const [input] = trial.inputs
  if (!input) return log.skip(noInput)
  for (const { code, status, suggestion } of contract.errors) {
    log.count()
    const observed = await subject.call(input, { standIn: ({ fail }) => fail(code, 'As the contract declares.') })
    const { result } = observed
    const complaint = judgeRun(contract, output, observed)
    const isAsDeclared =
      !result.success && result.error.code === code && result.error.suggestion === subject.asRead(suggestion)
    const message = complaint?.message ?? (isAsDeclared ? undefined : 'The error does not match its declaration.')
    if (message !== undefined) log.fail(code, { case: `${code}, status ${status}`, message, input })
  }
  const unseen = notRun === undefined ? contract.errors.map(({ code }) => code).filter((code) => !codes.has(code)) : []
  if (unseen.length > 0)
    log.skip(`Nothing made the tool itself fail with ${unseen.join(', ')}: add an example to the contract for each.`)
  log.count()
  const undeclared = ['undeclared_error', 'undeclared_error_2'].find((code) => !isDeclared(trial, code))!
  const observed = await subject.call(input, {
    standIn: ({ fail }) => fail(undeclared, 'The contract does not know it.'),
  })
  const complaint = judgeRefusal(observed, { code: 'invalid_output', afterRun: true })
  if (complaint) log.fail('undeclared', { case: 'an error that is not declared', message: complaint.message, input })
}

function isDeclared({ contract }: Trial, code: string): boolean {
  return Object.hasOwn(pipelineErrors, code) || contract.errors.some((error) => error.code === code)
}
