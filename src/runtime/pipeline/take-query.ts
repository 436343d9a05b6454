import { isPublicCaller } from '../../contract/public-access.ts'
import type { Caller } from '../../contract/tool.ts'
import type { StepSettings } from './pipeline-options.ts'
import { createQueries } from './queries.ts'
import type { Query } from './query.ts'
import { Stop } from './stop.ts'

/** The query that a call belongs to. `missing`: it must name one and does not. */
type Belonging =
  | { readonly kind: 'named' | 'session'; readonly query: Query }
  | { readonly kind: 'missing'; readonly query?: undefined }

/**
 * Finds the query of a call: the one that it names or, with `singleStep`, that of its session, which expires after an hour
 * without calls. Anonymous requests without a session must name one, since they would all share one query. Undefined: the
 * call is not limited.
 */
export function createQueryFinder(settings: () => StepSettings) {
  const ofSessions = createQueries()
  return (named: Query | undefined, caller: Caller): Belonging | undefined => {
    if (named) return { kind: 'named', query: named }
    const { singleStep, requireQuery } = settings()
    const isAnonymous = isPublicCaller(caller) && caller.session === undefined
    if (requireQuery || (singleStep && isAnonymous)) return { kind: 'missing' }
    return singleStep ? { kind: 'session', query: ofSessions.find(caller.session ?? '', caller) } : undefined
  }
}

/** Uses the single step of a query for this call. */
export function takeQuery({ kind, query }: Belonging, call: string): void {
  if (!query)
    throw Stop.at('single_step', 'Here each call must belong to a query, and this one names none.', {
      suggestion: `Send the id of the query. ${howToName}`,
    })
  if (query.take(call)) return
  if (kind === 'named')
    throw Stop.at('single_step', 'This query has already made its one call.', {
      ...(query.isNamed && {
        suggestion: `Answer with what the first call gave. For the next question send the id of a new query. ${howToName}`,
      }),
    })
  throw Stop.at(
    'single_step',
    'Here each query makes one call. Calls that name no query count as one query for the whole session, and it has made its call.',
    {
      suggestion: `Answer with what the first call gave. For the next question start a new session, or send the id of a new query. ${howToName}`,
    },
  )
}

const howToName =
  'An id is new for each question of a user: over MCP in _meta["toolpact/query"], over REST in the header Toolpact-Query. A program calls with toolpact.query().call().'
