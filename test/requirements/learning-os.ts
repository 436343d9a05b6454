import type { RequirementsDocument } from './requirement.ts'

const hello = '[`learning.hello`](tools.md#learninghello)'
const own = (id: string) => [`test/requirements/learning-os.test.ts: ${id}`]

export const learningOs: RequirementsDocument = {
  title: 'Tool Contracts (learning OS)',
  about:
    'Three tools of a repository in which a person learns with an assistant. They are the toolset [`learning`](learning.md).',
  groups: [
    {
      title: 'What a contract specifies',
      statements: [
        {
          id: 'A1',
          says: 'A contract has a name, the identifier of the tool.',
          where: '`name` in [the contract](contract.md)',
          tests: own('A1'),
        },
        {
          id: 'A2',
          says: 'A contract has a description of what the tool does.',
          where: '`description`',
          tests: own('A2'),
        },
        {
          id: 'A3',
          says: 'A contract has an input schema, as JSON Schema.',
          where: '`input`, [schemas](schemas.md)',
          tests: own('A3'),
        },
        {
          id: 'A4',
          says: 'A contract has an output schema, the format of the return value.',
          where: '`output`',
          tests: own('A4'),
        },
        {
          id: 'A5',
          says: 'A contract has constraints: limitations and safety rules.',
          where: '`constraints`',
          tests: own('A5'),
        },
      ],
    },
    {
      title: 'learning.hello',
      statements: [
        { id: 'A6', says: 'There is a tool `hello` that greets.', where: hello, tests: own('A6') },
        {
          id: 'A7',
          says: 'It tests whether MCP is connected.',
          where: `${hello} over [MCP](mcp.md)`,
          tests: own('A7'),
        },
        { id: 'A8', says: '`name` is a string, described as the name to greet.', where: hello, tests: own('A8') },
        { id: 'A9', says: '`name` has at most 100 characters.', where: hello, tests: own('A9') },
        { id: 'A10', says: '`name` is required.', where: hello, tests: own('A10') },
        { id: 'A11', says: 'It returns an object with a string `greeting`.', where: hello, tests: own('A11') },
        {
          id: 'A12',
          says: 'It has no side effects.',
          where: `${hello}, \`risk: read_only\` and no effects`,
          tests: own('A12'),
        },
        { id: 'A13', says: 'It always succeeds.', where: `${hello}, no errors of its own`, tests: own('A13') },
        { id: 'A14', says: 'It says that it is for testing only.', where: `${hello}, constraints`, tests: own('A14') },
      ],
    },
  ],
}
