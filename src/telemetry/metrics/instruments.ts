/** A metric: its unit in OpenTelemetry's notation, its labels, and where they differ the name in Prometheus. */
export interface Instrument {
  readonly kind: 'counter' | 'histogram' | 'gauge'
  readonly unit: string
  readonly about: string
  readonly labels: readonly string[]
  /** Upper bounds of the buckets. */
  readonly bounds?: readonly number[]
  /** The name in Prometheus, if tools expect another than the one that follows from the rules. */
  readonly prometheus?: string
}

/** For requests, which may wait for a person. */
const operationBounds = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300]
const callBounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]
const commitBounds = [0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1]
const waitBounds = [1, 5, 15, 30, 60, 120, 300, 600, 1800, 3600, 14_400, 86_400]

/** Every metric. docs/telemetry.md lists them, and a test compares them with the dashboard. */
export const instruments = {
  'toolpact.calls': {
    kind: 'counter',
    unit: '{call}',
    about: 'Calls that have ended, by tool and outcome: success, error, refused or violation.',
    labels: ['tool', 'outcome'],
  },
  'toolpact.call.duration': {
    kind: 'histogram',
    unit: 's',
    about: 'Duration of calls, from the first check to the recorded outcome, approval included.',
    labels: ['tool'],
    bounds: callBounds,
  },
  'toolpact.calls.in_flight': {
    kind: 'gauge',
    unit: '{call}',
    about: 'Calls in flight in this process.',
    labels: [],
  },
  'toolpact.refusals': {
    kind: 'counter',
    unit: '{call}',
    about: 'Calls that did not run, by error code.',
    labels: ['code'],
  },
  'toolpact.violations': {
    kind: 'counter',
    unit: '{call}',
    about: 'Calls whose tool broke its contract, by toolset; that of an MCP server has its name.',
    labels: ['upstream'],
  },
  'toolpact.approval.wait': {
    kind: 'histogram',
    unit: 's',
    about: 'Time until a person answered a question, by answer.',
    labels: ['answer'],
    bounds: waitBounds,
  },
  'toolpact.ledger.commit': {
    kind: 'histogram',
    unit: 's',
    about: 'Time that calls waited for their intent to be recorded before they ran.',
    labels: [],
    bounds: commitBounds,
  },
  'toolpact.ledger.writable': {
    kind: 'gauge',
    unit: '1',
    about: 'Whether calls can be recorded: 1, or 0 if they are refused.',
    labels: [],
  },
  'toolpact.checkpoint.age': {
    kind: 'gauge',
    unit: 's',
    about: 'Age of the newest checkpoint of the ledger. Absent before the first one.',
    labels: [],
  },
  'toolpact.upstream.state': {
    kind: 'gauge',
    unit: '1',
    about: 'The state of each MCP server: 1 for the state that it is in, 0 for the others.',
    labels: ['upstream', 'state'],
  },
  'toolpact.telemetry.dropped': {
    kind: 'counter',
    unit: '{item}',
    about: 'Spans, and exports of metrics, that did not reach the collector.',
    labels: ['signal'],
  },
  'toolpact.build': {
    kind: 'gauge',
    unit: '1',
    about: 'Always 1, with the version.',
    labels: ['version'],
    prometheus: 'toolpact_build_info',
  },
  'mcp.server.operation.duration': {
    kind: 'histogram',
    unit: 's',
    about: 'Duration of MCP requests that call something, as served.',
    labels: ['mcp.method.name', 'gen_ai.tool.name', 'error.type'],
    bounds: operationBounds,
  },
  'mcp.client.operation.duration': {
    kind: 'histogram',
    unit: 's',
    about: 'Duration of requests to MCP servers that call something.',
    labels: ['mcp.method.name', 'upstream', 'error.type'],
    bounds: operationBounds,
  },
  'process.cpu.time': {
    kind: 'counter',
    unit: 's',
    about: 'CPU time of this process.',
    labels: [],
    prometheus: 'process_cpu_seconds_total',
  },
  'process.memory.usage': {
    kind: 'gauge',
    unit: 'By',
    about: 'Resident memory of this process.',
    labels: [],
    prometheus: 'process_resident_memory_bytes',
  },
  'process.start_time': {
    kind: 'gauge',
    unit: 's',
    about: 'When this process started, in seconds since 1970.',
    labels: [],
    prometheus: 'process_start_time_seconds',
  },
  'nodejs.eventloop.utilization': {
    kind: 'gauge',
    unit: '1',
    about: 'Share of the time since the previous reading that the event loop was busy.',
    labels: [],
    prometheus: 'nodejs_eventloop_utilization_ratio',
  },
} as const satisfies { readonly [name: string]: Instrument }

export type InstrumentName = keyof typeof instruments

type NameOf<Kind> = {
  [Name in InstrumentName]: (typeof instruments)[Name]['kind'] extends Kind ? Name : never
}[InstrumentName]

export type CounterName = NameOf<'counter'>
export type HistogramName = NameOf<'histogram'>

/** The name in Prometheus: with its unit, and `_total` for a counter. */
export function toPrometheusName(name: InstrumentName): string {
  const { kind, unit, prometheus }: Instrument = instruments[name]
  if (prometheus !== undefined) return prometheus
  const units: { readonly [unit: string]: string } = { s: '_seconds', By: '_bytes' }
  return `${name.replaceAll('.', '_')}${units[unit] ?? ''}${kind === 'counter' ? '_total' : ''}`
}

export function toPrometheusLabel(label: string): string {
  return label.replaceAll('.', '_')
}
