import { spendOnSize, spendSteps } from './step-budget.ts'

/** Functions that the code of compiled checks calls, beside keywords, patterns, formats and ajv's own. */
export const checkFunctions = { spendSteps, spendOnSize } as const
