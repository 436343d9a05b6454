import { availableParallelism } from 'node:os'
import type { Config } from '../../../app/config/config.ts'
import { type Options, UsageError } from '../../options/command.ts'

const maxWorkers = 64

/** How many processes are to serve. The command line overrides the config. */
export function countWorkers({ workers: given, stdio }: Options, { http }: Config): number {
  if (stdio) return 1
  const wanted = given ?? http?.workers ?? 1
  if (wanted === 'auto') return Math.min(availableParallelism(), maxWorkers)
  const count = /^\d{1,3}$/.test(`${wanted}`) ? Number(wanted) : 0
  if (count >= 1 && count <= maxWorkers) return count
  throw new UsageError(`--workers cannot be '${given}'.`, `Use a number from 1 to ${maxWorkers}, or auto for one per processor core.`) // biome-ignore format: one line
}
