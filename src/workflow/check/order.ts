import { nearest } from '../../contract/text/nearest.ts'
import { showText } from '../../contract/text/show-value.ts'
import type { Step } from '../document/workflow.ts'

/** Ids that occur twice, and steps that wait for one which is unknown, later, or waits for them. */
export function findOrderProblems(steps: readonly Step[]): { pointer: string; message: string }[] {
  const ids = steps.map(({ id }) => id)
  return steps.flatMap((step, index) => {
    const first = ids.indexOf(step.id)
    const twice = first < index ? [{ pointer: `/steps/${index}/id`, message: `The id '${step.id}' is taken by step ${first + 1}. Give this one another.` }] : [] // biome-ignore format: one line
    const waits = step.after.flatMap((id, place) => {
      const message = findWaitProblem(id, step, { steps, ids, index })
      return message === undefined ? [] : [{ pointer: `/steps/${index}/after/${place}`, message }]
    })
    return [...twice, ...waits]
  })
}

interface Order {
  readonly steps: readonly Step[]
  readonly ids: readonly string[]
  readonly index: number
}

function findWaitProblem(id: string, step: Step, { steps, ids, index }: Order): string | undefined {
  const found = ids.indexOf(id)
  if (id === step.id) return `The step '${id}' waits for itself. Remove it here.`
  if (found < 0) {
    const near = nearest(id, ids)
    return `There is no step '${showText(id)}'. ${near ? `Did you mean '${near}'?` : 'Correct the id.'}`
  }
  if (found < index) return undefined
  const circle = findCircle(id, step.id, steps)
  if (circle) return `The steps wait for each other: ${[step.id, ...circle].join(' after ')}. Remove one of them.`
  return `The step '${id}' comes later. Move it up, before '${step.id}'.`
}

/** The steps from one back to another by `after`. */
function findCircle(from: string, to: string, steps: readonly Step[]): string[] | undefined {
  const byId = new Map(steps.map((step) => [step.id, step]))
  const seen = new Set<string>()
  const waiting: string[][] = [[from]]
  for (let path = waiting.shift(); path; path = waiting.shift()) {
    const last = path.at(-1)!
    if (last === to) return path
    if (seen.has(last)) continue
    seen.add(last)
    for (const id of byId.get(last)?.after ?? []) waiting.push([...path, id])
  }
  return undefined
}
