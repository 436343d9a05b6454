import { spendOnSize, spendSteps } from './step-budget.ts'

/** What the code of compiled checks calls, apart from keywords, patterns, formats and functions of ajv. */
export const checkFunctions = { spendSteps, spendOnSize } as const
