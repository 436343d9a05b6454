import { availableParallelism } from 'node:os'
import { expect, test } from 'vitest'
import { countWorkers as count } from './count-workers.ts'

const countWorkers = (options: object, config: object) => count(options, config as never)

test('one process serves unless more are wanted', () => {
  expect(countWorkers({}, {})).toBe(1)
  expect(countWorkers({ workers: '3' }, {})).toBe(3)
  expect(countWorkers({}, { http: { workers: 2 } })).toBe(2)
})

test('the command line overrides the config, and stdio has one process', () => {
  expect(countWorkers({ workers: '1' }, { http: { workers: 4 } })).toBe(1)
  expect(countWorkers({ stdio: true }, { http: { workers: 4 } })).toBe(1)
})

test('auto is one for each processor core', () => {
  const cores = Math.min(availableParallelism(), 64)
  expect(countWorkers({ workers: 'auto' }, {})).toBe(cores)
  expect(countWorkers({}, { http: { workers: 'auto' } })).toBe(cores)
})

test.each(['0', '65', '-1', '1.5', 'two', '', '1e1', '0x2'])('%j is refused with what to use instead', (workers) => {
  expect(() => countWorkers({ workers }, {})).toThrow(`--workers cannot be '${workers}'.`)
})
