import { expect, test } from 'vitest'
import { findCallerToken, withCallerToken } from '../../contract/caller-token.ts'
import { Connection, cancelledByClient } from './connection.ts'

test('requests in flight are found by id, and a number is not the text that looks like it', () => {
  const connection = new Connection({ name: 'ada' })
  const ids = [1, '1', 2, 'x', 0]
  const controllers = ids.map((id) => {
    const controller = new AbortController()
    connection.begin(id, controller)
    return controller
  })
  expect(connection.callsInFlight).toBe(5)
  connection.end(1)
  expect(ids.map((id) => connection.isInFlight(id))).toEqual([false, true, true, true, true])
  connection.take({ kind: 'notification', method: 'notifications/cancelled', params: { requestId: '1' } })
  connection.take({ kind: 'notification', method: 'notifications/cancelled', params: { requestId: 1 } })
  expect(controllers.map(({ signal }) => signal.aborted)).toEqual([false, true, false, false, false])
  expect(controllers[1]!.signal.reason).toBe(cancelledByClient)
  for (const id of [0, '1', 'x']) connection.end(id)
  expect(connection.callsInFlight).toBe(1)
  connection.close()
  expect(controllers[2]!.signal.aborted).toBe(true)
  expect(controllers[3]!.signal.aborted).toBe(false)
})

test('the caller of a request has the session of the connection, and its own rights and token', () => {
  const connection = new Connection({ name: 'ada', session: 's', via: 'jwt', groups: ['ops'] })
  const first = withCallerToken({ name: 'ada', via: 'jwt', groups: ['dev'] }, 'token-1')
  const caller = connection.callerOf(first)
  expect(caller).toEqual({ name: 'ada', session: 's', via: 'jwt', groups: ['dev'] })
  expect(findCallerToken(caller)).toBe('token-1')
  expect(connection.callerOf(first)).toBe(caller)
  const later = connection.callerOf(withCallerToken({ name: 'ada', via: 'jwt', groups: [] }, 'token-2'))
  expect(later.groups).toEqual([])
  expect(findCallerToken(later)).toBe('token-2')
  expect(findCallerToken(connection.callerOf({ name: 'ada', via: 'token' }))).toBeUndefined()
})
