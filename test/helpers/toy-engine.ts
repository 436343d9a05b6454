import { setImmediate as answered } from 'node:timers/promises'
import { openMemoryStorage, type Storage } from '../../src/runtime/storage/engine.ts'

/** A storage engine as another package could implement it: fully asynchronous, like a database. */
export function openToyEngine(): Storage {
  const memory = openMemoryStorage()
  const { location } = memory.tokens
  return {
    ...memory,
    rules: answerLater(memory.rules),
    tokens: { ...answerLater(memory.tokens), location },
    trust: answerLater(memory.trust),
    lock: { ...answerLater(memory.lock), location, watch: memory.lock.watch },
  }
}

function answerLater<Port extends object>(port: Port): Port {
  const methods = Object.entries(port).map(([name, method]) => [
    name,
    async (...parameters: unknown[]) => {
      await answered()
      return method(...parameters)
    },
  ])
  return Object.fromEntries(methods)
}
