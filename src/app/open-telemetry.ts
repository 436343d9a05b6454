import { readVersion } from '../contract/package-version.ts'
import type { CallEvent, Observe } from '../runtime/pipeline/call-event.ts'
import type { Storage } from '../runtime/storage/storage.ts'
import type { Telemetry } from '../telemetry/telemetry.ts'
import type { Config } from './config/config.ts'
import type { HostedServers } from './host.ts'
import type { ToolpactOptions } from './toolpact.ts'

interface Observed {
  readonly storage: Pick<Storage, 'health' | 'proof'>
  readonly upstreams: () => Pick<HostedServers, 'look'>
  /** One of several, which traces, metrics and log lines then name. */
  readonly tenant: string | undefined
}

/** Opens what the options and the config ask for. Otherwise no code of it is loaded, and calls are not observed. */
export async function openTelemetry(
  { telemetry: options, observe }: ToolpactOptions,
  { telemetry: settings }: Config,
  { storage, upstreams, tenant }: Observed,
): Promise<{ readonly observe: Observe | undefined; readonly telemetry?: Telemetry }> {
  const { via = settings?.otlp ? 'otlp' : 'none', report = () => {} } = options ?? {}
  const log = options?.log ?? (settings?.log && ((line: string) => process.stderr.write(`${line}\n`)))
  if (via === 'none' && !log && !settings?.metrics) return { observe }
  const telemetry = await (await import('../telemetry/telemetry.ts')).openTelemetry({
    ...{ via, log, report, tenant },
    settings: settings ?? {},
    environment: process.env,
    version: readVersion(),
    async state() {
      const [{ isWritable }, [newest] = []] = await Promise.all([
        storage.health(),
        storage.proof?.checkpoints({ limit: 1 }).catch(() => []),
      ])
      return { isWritable, lastCheckpointAt: newest?.at, upstreams: upstreams().look() }
    },
  })
  return { telemetry, observe: observe ? joinObservers(observe, telemetry.observe) : telemetry.observe }
}

/** An observer that is idle when a call begins receives nothing of that call, whatever the other one does. */
function joinObservers(own: Observe, telemetry: Observe): Observe {
  const unobserved = new Set<string>()
  const { begin, ...tracer } = telemetry.tracer!
  return Object.assign(
    (event: CallEvent) => {
      telemetry(event)
      if (!unobserved.has(event.callId)) own(event)
      else if (event.kind === 'ended') unobserved.delete(event.callId)
    },
    {
      tracer: {
        ...tracer,
        begin(...begun: Parameters<typeof begin>) {
          if (own.isIdle) unobserved.add(begun[0])
          begin(...begun)
        },
      },
    },
  )
}
