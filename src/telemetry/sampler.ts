/** Whether to export a trace. `parent`: whether the trace is sampled where it comes from; undefined if it begins here. */
export type Sampler = (traceId: string, parent: boolean | undefined) => boolean

/** The samplers of OTEL_TRACES_SAMPLER, as OpenTelemetry defines them. Undefined if there is none of that name. */
export function findSampler(name: string, share: number): Sampler | undefined {
  const roots: { readonly [name: string]: (traceId: string) => boolean } = {
    always_on: () => true,
    always_off: () => false,
    traceidratio: (traceId) => isWithin(traceId, share),
  }
  const root = roots[name.replace(/^parentbased_/, '')]
  if (!root || !Object.hasOwn(roots, name.replace(/^parentbased_/, ''))) return undefined
  return name.startsWith('parentbased_') ? (traceId, parent) => parent ?? root(traceId) : root
}

/** By the last 56 bits of the trace id, which are random, so every program decides alike. */
function isWithin(traceId: string, share: number): boolean {
  return Number.parseInt(traceId.slice(-14), 16) < share * 2 ** 56
}
