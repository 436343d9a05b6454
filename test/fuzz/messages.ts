import fc from 'fast-check'

const text = fc.string({ unit: 'binary', maxLength: 12 })
const any = fc.jsonValue({ maxDepth: 3 })
const methods = fc.oneof(
  fc.constantFrom('initialize', 'notifications/initialized', 'ping', 'tools/list', 'tools/call', 'server/discover', 'subscriptions/listen', 'notifications/cancelled', 'completion/complete', 'logging/setLevel', 'resources/list', '__proto__', 'constructor'), // biome-ignore format: one line
  text,
)
const revisions = fc.constantFrom('2026-07-28', '2025-11-25', '2025-03-26', '2024-11-05', '1999-01-01', '')
const meta = fc.record(
  {
    'io.modelcontextprotocol/protocolVersion': fc.oneof(revisions, any),
    'io.modelcontextprotocol/clientCapabilities': fc.oneof(fc.constant({}), any),
    progressToken: any,
  },
  { requiredKeys: [] },
)
const params = fc.oneof(
  any,
  fc.record(
    {
      name: fc.oneof(fc.constantFrom('hello', 'read_repo_file', 'nobody'), any),
      arguments: fc.oneof(fc.record({ name: text }), any),
      _meta: fc.oneof(meta, any),
      cursor: any,
      protocolVersion: fc.oneof(revisions, any),
      capabilities: any,
      clientInfo: fc.oneof(fc.record({ name: text, version: text }), any),
      requestId: any,
    },
    { requiredKeys: [] },
  ),
)

/** JSON-RPC messages, and lookalikes. */
const message = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ jsonrpc: fc.constant('2.0'), id: fc.oneof(fc.nat(99), text), method: methods, params }),
  },
  {
    weight: 4,
    arbitrary: fc.record(
      {
        jsonrpc: fc.constantFrom('2.0', '1.0', 2),
        id: any,
        method: fc.oneof(methods, any),
        params,
        result: any,
        error: any,
        Id: any,
      },
      { requiredKeys: [] },
    ),
  },
  { weight: 1, arbitrary: any },
)

export const messages = fc.oneof({ weight: 6, arbitrary: message }, fc.array(message, { maxLength: 4 }))

/** Arbitrary bytes, messages, and messages with bytes removed or changed. */
export const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  messages.map((made) => Buffer.from(`${JSON.stringify(made)}\n`)),
  fc
    .tuple(messages, fc.array(fc.tuple(fc.nat(400), fc.nat(10), fc.uint8Array({ maxLength: 4 })), { maxLength: 4 }))
    .map(([made, changes]) =>
      changes.reduce<Buffer>(
        (whole, [at, cut, put]) => {
          const place = at % (whole.length + 1)
          return Buffer.concat([whole.subarray(0, place), put, whole.subarray(place + cut)])
        },
        Buffer.from(JSON.stringify(made)),
      ),
    ),
  fc.nat(3000).map((depth) => Buffer.from('[{"a":'.repeat(depth))),
)
