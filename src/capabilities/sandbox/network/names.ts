import type { Socket as Datagrams } from 'node:dgram'
import { isGrantedName } from '../../../policy/granted-hosts.ts'
import { type Egress, toHostName } from './egress.ts'

/** Addresses that stand for granted names within a namespace. The whole of 127/8 is its own loopback. */
const firstAddress = 0x7f40_0000
const maxNames = 4096

const ttlSeconds = 60
const typeA = 1
const noError = 0
const noSuchName = 3

/**
 * Answers the name lookups of a namespace, for programs that use no proxy. A granted name gets an address of the loopback
 * that stands for it; any other does not exist. Nothing is asked of a real name server, so that names carry nothing out.
 */
export class Names {
  readonly #egress: Egress
  readonly #byAddress = new Map<string, string>([['127.0.0.1', 'localhost']])
  readonly #byName = new Map<string, number>()

  constructor(egress: Egress) {
    this.#egress = egress
  }

  serve(datagrams: Datagrams): void {
    datagrams.on('error', () => datagrams.close())
    datagrams.on('message', (query, { port, address }) => {
      const answer = this.answer(query)
      if (answer) datagrams.send(answer, port, address, () => {})
    })
  }

  /** The name that an address stands for. */
  find(address: string | undefined): string | undefined {
    return this.#byAddress.get(address?.replace(/^::ffff:/, '') ?? '')
  }

  /** Undefined if it is not a question. */
  answer(query: Buffer): Buffer | undefined {
    const question = readQuestion(query)
    if (!question) return undefined
    const { name, type, end } = question
    const address = isGrantedName(this.#egress.network, name) ? this.#toAddress(name) : undefined
    if (address === undefined) this.#egress.refuse({ host: toHostName(name), reason: 'it was not granted' })
    const isAnswered = address !== undefined && type === typeA
    const head = Buffer.alloc(12)
    head.writeUInt16BE(query.readUInt16BE(0), 0)
    // A response, recursive as asked.
    head.writeUInt16BE(0x8180 | (address === undefined ? noSuchName : noError), 2)
    head.writeUInt16BE(1, 4)
    head.writeUInt16BE(isAnswered ? 1 : 0, 6)
    return Buffer.concat([head, query.subarray(12, end), ...(isAnswered ? [toRecord(address)] : [])])
  }

  #toAddress(name: string): number | undefined {
    const known = this.#byName.get(name)
    if (known !== undefined) return known
    if (this.#byName.size >= maxNames) return undefined
    const address = firstAddress + this.#byName.size + 1
    this.#byName.set(name, address)
    this.#byAddress.set([24, 16, 8, 0].map((bits) => (address >>> bits) & 255).join('.'), name)
    return address
  }
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } | undefined {
  if (query.length < 17 || (query.readUInt16BE(2) & 0x8000) !== 0 || query.readUInt16BE(4) !== 1) return undefined
  const labels: string[] = []
  let at = 12
  for (let length = query[at]!; length !== 0; length = query[at]!) {
    // Neither a pointer nor more than there is.
    if (length > 63 || at + length + 5 >= query.length + 1 || labels.length > 127) return undefined
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
    if (at >= query.length) return undefined
  }
  if (at + 5 > query.length) return undefined
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 }
}

function toRecord(address: number): Buffer {
  const record = Buffer.alloc(16)
  // A pointer to the question's name, then type, class, time, length and address.
  record.writeUInt16BE(0xc00c, 0)
  record.writeUInt16BE(typeA, 2)
  record.writeUInt16BE(1, 4)
  record.writeUInt32BE(ttlSeconds, 6)
  record.writeUInt16BE(4, 10)
  record.writeUInt32BE(address, 12)
  return record
}
