import { beginArrived } from '../../contract/arrived-together.ts'

type Begin = () => Promise<void> | void

/** More gain little, and the first would wait for the last. */
const maxTogether = 32

/**
 * Lets requests that arrive in the same turn of the event loop begin together, as lines of one chunk do over stdio: the ledger
 * then keeps the records of all their calls with two writes, which is a quarter of the processor time of 16 calls at once
 * (0396), and looks for changed rules once (0490). While `isAlone` there is only one connection, and a request begins at once.
 */
export function createTogether(isAlone: () => boolean): (begin: Begin) => ReturnType<Begin> {
  let waiting: (() => void)[] = []
  let soon: NodeJS.Immediate | undefined

  function beginAll() {
    clearImmediate(soon)
    soon = undefined
    const all = waiting
    waiting = []
    beginArrived(() => {
      for (const begin of all) begin()
    })
  }

  return (begin) => {
    if (isAlone()) return begin()
    return new Promise((resolve, reject) => {
      waiting.push(() => {
        try {
          resolve(begin())
        } catch (cause) {
          reject(cause)
        }
      })
      // Once all sockets that can be read now have been read.
      if (waiting.length === maxTogether) beginAll()
      else soon ??= setImmediate(beginAll)
    })
  }
}
