import { setTimeout as sleep } from 'node:timers/promises'
import { define, withoutOutput } from '../../test/upstream-servers/definitions.ts'
import { evil, expectWithheld, initialize, isAnswered, isRefused, poison, type Row, type Rows, toWords } from './row.ts'
import type { Host } from './stage.ts'

/** Observed failures of gateways, by the names in test/data/failure-rows.ts. */
export const gatewayRows: Rows = {
  'input violates the schema': {
    expects: 'refused before the server gets it',
    async play({ serve, makeChangeling }) {
      const host = await serve({ one: makeChangeling([define('echo')]).entry })
      const answers = [
        await host.call(['one', 'echo'], { text: 5 }),
        await host.call(['one', 'echo'], { text: 'hi', more: 1 }),
      ]
      const forwarded = answers.some(isAnswered)
      return { pass: answers.every(isRefused), saw: forwarded ? 'forwarded' : toWords(answers[0]!) }
    },
  },
  'output violates the schema': refusesOutputOf('violating'),
  'output schema, but no structured output': refusesOutputOf('missing'),
  'valid structured output beside poisoned text': {
    expects: 'the structured output alone',
    async play({ serve, makeChangeling }) {
      const host = await serve({ one: makeChangeling([define('poisoned')]).entry })
      const answer = await host.call(['one', 'poisoned'])
      const isClean = !poison.test(answer.text)
      const saw = isClean ? (isAnswered(answer) ? 'text dropped' : toWords(answer)) : 'forwarded'
      return { pass: isClean && isAnswered(answer), saw }
    },
  },
  'error result with violating output': refusesOutputOf('failing_badly'),
  'no output schema; 8 MB result': {
    expects: 'bounded',
    async play({ serve, makeChangeling }) {
      const host = await serve({ one: makeChangeling([withoutOutput('large')], { withoutOutputSchema: 'opaque', limits: { outputBytes: 1_048_576 } }).entry }) // biome-ignore format: one line
      const answer = await host.call(['one', 'large'])
      const megabytes = Math.round(answer.text.length / 1024 / 1024)
      return {
        pass: isRefused(answer) && megabytes === 0,
        saw: megabytes > 0 ? `forwarded, ${megabytes} MB` : toWords(answer),
      }
    },
  },
  'same tool name on two servers': {
    expects: 'two tools',
    async play({ gateway, serve, makeChangeling }) {
      const servers = { one: makeChangeling([define('echo')]).entry, two: makeChangeling([define('echo')]).entry }
      const host = await serve(servers, { tools: 2 })
      if (!gateway.takesMany) return { pass: false, saw: 'takes one server only' }
      const answers = [await host.call(['one', 'echo']), await host.call(['two', 'echo'])]
      const { names } = await host.list()
      return { pass: answers.every(isAnswered), saw: names.join(', ') }
    },
  },
  'upstream crashes, later calls': {
    expects: 'an error for the call that ran, answers for later ones',
    async play({ serve, makeChangeling }) {
      const host = await serve({ one: makeChangeling([define('echo'), define('crash')]).entry }, { tools: 2 })
      const crash = toWords(await host.call(['one', 'crash']))
      return { ...(await seeRecovery(host)), ...(crash === 'no answer' && { pass: false, saw: 'the call that ran gets no answer' }) } // biome-ignore format: one line
    },
  },
  'description turned malicious after start': {
    expects: 'never served',
    async play({ serve, makeChangeling }) {
      const one = makeChangeling([define('echo'), define('announce')])
      const host = await serve({ one: one.entry }, { tools: 2 })
      one.list([define('echo', { description: evil }), define('announce')])
      await host.call(['one', 'announce'])
      for (const end = Date.now() + 3000; Date.now() < end; await sleep(100))
        if (poison.test((await host.list()).text)) return { pass: false, saw: 'served' }
      const answer = await host.call(['one', 'echo'])
      return { pass: isRefused(answer), saw: isAnswered(answer) ? 'not listed, but still called' : toWords(answer) }
    },
  },
  'forged Host or Origin': {
    expects: '403 for both',
    async play({ gateway, serve, makeChangeling }) {
      const host = await serve({ one: makeChangeling([define('echo')]).entry })
      const statuses: number[] = []
      for (const [name, value] of [
        ['Host', 'attacker.example'],
        ['Origin', 'https://attacker.example'],
      ] as const) {
        const request = gateway.transport === 'sse' ? { headOnly: true } : { body: initialize }
        statuses.push((await host.send('/mcp', { headers: { [name]: value }, ...request })).status)
      }
      return { pass: statuses.every((status) => status === 403), saw: statuses.join(' / ') }
    },
  },
}

function refusesOutputOf(tool: string): Row {
  return {
    expects: 'an error, and nothing of the output',
    async play({ serve, makeChangeling }) {
      const host = await serve({ one: makeChangeling([define(tool)]).entry })
      return expectWithheld(await host.call(['one', tool]))
    },
  }
}

/** Whether a tool answers again, for the same caller or a new one. */
async function seeRecovery(host: Host) {
  for (const end = Date.now() + 5000; Date.now() < end; await sleep(200))
    if (isAnswered(await host.call(['one', 'echo']))) return { pass: true, saw: 'answered' }
  if (host.child.exitCode !== null) return { pass: false, saw: 'the gateway has ended' }
  try {
    const answer = await host.call(['one', 'echo'], { text: 'hi' }, await host.open())
    if (isAnswered(answer)) return { pass: false, saw: 'answered in a new session only' }
    return { pass: false, saw: `never again: ${toWords(answer)}` }
  } catch {
    return { pass: false, saw: 'never again, nor in a new session' }
  }
}
