import type { JsonObject } from '../../src/contract/json.ts'
import type { Answer, Client } from './client.ts'
import { isAnswered, isRefused, type Rows, type Seen, toWords } from './row.ts'
import type { Host, Stage } from './stage.ts'

const hidden = /[\u200b\u202e]/
const uri = 'demo://text'
const accept = (name: string) => () => ({ action: 'accept', content: { name } })

/** What happens to prompts, resources, questions and tasks of servers. */
export const offerRows: Rows = {
  'prompts and resources of a server': {
    expects: 'listed, got and read',
    async play({ serve, makeOffering }) {
      const { client } = await serve({ one: makeOffering(toOffered('one')) })
      const prompt = await getPrompt(client, 'greet', { who: 'Ada' })
      const resource = await readResource(client, uri)
      const pass = prompt.text.includes('Ada') && resource.text.includes('Text of one')
      return { pass, saw: pass ? 'got and read' : `prompt: ${toWords(prompt)}, resource: ${toWords(resource)}` }
    },
  },
  'the same prompt and resource on two servers': {
    expects: 'two of each, each of its server',
    async play({ gateway, serve, makeOffering }) {
      const servers = { one: makeOffering(toOffered('one')), two: makeOffering(toOffered('two')) }
      const { client } = await serve(servers, { tools: 2 })
      if (!gateway.takesMany) return { pass: false, saw: 'takes one server only' }
      const prompts = (await list(client, 'prompts')).filter(({ name }) => String(name).endsWith('greet'))
      const resources = (await list(client, 'resources')).filter((listed) => String(listed.uri).endsWith(uri))
      const texts: string[] = []
      for (const listed of resources) texts.push((await client.ask('resources/read', { uri: listed.uri! })).text)
      const isOwn = ['one', 'two'].every((server) => texts.some((text) => text.includes(`Text of ${server}`)))
      const saw = `${prompts.length} and ${resources.length}${isOwn ? '' : ', not each of its server'}`
      return { pass: new Set(prompts.map(({ name }) => name)).size === 2 && isOwn, saw }
    },
  },
  'hidden characters in a prompt and a resource': {
    expects: 'removed',
    async play({ serve, makeHostileOffers }) {
      const { client } = await serve({ one: makeHostileOffers() })
      return seeClean([await getPrompt(client, 'hidden', {}), await readResource(client, 'shape://text')])
    },
  },
  'a web page with a script that claims to be a picture': {
    expects: 'not passed on as a picture',
    async play(stage) {
      const answer = await readShape(stage, 'page')
      if (!isAnswered(answer)) return { pass: isRefused(answer), saw: toWords(answer) }
      const type = String(answer.message.result.contents?.[0]?.mimeType)
      return { pass: type !== 'image/png', saw: type === 'image/png' ? 'forwarded' : `as ${type}` }
    },
  },
  'a resource of 12 MB that is listed with 5 bytes': {
    expects: 'bounded',
    async play(stage) {
      const answer = await readShape(stage, 'grown')
      const megabytes = Math.round(answer.text.length / 1024 / 1024)
      const saw = megabytes > 0 ? `forwarded, ${megabytes} MB` : toWords(answer)
      return { pass: isRefused(answer) && megabytes === 0, saw }
    },
  },
  'a list of resources that never ends': {
    expects: 'tools are served, and the list ends',
    async play({ serve, makeHostileOffers }) {
      const host = await serve({ one: makeHostileOffers('endless') })
      const pages = await countPages(host.client)
      const isServed = isAnswered(await host.call(['one', 'counts'], {}))
      return {
        pass: isServed && pages <= 20,
        saw: pages <= 20 ? (isServed ? 'ends' : 'tools are not served') : 'goes on',
      }
    },
  },
  'a server asks the user of a call': {
    expects: 'asked, and the server gets the answer',
    async play(stage) {
      const { asked, answer } = await askUser(stage, 'ask_plainly', accept('Ada'))
      const isAnsweredSo = answer.text.includes('Ada')
      return { pass: asked.length === 1 && isAnsweredSo, saw: asked.length === 0 ? 'not asked' : isAnsweredSo ? 'asked' : toWords(answer) } // biome-ignore format: one line
    },
  },
  'a server asks for a password in a form': {
    expects: 'the user is not asked',
    async play(stage) {
      const { asked } = await askUser(stage, 'ask_password', accept('x'))
      return { pass: asked.length === 0, saw: asked.length === 0 ? 'not asked' : 'asked' }
    },
  },
  'a server asks in the name of another': {
    expects: 'the user is told which server asks, or is not asked',
    async play(stage) {
      const { asked } = await askUser(stage, 'ask_impersonating', accept('x'))
      if (asked.length === 0) return { pass: true, saw: 'not asked' }
      const [{ message = '' } = {}] = asked as { message?: string }[]
      const isNamed = /\bone\b/.test(message) && !hidden.test(message)
      return { pass: isNamed, saw: isNamed ? 'named' : 'forwarded' }
    },
  },
  'a question about the call of one user, while another calls': {
    expects: 'does not reach the other',
    async play({ serve, makeHostileOffers }) {
      const host = await serve({ one: makeHostileOffers() })
      const reached: string[] = []
      const user = (name: string) => () => {
        reached.push(name)
        return { action: 'accept', content: { name } }
      }
      const [ada, bob, eve] = await Promise.all(['ada', 'bob', 'eve'].map((name) => host.open({}, user(name)))) as [Client, Client, Client] // biome-ignore format: one line
      const asking = host.call(['one', 'hold_and_ask'], {}, ada)
      const waiting = host.call(['one', 'hold_and_log'], {}, bob)
      await untilHeld(host, eve)
      for (const caller of [ada, bob, eve]) await host.call(['one', 'release'], {}, caller)
      const [answer, other] = await Promise.all([asking, waiting])
      const isApart = !reached.includes('bob') && isAnswered(other)
      const asked = reached.includes('ada') ? 'asked the right one' : 'asked no one'
      return { pass: isApart, saw: isApart ? asked : reached.includes('bob') ? 'reached the other' : toWords(answer) }
    },
  },
  'a call as a task': {
    expects: 'a task, and its result',
    async play({ serve, makeOffering }) {
      const { client } = await serve({ one: makeOffering(toOffered('one')) })
      const { taskId, answer } = await callAsTask(client)
      if (taskId === undefined) return { pass: false, saw: isAnswered(answer) ? 'no task' : toWords(answer) }
      const result = await client.ask('tasks/result', { taskId })
      return { pass: isAnswered(result), saw: isAnswered(result) ? 'a task' : toWords(result) }
    },
  },
}

/** The task that a call became; undefined if it became none. */
async function callAsTask(client: Client): Promise<{ taskId: string | undefined; answer: Answer }> {
  const tools: JsonObject[] = (await client.ask('tools/list')).message?.result?.tools ?? []
  const name = tools.find((tool) => String(tool.name).endsWith('echo'))?.name ?? 'echo'
  const answer = await client.ask('tools/call', { name, arguments: {}, task: { ttl: 60_000 } })
  return { taskId: answer.message?.result?.task?.taskId, answer }
}

/** One tool, prompt and resource, the same for each server but for the text. */
function toOffered(server: string): JsonObject {
  return {
    tools: [{ name: 'echo', description: 'Says it again.', inputSchema: { type: 'object', properties: {} } }],
    prompts: [{ name: 'greet', description: 'Greets a person.', arguments: [{ name: 'who', required: true }] }],
    resources: [{ uri, name: 'text', mimeType: 'text/plain' }],
    contents: { [uri]: { mimeType: 'text/plain', text: `Text of ${server}.` } },
  }
}

function seeClean(answers: readonly Answer[]): Seen {
  const failed = answers.find((answer) => !isAnswered(answer))
  if (failed) return { pass: false, saw: toWords(failed) }
  const isClean = !answers.some(({ message }) => hidden.test(JSON.stringify(message)))
  return { pass: isClean, saw: isClean ? 'removed' : 'forwarded' }
}

async function list(client: Client, kind: 'prompts' | 'resources'): Promise<JsonObject[]> {
  return (await client.ask(`${kind}/list`)).message?.result?.[kind] ?? []
}

/** Gateways may change names and URIs, but keep their ends. */
async function getPrompt(client: Client, name: string, input: JsonObject): Promise<Answer> {
  const found = (await list(client, 'prompts')).find((prompt) => String(prompt.name).endsWith(name))
  return client.ask('prompts/get', { name: found?.name ?? name, arguments: input })
}

async function readResource(client: Client, uri: string): Promise<Answer> {
  const found = (await list(client, 'resources')).find((resource) => String(resource.uri).endsWith(uri))
  return client.ask('resources/read', { uri: found?.uri ?? uri })
}

async function readShape({ serve, makeHostileOffers }: Stage, name: string): Promise<Answer> {
  const { client } = await serve({ one: makeHostileOffers() })
  return readResource(client, `shape://${name}`)
}

async function countPages(client: Client): Promise<number> {
  let cursor: string | undefined
  for (let pages = 1; pages <= 20; pages++) {
    const { message } = await client.ask('resources/list', cursor === undefined ? {} : { cursor })
    cursor = message?.result?.nextCursor
    if (cursor === undefined) return pages
  }
  return Number.POSITIVE_INFINITY
}

async function askUser({ serve, makeHostileOffers }: Stage, tool: string, user: () => JsonObject) {
  const host = await serve({ one: makeHostileOffers() })
  const asked: JsonObject[] = []
  const client = await host.open({}, (params) => {
    asked.push(params)
    return user()
  })
  return { asked, answer: await host.call(['one', tool], {}, client) }
}

/** Waits until two calls wait at the server; at gateways with one process per caller it is one at each. */
async function untilHeld(host: Host, client: Client) {
  for (let tries = 0; tries < 20; tries++) {
    const { text } = await host.call(['one', 'counts'], {}, client)
    if (/held\W+2/.test(text)) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
