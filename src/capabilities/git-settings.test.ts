import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder } from '../../test/helpers/open-test-pipeline.ts'
import { findGitPrograms, readGitSettings } from './git-settings.ts'

test('settings are read as git reads them', () => {
  const folder = makeFolder()
  writeFileSync(
    join(folder, 'config'),
    [
      '[core] FsMonitor = "touch \\"x\\"; false" # why',
      '\tbare = false ; no',
      '\thooksPath = a\\',
      'b',
      '[Filter "LFS"]',
      '  clean = git-lfs clean -- %f',
      '  required',
      '[alias]st = status',
      '[alias]',
      '  x = !sh -c "echo a # b"',
      '[core.pager]',
    ].join('\n'),
  )
  const listed = execFileSync('git', ['config', '--file', join(folder, 'config'), '--list'], { encoding: 'utf8' })
  const own = readGitSettings(folder).map(({ name, value }) => (value === '' ? name : `${name}=${value}`))
  expect(own).toEqual(
    listed
      .trim()
      .split('\n')
      .map((line) => line.replace('LFS', 'lfs')),
  )
})

test('programs that git would run are found, and similar settings are not', () => {
  const folder = makeFolder()
  execFileSync('git', ['init', '-q', folder])
  const directory = join(folder, '.git')
  expect(findGitPrograms(directory)).toEqual([])
  const set = (name: string, value: string) => execFileSync('git', ['-C', folder, 'config', name, value])
  set('core.fsmonitor', 'true')
  set('alias.st', 'status')
  set('remote.origin.url', 'https://example.org/x')
  set('filter.x.required', 'true')
  expect(findGitPrograms(directory)).toEqual([])
  set('core.fsmonitor', './x')
  set('alias.x', '!sh x')
  set('filter.x.smudge', 'sh x')
  set('credential.https://example.org.helper', '!sh x')
  set('include.path', '../x')
  mkdirSync(join(directory, 'hooks'), { recursive: true })
  writeFileSync(join(directory, 'hooks', 'post-checkout'), 'sh x')
  expect(findGitPrograms(directory).sort()).toEqual([
    'alias.x = !sh x',
    'core.fsmonitor = ./x',
    'credential.https://example.org.helper = !sh x',
    'filter.x.smudge = sh x',
    'include.path = ../x',
  ])
  chmodSync(join(directory, 'hooks', 'post-checkout'), 0o755)
  expect(findGitPrograms(directory)).toContain('hooks/post-checkout')
})
