import { expect, test } from 'vitest'
import { chainStart, followChain, type StoredEntry, toEntryHash, verifyChain } from './ledger-chain.ts'

const chain = makeChain(10)
const head = chain.at(-1)!

test('an unchanged chain is intact, with its head', () => {
  expect(verifyChain(chain, head)).toEqual({ intact: true, entries: 10, head: head.hash })
  expect(verifyChain([], chainStart)).toEqual({ intact: true, entries: 0, head: chainStart.hash })
})

test('a hash is over the hash before and the text', () => {
  expect(toEntryHash('a', 'bc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})

test('a chain can be followed in parts', () => {
  const middle = followChain(chainStart, chain.slice(0, 4))
  expect(middle).toEqual({ seq: 4, hash: chain[3]!.hash })
  expect(followChain(middle as StoredEntry, chain.slice(4))).toEqual({ seq: 10, hash: head.hash })
})

test('any changed character of a text is found', () => {
  for (const { seq, text } of chain) {
    const changed = chain.map((entry) =>
      entry.seq === seq ? { ...entry, text: text.replace('record', 'rec0rd') } : entry,
    )
    expect(verifyChain(changed, head)).toMatchObject({ intact: false, brokenAtSeq: seq, entries: seq - 1 })
  }
})

test('a changed entry whose own hash was made anew shows at the next one, or at the head', () => {
  const forge = (seq: number) => {
    const entry = { seq, text: 'forged', hash: toEntryHash(chain[seq - 2]?.hash ?? chainStart.hash, 'forged') }
    return verifyChain(chain.with(seq - 1, entry), head)
  }
  expect(forge(1)).toMatchObject({ intact: false, brokenAtSeq: 2 })
  expect(forge(5)).toMatchObject({ intact: false, brokenAtSeq: 6 })
  expect(forge(10)).toMatchObject({ intact: false, brokenAtSeq: 10, reason: expect.stringContaining('head') })
})

test('removed entries are found at the start, in the middle and at the end', () => {
  expect(verifyChain(chain.slice(1), head)).toMatchObject({ brokenAtSeq: 1, reason: 'Missing: entry 1.' })
  expect(verifyChain(chain.toSpliced(3, 3), head)).toMatchObject({
    brokenAtSeq: 4,
    entries: 3,
    reason: 'Missing: entries 4 to 6.',
  })
  expect(verifyChain(chain.slice(0, 8), head)).toMatchObject({
    brokenAtSeq: 9,
    reason: 'Missing at the end: entries 9 to 10.',
  })
  expect(verifyChain([], head)).toMatchObject({ brokenAtSeq: 1, entries: 0 })
})

test('removed entries are found even if the others are numbered anew', () => {
  const closed = chain.toSpliced(3, 1).map((entry, index) => ({ ...entry, seq: index + 1 }))
  expect(verifyChain(closed, { ...head, seq: 9 })).toMatchObject({
    brokenAtSeq: 4,
    reason: 'Entry 4 does not follow entry 3: it was changed, or something between was removed.',
  })
})

test('an added entry is found, wherever it is put', () => {
  for (let index = 0; index < 10; index++) {
    const previous = chain[index - 1]?.hash ?? chainStart.hash
    for (const hash of [toEntryHash(previous, 'forged'), 'f'.repeat(64)]) {
      const added = chain.toSpliced(index, 0, { seq: 0, text: 'forged', hash })
      const numbered = added.map((entry, position) => ({ ...entry, seq: position + 1 }))
      const verdict = verifyChain(numbered, { ...head, seq: 11 })
      expect(verdict).toMatchObject({ intact: false })
      expect([index + 1, index + 2]).toContain((verdict as { brokenAtSeq: number }).brokenAtSeq)
    }
  }
  const beyond = { seq: 11, text: 'forged', hash: toEntryHash(head.hash, 'forged') }
  expect(verifyChain([...chain, beyond], head)).toMatchObject({ intact: false, brokenAtSeq: 11 })
  const before = { seq: 0, text: 'forged', hash: 'f'.repeat(64) }
  expect(verifyChain([before, ...chain], head)).toMatchObject({ intact: false, brokenAtSeq: 0, entries: 0 })
})

test('entries in another order are found', () => {
  const swapped = chain.with(3, { ...chain[4]!, seq: 4 }).with(4, { ...chain[3]!, seq: 5 })
  expect(verifyChain(swapped, head)).toMatchObject({
    brokenAtSeq: 4,
    reason: 'Entry 4 was added or moved: the one after it follows entry 3.',
  })
  expect(verifyChain(chain.with(3, chain[4]!).with(4, chain[3]!), head)).toMatchObject({ brokenAtSeq: 4 })
  expect(verifyChain([...chain, chain[4]!], head)).toMatchObject({ intact: false, brokenAtSeq: 5 })
})

test('a changed head is found', () => {
  expect(verifyChain(chain, { ...head, hash: 'f'.repeat(64) })).toMatchObject({ brokenAtSeq: 10 })
  expect(verifyChain(chain, { ...head, seq: 12 })).toMatchObject({ brokenAtSeq: 11 })
  expect(verifyChain(chain, chain[7]!)).toMatchObject({ brokenAtSeq: 9 })
})

function makeChain(length: number): StoredEntry[] {
  const entries: StoredEntry[] = []
  let { hash } = chainStart
  for (let seq = 1; seq <= length; seq++) {
    const text = `record ${seq}`
    hash = toEntryHash(hash, text)
    entries.push({ seq, text, hash })
  }
  return entries
}
