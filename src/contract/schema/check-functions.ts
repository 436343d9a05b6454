import ucs2length from 'ajv/dist/runtime/ucs2length.js'
import { spendOnSize, spendSteps } from './step-budget.ts'

/** What the code of compiled checks calls, apart from keywords, patterns and formats. */
export const checkFunctions = {
  spendSteps,
  spendOnSize,
  // Node hands over a CommonJS module, and some bundlers its default export.
  ucs2length: (ucs2length as unknown as { default?: typeof ucs2length }).default ?? ucs2length,
  hasOwnProperty: Object.prototype.hasOwnProperty,
} as const
