import type { TraceContext } from '../contract/call-client.ts'
import type { FollowRequest } from '../contract/trace-context.ts'
import type { Observe } from '../runtime/pipeline/call-event.ts'
import { followCalls } from './follow-calls.ts'
import { followRequests } from './follow-requests.ts'
import { joinMeters, type Meter } from './metrics/meter.ts'
import { Metrics, type Reading } from './metrics/metrics.ts'
import { createProcessReader } from './metrics/read-process.ts'
import { toPrometheus } from './metrics/to-prometheus.ts'
import { openExporter } from './otlp/open-exporter.ts'
import { type OtlpSettings, readEnvironment } from './otlp/read-environment.ts'
import type { StartSpan } from './span.ts'
import type { EndedCall } from './to-attributes.ts'
import { toLogLine } from './to-log-line.ts'

/** The `telemetry` of the config. */
export interface TelemetrySettings extends Omit<OtlpSettings, 'endpoint' | 'traces' | 'metrics'> {
  readonly otlp?: Pick<OtlpSettings, 'endpoint' | 'traces' | 'metrics'>
  readonly content?: boolean
}

export interface TelemetryDeps {
  readonly settings: TelemetrySettings
  readonly environment: { readonly [name: string]: string | undefined }
  /** `api`: the program's OpenTelemetry SDK. `otlp`: the exporter of Toolpact. `none`: neither. */
  readonly via: 'api' | 'otlp' | 'none'
  readonly version: string
  /** What is known about the storage and the MCP servers at the moment. */
  readonly state: () => Promise<TelemetryState>
  /** Receives a line of JSON for each call. */
  readonly log?: ((line: string) => void) | undefined
  readonly report: (message: string) => void
  /** The tenant whose calls these are, if there are several. */
  readonly tenant?: string | undefined
}

export interface TelemetryState {
  readonly isWritable: boolean
  /** Milliseconds since 1970; absent if the storage has no checkpoint. */
  readonly lastCheckpointAt: number | undefined
  readonly upstreams: readonly { readonly name: string; readonly state: string }[]
}

/** Traces, metrics and logs of calls. */
export interface Telemetry {
  readonly observe: Observe
  readonly follow: FollowRequest
  /** Metrics in the text format of Prometheus. */
  toText(): Promise<string>
  /** Sends what is left, in bounded time. Never rejects. */
  close(): Promise<void>
}

export async function openTelemetry(deps: TelemetryDeps): Promise<Telemetry> {
  const { settings, version, via, report, log, tenant } = deps
  const metrics = new Metrics()
  const readProcess = createProcessReader()
  const readCalls = async () => [...toReadings(await deps.state()), { name: 'toolpact.calls.in_flight', value: calls.inFlight() } as const] // biome-ignore format: one line
  const read = async (): Promise<readonly Reading[]> => [
    ...(await readCalls()),
    { name: 'toolpact.build', labels: { version }, value: 1 },
    ...readProcess(),
  ]
  const sinks = await openSinks()
  const meter = sinks.meter ? joinMeters([metrics, sinks.meter]) : metrics
  const { startSpan } = sinks
  const onEnd = log && ((call: EndedCall, context: TraceContext | undefined) => log(toLogLine(call, context, tenant)))
  const calls = followCalls({ startSpan, meter, onEnd, wantsContent: settings.content ?? false })

  async function openSinks(): Promise<Sinks> {
    if (via === 'none') return { close: async () => {} }
    if (via === 'api') return (await import('./api/open-api.ts')).openApi({ version, read: readCalls })
    const options = readEnvironment(deps.environment, { ...settings, ...settings.otlp })
    for (const notice of options.notices) report(notice)
    const resource = { ...options.resource, ...(tenant !== undefined && { 'toolpact.tenant': tenant }) }
    return openExporter({ ...options, resource, version, metricsStore: metrics, read, report })
  }

  return {
    observe: calls.observe,
    follow: followRequests({ startSpan, meter }),
    toText: async () => toPrometheus(metrics.collect(await read())),
    close: () => sinks.close(),
  }
}

interface Sinks {
  readonly startSpan?: StartSpan
  readonly meter?: Meter
  close(): Promise<void>
}

/** The states of an MCP server, as the host names them. */
const upstreamStates = ['idle', 'installing', 'starting', 'ready', 'failed', 'stopped']

function toReadings({ isWritable, lastCheckpointAt, upstreams }: TelemetryState): Reading[] {
  const ageOf = (at: number) => Math.max(0, (Date.now() - at) / 1000)
  return [
    { name: 'toolpact.ledger.writable', value: isWritable ? 1 : 0 },
    ...(lastCheckpointAt === undefined
      ? []
      : [{ name: 'toolpact.checkpoint.age', value: ageOf(lastCheckpointAt) } as const]),
    ...upstreams.flatMap(({ name: upstream, state: current }) =>
      upstreamStates.map((state) => ({
        name: 'toolpact.upstream.state' as const,
        labels: { upstream, state },
        value: state === current ? 1 : 0,
      })),
    ),
  ]
}
