import { homedir } from 'node:os'
import { expect, test } from 'vitest'
import { stateDirectory } from './state-directory.ts'

test('the operator chooses first, then the desktop, then there is a default', () => {
  const chosen = { TOOLPACT_STATE_DIR: '/var/lib/pact', XDG_STATE_HOME: '/state', HOME: '/home/ada' }
  expect(stateDirectory(chosen, 'linux')).toBe('/var/lib/pact')
  expect(stateDirectory({ ...chosen, TOOLPACT_STATE_DIR: '' }, 'linux')).toBe('/state/toolpact')
  expect(stateDirectory({ HOME: '/home/ada' }, 'linux')).toBe('/home/ada/.local/state/toolpact')
  expect(stateDirectory({ HOME: '/Users/ada' }, 'darwin')).toBe('/Users/ada/.local/state/toolpact')
  expect(stateDirectory({}, 'linux')).toBe(`${homedir()}/.local/state/toolpact`)
})

test('on Windows it is in the local application data', () => {
  const environment = { LOCALAPPDATA: 'C:\\Users\\Ada\\AppData\\Local', XDG_STATE_HOME: '/ignored' }
  expect(stateDirectory(environment, 'win32')).toBe('C:\\Users\\Ada\\AppData\\Local\\toolpact\\state')
  expect(stateDirectory({ ...environment, TOOLPACT_STATE_DIR: 'D:\\pact' }, 'win32')).toBe('D:\\pact')
})

test('a relative path is refused, since it would be another place in every folder', () => {
  expect(() => stateDirectory({ TOOLPACT_STATE_DIR: 'state' }, 'linux')).toThrow(
    "TOOLPACT_STATE_DIR is 'state', a relative path. Set it to an absolute one.",
  )
  expect(() => stateDirectory({ XDG_STATE_HOME: '../state', HOME: '/home/ada' }, 'linux')).toThrow('XDG_STATE_HOME')
  expect(() => stateDirectory({ LOCALAPPDATA: 'AppData' }, 'win32')).toThrow('LOCALAPPDATA')
})
