import { answerEndpoints } from './answer.ts'
import { callEndpoints } from './calls.ts'
import type { Endpoint } from './endpoint.ts'
import { lockEndpoints } from './lock.ts'
import { questionEndpoints } from './questions.ts'
import { serverEndpoints } from './servers.ts'
import { sessionEndpoints } from './session.ts'

/** Every route of the API, besides the stream and signing out. */
export const endpoints: readonly Endpoint[] = [
  ...sessionEndpoints,
  ...questionEndpoints,
  ...answerEndpoints,
  ...callEndpoints,
  ...serverEndpoints,
  ...lockEndpoints,
]
