import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from '../../../test/helpers/open-test-pipeline.ts'
import { completeInput } from './complete-input.ts'

test('Tab completes slash commands and paths of the folder', async () => {
  const folder = makeFolder()
  mkdirSync(join(folder, 'notes'))
  for (const name of ['notes/a.md', 'notes.txt', '.secret', 'no space', 'no\u001b[2J'])
    writeFileSync(join(folder, name), '')
  const complete = (line: string) => completeInput(line, { commands: ['tools', 'help', 'exit'], folder })
  expect(await complete('/t')).toEqual([['/tools'], '/t'])
  expect(await complete('/')).toEqual([['/tools', '/help', '/exit'], '/'])
  expect(await complete('Read no')).toEqual([['notes.txt', 'notes/'], 'no'])
  expect(await complete('Read "notes/')).toEqual([['notes/a.md'], 'notes/'])
  expect(await complete('Read ./.s')).toEqual([['./.secret'], './.s'])
  for (const line of ['', 'Read ', 'Read ../', 'Read /etc/pass', 'Read none/'])
    expect((await complete(line))[0]).toEqual([])
})
