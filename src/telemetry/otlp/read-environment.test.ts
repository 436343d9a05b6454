import { expect, test } from 'vitest'
import { readEnvironment } from './read-environment.ts'

const endpoint = 'http://127.0.0.1:4318'

test('the endpoint is a base, and that of one signal the whole address', () => {
  expect(readEnvironment({ OTEL_EXPORTER_OTLP_ENDPOINT: `${endpoint}/` })).toMatchObject({
    traces: `${endpoint}/v1/traces`,
    metrics: `${endpoint}/v1/metrics`,
  })
  const own = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.example/in' }
  expect(readEnvironment(own)).toMatchObject({ traces: 'https://traces.example/in' })
  expect(readEnvironment(own)).not.toHaveProperty('metrics')
})

test('variables override the config', () => {
  const settings = { endpoint, service: 'of-the-config', sample: 0 }
  expect(readEnvironment({}, settings)).toMatchObject({ traces: `${endpoint}/v1/traces`, resource: { 'service.name': 'of-the-config' } }) // biome-ignore format: one line
  const { traces, resource } = readEnvironment(
    {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://other:4318',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=prod,service.name=of-attributes,broken',
      OTEL_SERVICE_NAME: 'of-the-name',
    },
    settings,
  )
  expect(traces).toBe('http://other:4318/v1/traces')
  expect(resource).toEqual({ 'service.name': 'of-the-name', 'deployment.environment.name': 'prod' })
})

test.each([
  [{ OTEL_SDK_DISABLED: 'true' }, [false, false]],
  [{ OTEL_TRACES_EXPORTER: 'none' }, [false, true]],
  [{ OTEL_METRICS_EXPORTER: 'none' }, [true, false]],
])('%o turns signals off', (environment, expected) => {
  const { traces, metrics } = readEnvironment({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, ...environment })
  expect([traces !== undefined, metrics !== undefined]).toEqual(expected)
})

test.each([
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'file:///etc/passwd' }, 'not an http or https address'],
  [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, 'only http/json is supported'],
  [{ OTEL_EXPORTER_OTLP_TIMEOUT: 'soon' }, 'OTEL_EXPORTER_OTLP_TIMEOUT must be a number'],
  [{ OTEL_BSP_MAX_QUEUE_SIZE: '1e9' }, 'at most 65536'],
  [{ OTEL_TRACES_SAMPLER: 'jaeger_remote' }, 'OTEL_TRACES_SAMPLER has no effect'],
  [{ OTEL_TRACES_SAMPLER: 'traceidratio', OTEL_TRACES_SAMPLER_ARG: '2' }, 'OTEL_TRACES_SAMPLER has no effect'],
  [{ OTEL_TRACES_SAMPLER: 'constructor' }, 'OTEL_TRACES_SAMPLER has no effect'],
])('%o is reported to the operator', (environment, words) => {
  expect(readEnvironment(environment).notices.join('\n')).toContain(words)
})

const low = `${'0'.repeat(31)}1`
const high = 'f'.repeat(32)

test.each([
  ['always_on', '1', [true, true, true, true]],
  ['always_off', '1', [false, false, false, false]],
  ['traceidratio', '0.5', [true, false, true, false]],
  ['parentbased_always_on', '1', [true, true, false, true]],
  ['parentbased_always_off', '1', [false, false, false, true]],
  ['parentbased_traceidratio', '0.5', [true, false, false, true]],
])('the sampler %s decides by the id and the parent', (name, share, expected) => {
  const { sampler } = readEnvironment({ OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: share })
  const decided = [sampler(low, undefined), sampler(high, undefined), sampler(low, false), sampler(high, true)]
  expect(decided).toEqual(expected)
})
