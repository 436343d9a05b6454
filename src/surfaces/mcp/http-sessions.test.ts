import { expect, test } from 'vitest'
import { publicCaller } from '../../contract/public-access.ts'
import { Connection } from './connection.ts'
import { SessionStore } from './http-sessions.ts'

test('sessions without a token make room for one another, and never at the cost of other callers', () => {
  const ada = { name: 'ada' }
  const sessions = new SessionStore({ idleMs: 60_000, max: 52 })
  const own = [1, 2].map(() => sessions.add(new Connection(ada))!)
  const ofPublic = Array.from({ length: 60 }, () => sessions.add(new Connection(publicCaller))!)
  for (const id of own) expect(sessions.find(id, ada)).toBeDefined()
  expect(ofPublic.filter((id) => sessions.find(id, publicCaller))).toEqual(ofPublic.slice(-50))
  expect(sessions.find(ofPublic.at(-1)!, ada)).toBeUndefined()
})
