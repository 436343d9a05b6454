import { canonicalJson } from '../src/contract/canonical-json.ts'
import { defineTool } from '../src/contract/define-tool.ts'
import type { Rule } from '../src/contract/rule.ts'
import { decide } from '../src/policy/decide.ts'
import { compileRules } from '../src/policy/rules/compile-rules.ts'
import { compare } from './compare.ts'
import type { About, Table } from './table.ts'

const { contract } = defineTool(
  {
    name: 'create',
    description: 'Creates a file.',
    risk: 'safe_write',
    effects: { writes: ['path'] },
    input: {
      type: 'object',
      additionalProperties: false,
      required: ['path', 'content'],
      properties: { path: { type: 'string' }, content: { type: 'string' } },
    },
    output: { type: 'object', additionalProperties: false },
  },
  () => ({}),
)
const input = { content: 'x', path: 'src/9/a.ts' }
const call = {
  toolId: 'tool-0.create',
  contract,
  input,
  canonicalInput: canonicalJson(input),
  caller: { name: 'bench' },
  workspace: '/home/ada/project',
  now: Date.parse('2026-06-01T12:00:00Z'),
}

export const about: About = {
  compares:
    'Deciding with ten rules beside deciding with a thousand and a hundred thousand: of other tools, or of the same one, made by “always”.',
}

export async function* bench(): AsyncGenerator<Table> {
  const ten = Array.from({ length: 10 }, (_, index) => toFolderRule(0, index))
  const others = (count: number) => Array.from({ length: count - 10 }, (_, index) => toFolderRule(1 + Math.floor(index / 10), index % 10)) // biome-ignore format: one line
  const exact = (count: number) => Array.from({ length: count - 10 }, (_, index) => toExactRule(index))
  const sets = {
    '10 rules': await compileRules(ten),
    '1,000 rules, of 100 tools': await compileRules([...ten, ...others(1000)]),
    '100,000 rules, of 10,000 tools': await compileRules([...ten, ...others(100_000)]),
    '1,000 rules of one tool, most for one exact call': await compileRules([...ten, ...exact(1000)]),
    '100,000 rules of one tool, most for one exact call': await compileRules([...ten, ...exact(100_000)]),
  }
  for (const rules of Object.values(sets))
    if (decide(call, { rules }).action !== 'allow') throw new Error('The call is not allowed.')
  const contenders = Object.entries(sets).map(([name, rules]) => ({
    name,
    run: () => decide(call, { rules }),
    aim: name === '10 rules' ? undefined : 2,
  }))
  yield await compare('Deciding about a call', contenders, { rounds: 20, samples: 50, repeat: 100 })
}

function toFolderRule(tool: number, folder: number): Rule {
  return toRule(`tool-${tool}.create`, `{"content":".*","path":"src/${folder}/[^/]*\\.ts"}`, `${tool}-${folder}`)
}

function toExactRule(index: number): Rule {
  return toRule('tool-0.create', `{"content":"x","path":"lib/${index}\\.ts"}`, `exact-${index}`)
}

function toRule(tool: string, pattern: string, id: string): Rule {
  const made = { createdBy: 'bench', createdAt: '2026-01-01T00:00:00Z' }
  return { id, tool, pattern, action: 'allow', scope: 'everywhere', ...made }
}
