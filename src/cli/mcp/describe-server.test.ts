// biome-ignore-all lint/suspicious/noTemplateCurlyInString: so variables are written in a config
import { expect, test } from 'vitest'
import { describeServer, findWrittenSecrets, type Reached } from './describe-server.ts'

const github = `ghp_${'a1B2'.repeat(9)}`

test.each<[Reached, shown: string, places: string[]]>([
  [
    { command: 'npx', args: ['-y', 'server', 'a b', "it's", '${HOME}/x'] },
    "npx -y server 'a b' 'it'\\''s' ${HOME}/x",
    [],
  ],
  [{ command: 'x', args: ['--api-key', 'abcdef123', '--port', '8080'] }, 'x --api-key … --port 8080', ['args']],
  [{ command: 'x', args: ['--token=abcdef123', '--name=ada-lovelace'] }, 'x --token=… --name=ada-lovelace', ['args']],
  [{ command: 'x', args: ['--token', '${TOKEN}'] }, 'x --token ${TOKEN}', []],
  [{ command: 'x', args: [github] }, 'x …', ['args']],
  [{ command: 'x', env: { API_KEY: 'abcdef123', MODE: 'production', TOKEN: '${TOKEN}' } }, 'x', ['env.API_KEY']],
  [{ command: 'x', env: { THING: github } }, 'x', ['env.THING']],
  [{ url: 'https://x.example/mcp' }, 'https://x.example/mcp', []],
  [{ url: 'https://ada:pw@x.example/mcp?key=abc' }, 'https://…@x.example/mcp?…', ['url']],
  [
    { url: 'https://x.example', headers: { Authorization: 'Bearer abcdefgh' } },
    'https://x.example',
    ['headers.Authorization'],
  ],
  [
    { url: 'https://x.example', headers: { Authorization: 'Bearer ${T}', Accept: 'text/plain' } },
    'https://x.example',
    [],
  ],
])('%j is shown without secrets, and they are found', (server, shown, places) => {
  expect(describeServer(server)).toBe(shown)
  expect(findWrittenSecrets(server)).toEqual(places)
})
