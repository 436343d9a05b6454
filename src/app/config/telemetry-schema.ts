import { name } from './name-schema.ts'

/** The `telemetry` of the config. docs/telemetry.md explains it. */
export const telemetry = {
  type: 'object',
  description: 'Traces, metrics and logs of calls. Applies from the next start.',
  additionalProperties: false,
  properties: {
    otlp: {
      type: 'object',
      description: 'Send traces and metrics to a collector, as OTLP over HTTP with JSON.',
      additionalProperties: false,
      required: ['endpoint'],
      properties: {
        endpoint: {
          ...name,
          pattern: '^https?://[^\\s]+$',
          description:
            'The address of the collector, such as http://127.0.0.1:4318. OTEL_EXPORTER_OTLP_ENDPOINT overrides it; OTEL_EXPORTER_OTLP_HEADERS holds its credentials.',
        },
        traces: { type: 'boolean', default: true, description: 'Whether traces are sent.' },
        metrics: { type: 'boolean', default: true, description: 'Whether metrics are sent.' },
      },
    },
    metrics: {
      type: 'object',
      description: 'Serve metrics for Prometheus at /metrics.',
      additionalProperties: false,
      properties: {
        callers: {
          type: 'array',
          items: { ...name, description: 'Name of a caller with a token.' },
          minItems: 1,
          uniqueItems: true,
          default: ['metrics'],
          description:
            'The callers that may read the metrics. Unless "callers" gives them tools, they can do nothing else.',
        },
        public: {
          type: 'boolean',
          default: false,
          description: 'Let every program on this machine read the metrics without a token.',
        },
      },
    },
    log: {
      enum: ['json'],
      description: 'Print a line of JSON on stderr for each served call. --log overrides it. Default: no such lines.',
    },
    content: {
      type: 'boolean',
      default: false,
      description:
        'Add arguments and results to traces, without known secrets. They may contain anything that callers send and tools return.',
    },
    sample: {
      type: 'number',
      minimum: 0,
      maximum: 1,
      description: 'The share of traces that begin here and are sent. Default: 1. OTEL_TRACES_SAMPLER overrides it.',
    },
    service: {
      ...name,
      default: 'toolpact',
      description: 'The service.name of traces and metrics. OTEL_SERVICE_NAME overrides it.',
    },
  },
} as const
