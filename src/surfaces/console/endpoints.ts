import { answerEndpoints } from './answer.ts'
import { callEndpoints } from './calls.ts'
import { connectionEndpoints } from './connections.ts'
import { documentEndpoints } from './document.ts'
import type { Endpoint } from './endpoint.ts'
import { lockEndpoints } from './lock.ts'
import { plotEndpoints } from './plots.ts'
import { proofEndpoints } from './proof.ts'
import { questionEndpoints } from './questions.ts'
import { ruleEndpoints } from './rules.ts'
import { runEndpoints } from './runs.ts'
import { serverEndpoints } from './servers.ts'
import { sessionEndpoints } from './session.ts'
import { sessionListEndpoints } from './sessions.ts'
import { toolEndpoints } from './tools.ts'

/** Every route of the API, besides the stream and signing out. */
export const endpoints: readonly Endpoint[] = [
  ...sessionEndpoints,
  ...sessionListEndpoints,
  ...documentEndpoints,
  ...questionEndpoints,
  ...answerEndpoints,
  ...callEndpoints,
  ...proofEndpoints,
  ...runEndpoints,
  ...serverEndpoints,
  ...connectionEndpoints,
  ...lockEndpoints,
  ...toolEndpoints,
  ...ruleEndpoints,
  ...plotEndpoints,
]
