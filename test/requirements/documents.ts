import { cliAgent } from './cli-agent.ts'
import { extensionModel } from './extension-model.ts'
import { learningOs } from './learning-os.ts'
import { livingContracts } from './living-contracts.ts'
import { practitionerBooster } from './practitioner-booster.ts'
import type { RequirementsDocument } from './requirement.ts'

/** The requirements documents, in the order of the page. */
export const documents: readonly RequirementsDocument[] = [
  learningOs,
  practitionerBooster,
  livingContracts,
  extensionModel,
  cliAgent,
]
