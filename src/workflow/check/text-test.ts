import type { TextTest } from '../../contract/diff/part.ts'
import { loadLinearPattern } from '../../contract/schema/linear-pattern.ts'
import { assertedFormats, loadFormats } from '../../contract/schema/load-formats.ts'
import { PatternFault } from '../../contract/schema/pattern-fault.ts'
import { grantSteps, isExhausted, stepsForAnyValue } from '../../contract/schema/step-budget.ts'

/** Runs patterns and formats on texts that are written in a workflow, as the validator does. */
export async function openTextTest(): Promise<TextTest> {
  const compile = await loadLinearPattern()
  const formats = await loadFormats([...assertedFormats])
  return ({ pattern, format }, text) => {
    try {
      grantSteps(stepsForAnyValue)
      if (typeof pattern === 'string' && !compile(pattern).test(text)) return 'no'
      const isValid = formats.get(String(format)) as ((text: string) => boolean) | undefined
      return isValid && !isValid(text) ? 'no' : 'yes'
    } catch (cause) {
      if (cause instanceof PatternFault || isExhausted(cause)) return 'unknown'
      throw cause
    }
  }
}
