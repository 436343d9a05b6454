import { setTimeout as sleep } from 'node:timers/promises'
import { isAlive } from '../../test/helpers/is-alive.ts'
import { define, withoutOutput } from '../../test/upstream-servers/definitions.ts'
import { send } from './client.ts'
import { doesNotApply, expectWithheld, initialize, isAnswered, isRefused, poison, type Row, type Rows, toWords } from './row.ts' // biome-ignore format: one line
import { endProcess, type Host } from './stage.ts'

/** Further failures. */
export const moreRows: Rows = {
  'caller without credentials': {
    expects: '401',
    async play({ gateway, serve, makeChangeling }) {
      const host = await serve({ one: makeChangeling([define('echo')]).entry })
      const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' }
      const { status } = await send(host.url, { headers, ...(gateway.transport === 'sse' ? { headOnly: true } : { body: initialize }) }) // biome-ignore format: one line
      return { pass: status === 401, saw: String(status) }
    },
  },
  'destructive tool, and nobody was asked': {
    expects: 'does not run without the yes of a person',
    async play({ serve, makeChangeling }) {
      const tool = define('delete_all', { annotations: { destructiveHint: true } })
      const host = await serve({ one: makeChangeling([tool], { approval: 'reads' }).entry })
      const answer = await host.call(['one', 'delete_all'])
      return { pass: isRefused(answer), saw: isAnswered(answer) ? 'it ran' : toWords(answer) }
    },
  },
  'no output schema, and nobody has vouched for the tool': {
    expects: 'does not run',
    async play({ serve, makeChangeling }) {
      const host = await serve({ one: makeChangeling([define('echo'), withoutOutput('plain')]).entry })
      const answer = await host.call(['one', 'plain'])
      return { pass: isRefused(answer), saw: isAnswered(answer) ? 'it ran' : toWords(answer) }
    },
  },
  'orders in the instructions of a server': {
    expects: 'not passed on',
    async play({ serve, makeChangeling }) {
      const host = await serve({ one: makeChangeling([define('echo')]).entry })
      const isPassedOn = poison.test(host.client.greeting)
      return { pass: !isPassedOn, saw: isPassedOn ? 'passed on' : 'not passed on' }
    },
  },
  'codes for terminals in an error': {
    expects: 'an error without them',
    async play({ serve, makeChangeling }) {
      const host = await serve({ one: makeChangeling([define('failing')]).entry })
      const answer = await host.call(['one', 'failing'])
      const isClean = !JSON.stringify(answer.message ?? {}).includes('\\u001b')
      return { pass: isRefused(answer) && isClean, saw: isClean ? toWords(answer) : 'forwarded' }
    },
  },
  'one definition of a list has a broken schema': {
    expects: 'the others are served',
    async play({ serve, makeChangeling }) {
      const broken = define('broken', { inputSchema: { type: 'nonsense', properties: 5 }, outputSchema: { type: 'nonsense' } }) // biome-ignore format: one line
      return seeSound(await serve({ one: makeChangeling([broken, define('echo')]).entry }))
    },
  },
  'a list with entries that are no definitions': {
    expects: 'the others are served',
    async play({ serve, makeHostile }) {
      const host = await serve({ one: makeHostile('mixed') })
      const { names } = await host.list()
      return {
        pass: names.some((name) => name.endsWith('good')),
        saw: names.length > 0 ? 'served' : 'nothing is served',
      }
    },
  },
  'one server of two does not start': {
    expects: 'the other is served',
    async play({ gateway, serve, makeChangeling, makeHostile }) {
      if (!gateway.takesMany) return doesNotApply('takes one server only')
      const host = await serve({ broken: makeHostile('ends'), one: makeChangeling([define('echo')]).entry })
      return seeSound(host)
    },
  },
  'a server prints noise beside the protocol': {
    expects: 'calls are answered',
    async play({ serve, makeHostile }) {
      const host = await serve({ one: makeHostile('noise') }, { flags: ['--yes'] })
      const answer = await host.call(['one', 'garbage'], {})
      return { pass: isAnswered(answer), saw: toWords(answer) }
    },
  },
  'a call that hangs': {
    expects: 'other callers are answered',
    async play({ serve, makeChangeling }) {
      const host = await serve({ one: makeChangeling([define('echo'), define('hang')]).entry }, { tools: 2 })
      const other = await host.open()
      const hanging = host.call(['one', 'hang'])
      const answer = await host.call(['one', 'echo'], { text: 'hi' }, other)
      host.client.close()
      await hanging
      return { pass: isAnswered(answer), saw: toWords(answer) }
    },
  },
  'an answer that is no JSON': endsInError('broken'),
  'a server that ends in the middle of its answer': endsInError('half'),
  'an answer with a key that is there twice': endsInError('duplicate_key'),
  'an answer with neither result nor error': endsInError('neither'),
  'twenty callers leave without a word': {
    expects: 'one process of the server, and the next caller is answered',
    async play({ serve, makeChangeling }) {
      const one = makeChangeling([define('echo')])
      const host = await serve({ one: one.entry })
      for (let count = 0; count < 20; count++) {
        const client = await host.open().catch(() => undefined)
        if (client) await host.call(['one', 'echo'], { text: 'hi' }, client)
        client?.close()
      }
      await sleep(2000)
      const count = one.pids().filter(isAlive).length
      const answer = await host.open().then((client) => host.call(['one', 'echo'], { text: 'hi' }, client), () => undefined) // biome-ignore format: one line
      const isServed = answer !== undefined && isAnswered(answer)
      const processes = `${count} ${count === 1 ? 'process' : 'processes'}`
      return { pass: count === 1 && isServed, saw: isServed ? processes : `${processes}, the next caller is not answered` } // biome-ignore format: one line
    },
  },
  'the gateway is told to end, its servers do not want to': {
    expects: 'no process is left',
    async play({ serve, makeHostile }) {
      const host = await serve({ one: makeHostile('stubborn') }, { flags: ['--yes'] })
      const { message, text } = await host.call(['one', 'grandchild'], {})
      const pids = (/"pids\\*":\[([\d,]+)\]/.exec(text)?.[1] ?? '').split(',').filter(Boolean).map(Number)
      if (pids.length === 0) throw new Error(`No processes: ${JSON.stringify(message)}`)
      try {
        host.child.kill('SIGTERM')
        for (const limit = Date.now() + 15_000; pids.some(isAlive) && Date.now() < limit; ) await sleep(50)
        const left = pids.filter(isAlive).length
        return { pass: left === 0, saw: `${left} of ${pids.length} left` }
      } finally {
        for (const pid of pids) endProcess(pid)
      }
    },
  },
}

/** A tool of a hostile server with an invalid response: the caller gets an error promptly. */
function endsInError(tool: string): Row {
  return {
    expects: 'an error, and soon',
    async play({ serve, makeHostile }) {
      const host = await serve({ one: makeHostile() }, { flags: ['--yes'] })
      return expectWithheld(await host.call(['one', tool], {}))
    },
  }
}

async function seeSound(host: Host) {
  const answer = await host.call(['one', 'echo'])
  return { pass: isAnswered(answer), saw: isAnswered(answer) ? 'served' : toWords(answer) }
}
