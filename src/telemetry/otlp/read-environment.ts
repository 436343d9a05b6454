import { findSampler, type Sampler } from '../sampler.ts'
import type { Attributes } from '../span.ts'

type Environment = { readonly [name: string]: string | undefined }

/** The settings of the config. Variables of the environment override them. */
export interface OtlpSettings {
  readonly endpoint?: string
  readonly traces?: boolean
  readonly metrics?: boolean
  readonly service?: string
  readonly sample?: number
}

export interface OtlpOptions {
  /** Where each signal is sent; absent if it is not. */
  readonly traces?: string
  readonly metrics?: string
  readonly headers: { readonly [name: string]: string }
  readonly timeoutMs: number
  /** How often spans and metrics are sent. */
  readonly tracesEveryMs: number
  readonly metricsEveryMs: number
  readonly maxQueue: number
  readonly maxBatch: number
  readonly sampler: Sampler
  readonly resource: Attributes
  /** Settings that have no effect, for the operator. */
  readonly notices: readonly string[]
}

/** The settings of the exporter, from OpenTelemetry's variables and the config. */
export function readEnvironment(environment: Environment, settings: OtlpSettings = {}): OtlpOptions {
  const notices: string[] = []
  const read = (name: string) => environment[name]?.trim() || undefined
  const isOff = read('OTEL_SDK_DISABLED')?.toLowerCase() === 'true'

  function toUrl(signal: 'traces' | 'metrics'): string | undefined {
    const upper = signal.toUpperCase()
    const exporter = read(`OTEL_${upper}_EXPORTER`)
    if (isOff || exporter === 'none' || (exporter === undefined && settings[signal] === false)) return undefined
    const own = read(`OTEL_EXPORTER_OTLP_${upper}_ENDPOINT`)
    const base = read('OTEL_EXPORTER_OTLP_ENDPOINT') ?? settings.endpoint
    const url = own ?? (base && `${base.replace(/\/+$/, '')}/v1/${signal}`)
    if (url === undefined || isHttp(url)) return url
    notices.push(`${signal} are not exported: the endpoint is not an http or https address.`)
    return undefined
  }

  function toNumber(name: string, otherwise: number, max: number): number {
    const text = read(name)
    if (text === undefined) return otherwise
    const value = Number(text)
    if (value > 0 && value <= max) return value
    notices.push(`${name} must be a number above 0 and at most ${max}, so ${otherwise} is used.`)
    return otherwise
  }

  const protocol = read('OTEL_EXPORTER_OTLP_PROTOCOL')
  if (protocol !== undefined && protocol !== 'http/json')
    notices.push('OTEL_EXPORTER_OTLP_PROTOCOL has no effect: only http/json is supported, which collectors accept at port 4318.') // biome-ignore format: one line
  const { sampler, notice } = toSampler(read, settings.sample)
  if (notice !== undefined) notices.push(notice)
  const traces = toUrl('traces')
  const metrics = toUrl('metrics')
  const maxBatch = Math.floor(toNumber('OTEL_BSP_MAX_EXPORT_BATCH_SIZE', 512, 4096))
  return {
    ...(traces !== undefined && { traces }),
    ...(metrics !== undefined && { metrics }),
    headers: toPairs(read('OTEL_EXPORTER_OTLP_HEADERS')),
    timeoutMs: toNumber('OTEL_EXPORTER_OTLP_TIMEOUT', 10_000, 600_000),
    tracesEveryMs: toNumber('OTEL_BSP_SCHEDULE_DELAY', 5000, 3_600_000),
    metricsEveryMs: toNumber('OTEL_METRIC_EXPORT_INTERVAL', 60_000, 3_600_000),
    maxQueue: Math.max(maxBatch, Math.floor(toNumber('OTEL_BSP_MAX_QUEUE_SIZE', 2048, 65_536))),
    maxBatch,
    sampler,
    resource: {
      'service.name': settings.service ?? 'toolpact',
      ...toPairs(read('OTEL_RESOURCE_ATTRIBUTES')),
      ...(read('OTEL_SERVICE_NAME') && { 'service.name': read('OTEL_SERVICE_NAME') }),
    },
    notices,
  }
}

function toSampler(read: (name: string) => string | undefined, sample: number | undefined) {
  const ofConfig = findSampler(
    sample === undefined ? 'parentbased_always_on' : 'parentbased_traceidratio',
    sample ?? 1,
  )!
  const name = read('OTEL_TRACES_SAMPLER')
  if (name === undefined) return { sampler: ofConfig }
  const share = Number(read('OTEL_TRACES_SAMPLER_ARG') ?? '1')
  const sampler = share >= 0 && share <= 1 ? findSampler(name, share) : undefined
  if (sampler) return { sampler }
  return { sampler: ofConfig, notice: 'OTEL_TRACES_SAMPLER has no effect: use always_on, always_off or traceidratio, also with parentbased_ before it, and a share from 0 to 1 in OTEL_TRACES_SAMPLER_ARG.' } // biome-ignore format: one line
}

function isHttp(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
}

/** `name=value,name=value`, percent-encoded. What is not such a pair is left out. */
function toPairs(text = ''): { [name: string]: string } {
  const pairs: { [name: string]: string } = {}
  for (const pair of text.split(',')) {
    const [, name, value] = /^\s*([\w.*!#$%&'^`|~+-]+)\s*=\s*(.*?)\s*$/.exec(pair) ?? []
    if (name !== undefined) pairs[decode(name)] = decode(value!)
  }
  return pairs
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
