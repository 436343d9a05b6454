import { afterAll, beforeAll, expect, test } from 'vitest'
import { commands } from '../../src/cli/main.ts'
import { openCommandFolder } from '../helpers/run-command.ts'

const { folder, run, close } = openCommandFolder()
afterAll(close)
/** Keep the client configs of this machine out. */
const env = { HOME: folder, USERPROFILE: folder, XDG_CONFIG_HOME: undefined }
beforeAll(() => run(['token'], { alone: true, env }))

/** A line for each command. */
const lines: { readonly [name: string]: string } = {
  call: 'call learning.hello name=Ada --json',
  ask: 'ask what --timeout soon',
  chat: 'chat',
  serve: 'serve --port http',
  open: 'open --print --port 1',
  list: 'list',
  show: 'show learning.hello',
  ledger: 'ledger --verify',
  verify: 'verify nowhere.json',
  sessions: 'sessions',
  run: 'run learning.hello name=Ada',
  runs: 'runs list',
  connections: 'connections list',
  'sign-ins': 'sign-ins list',
  replay: 'replay nothing',
  rules: 'rules test workspace.create_file path=a content=b',
  approvals: 'approvals',
  trust: 'trust list',
  token: 'token',
  mcp: 'mcp list',
  connect: 'connect cursor --http --dry-run',
  disconnect: 'disconnect cursor',
  export: 'export openai',
  check: 'check',
  diff: 'diff a b',
  lock: 'lock',
  new: 'new tool',
  contracts: 'contracts import nowhere.md',
  test: 'test learning.hello --seed 1 --json',
  completion: 'completion bash',
}

// Most other tests of the command reuse a process.
test.each(Object.keys(commands))('%s does the same in a process of its own as in one that is shared', async (name) => {
  const args = lines[name]!.split(' ')
  const alone = await run(args, { alone: true, env })
  const shared = await run(args, { env })
  expect(withoutTimes(shared)).toEqual(withoutTimes(alone))
  expect(alone.stdout + alone.stderr).not.toBe('')
})

function withoutTimes(ended: object): object {
  return JSON.parse(JSON.stringify(ended).replaceAll(/(?<=_ms\\":)[\d.]+/g, '0'))
}
