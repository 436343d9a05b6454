import { checkedIn, type Group } from '../requirement.ts'

const checked = checkedIn('test/requirements/cli-agent/models-and-tests.test.ts')
const functions = '[`toolpact export openai`](projections.md)'
const of = (file: string, title: string) => `src/toolsets/workspace/${file}.test.ts: ${title}`
const testing = '[testing](../CONTRIBUTING.md)'

export const modelsAndTests: readonly Group[] = [
  {
    title: 'Function calling',
    statements: [
      checked('E1141', 'Tools are offered to a model in the function calling format of OpenAI.', functions),
      checked('E1142', 'A function has the name of the tool: `create_file`.', functions, {
        tests: [
          'src/agent/chat/chat.test.ts: of several toolsets the model is offered bare names where they are unique, and may use listed ones',
        ],
      }),
      checked('E1143', 'Its description is that of the tool: `Create a new file with specified content`.', functions),
      checked('E1144', 'Its `parameters` are a JSON Schema of an object.', functions),
      checked('E1145', 'Each parameter has its type and description.', functions),
      checked('E1146', 'Its `required` lists the parameters that are required.', functions),
    ],
  },
  {
    title: 'Tests',
    statements: [
      checked('E1151', 'Each tool has tests of successful calls.', testing),
      {
        id: 'E1152',
        says: 'Each tool with a path has tests of paths outside the working directory.',
        where: testing,
        tests: [
          of('path-escapes', '%s stays inside'),
          of('path-escapes', 'every tool whose contract names a path is in the table'),
        ],
      },
      {
        id: 'E1153',
        says: 'Each tool has tests of missing parameters and wrong types.',
        where: '[scenarios](adding-a-tool.md#the-scenarios)',
        tests: ['test/e2e/derived-scenarios.test.ts: keeps its contract in every scenario that comes from it'],
      },
      checked('E1154', 'Each tool has tests of the errors that it declares.', testing),
      {
        id: 'E1155',
        says: 'Each tool has tests of empty files, folders, output or results.',
        where: testing,
        tests: [
          of('create-file', 'writes %s exactly'),
          of('read-file', 'reads an empty file, from its first line only'),
          of('replace-string-in-file', 'the whole file may be the old string'),
          of('list-dir', 'reports that a directory is empty'),
          of('file-search', 'no match is a success with a message'),
          of('grep-search', 'a warning reports how many ignored and hidden files were not searched'),
          of('run-in-terminal', '%s is returned as it is'),
          of('terminal-last-command', 'a command that wrote nothing'),
          of('fetch-webpage', '%s becomes text'),
        ],
      },
      {
        id: 'E1156',
        says: 'Each tool has tests of large files, folders, output or results.',
        where: testing,
        tests: [
          of('create-file', 'accepts 10MB and not a byte more'),
          of('read-file', 'above 10MB whole lines are returned, with the line to continue from'),
          of('replace-string-in-file', '10MB is the limit, before and after'),
          of('list-dir', '1000 entries are one page, 1001 are two'),
          of('file-search', 'of more than 1000 the first are shown, with a warning'),
          of('grep-search', 'of more results than asked for the first are shown, with a warning'),
          of('run-in-terminal', 'the middle of long output is left out, and counted'),
          of('terminal-last-command', 'long output, several lines and other scripts are kept'),
          of('create-directory', 'circular links and names that are too long are invalid paths'),
          of('fetch-webpage', 'a body that decompresses to a thousand times its size is cut too'),
        ],
      },
      {
        id: 'E1157',
        says: 'Each tool has tests of special characters.',
        where: testing,
        tests: [
          of('create-file', 'takes the name %s'),
          of('read-file', 'a name that could be misread is shown as JSON in the header'),
          of('replace-string-in-file', '%s is literal, as old string and as new one'),
          of('list-dir', 'writes names that could be misread as JSON'),
          of('file-search', 'names that are unusual, and names that could be misread'),
          of('grep-search', 'names that could be misread are shown as JSON'),
          of('run-in-terminal', 'output of control characters fits too'),
          of('terminal-last-command', 'long output, several lines and other scripts are kept'),
          of('create-directory', 'a name that could be misread is shown as JSON'),
          of('fetch-webpage', 'a megabyte of characters that JSON writes with six is returned'),
        ],
      },
      {
        id: 'E1158',
        says: 'Each tool with a path has tests with paths of Windows and of Unix.',
        where: testing,
        tests: [of('path-escapes', '%s stays inside')],
      },
      checked('E1159', 'Each tool has at least ten test scenarios.', testing),
      checked('E1160', 'Each tool has a line coverage of at least 95 %.', '`coverage` in `vitest.config.ts`'),
    ],
  },
]
