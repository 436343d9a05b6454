import { createHash } from 'node:crypto'
import type { Rule } from '../../../contract/rule.ts'
import { expect } from './expect.ts'
import type { SuiteParts } from './suite-parts.ts'

/** Tests what operators decide. Part of `testStorage`. */
export function testState({ describe }: SuiteParts) {
  describe('rules', (test) => {
    test('are absent at first, and have no version', async (openNew) => {
      const { rules } = await openNew()
      expect(await rules.load()).toEqual([])
      expect(await rules.version()).toBeUndefined()
      expect(await rules.repair(false)).toEqual({})
    })

    test('are added, disabled, enabled and removed, each time with another version', async (openNew) => {
      const { rules } = await openNew()
      const versions = new Set<string | undefined>()
      const expectRules = async (expected: readonly Rule[]) => {
        expect(await rules.load()).toEqual(expected)
        const { size } = versions
        expect(versions.add(await rules.version()).size).toBe(size + 1)
      }
      const first = toRule('first')
      const second = toRule('second', {
        action: 'deny',
        description: 'it\'s "so" \u2028 🙂',
        examples: { match: [{ a: 1 }] },
        who: ['corp/ada', 'group:Domain Admins'],
      })
      await rules.add(first)
      await expectRules([first])
      await rules.add(second)
      await expectRules([first, second])
      expect(await rules.setDisabled('first', true)).toBe(true)
      await expectRules([{ ...first, disabled: true }, second])
      expect(await rules.setDisabled('first', false)).toBe(true)
      await expectRules([first, second])
      const ended = { ...first, expiresAt: '2026-01-31T12:00:00.000Z' }
      expect(await rules.expire('first', ended.expiresAt)).toBe(true)
      await expectRules([ended, second])
      expect(await rules.remove('first')).toBe(true)
      await expectRules([second])
    })

    test('keep their version while nothing changes', async (openNew) => {
      const { rules } = await openNew()
      await rules.add(toRule('first'))
      const version = await rules.version()
      expect(await rules.remove('absent')).toBe(false)
      expect(await rules.setDisabled('absent', true)).toBe(false)
      expect(await rules.expire('absent', '2026-01-31T12:00:00.000Z')).toBe(false)
      await expect(rules.add(toRule('first', { action: 'deny' }))).toRejectWith('exists_already')
      expect(await rules.repair(false)).toEqual({})
      expect(await rules.load()).toEqual([toRule('first')])
      expect(await rules.version()).toBe(version)
    })

    test('do not change with the objects that were added or loaded', async (openNew) => {
      const { rules } = await openNew()
      const rule = { ...toRule('first') }
      await rules.add(rule)
      rule.pattern = '.*'
      const [loaded] = await rules.load()
      ;(loaded as { pattern: string }).pattern = '.*'
      expect(await rules.load()).toEqual([toRule('first')])
    })

    test('that are added at the same time are all kept', async (openNew) => {
      const { rules } = await openNew()
      const ids = Array.from({ length: 20 }, (_, index) => `rule-${index}`)
      await Promise.all(ids.map((id) => rules.add(toRule(id))))
      expect((await rules.load()).map(({ id }) => id).sort()).toEqual(ids.sort())
    })
  })

  describe('tokens', (test) => {
    test('are stored as hashes, several per caller', async (openNew) => {
      const { tokens } = await openNew()
      expect(await tokens.load()).toEqual([])
      expect(await tokens.version()).toBeUndefined()
      const scope = { toolsets: ['files'], readOnly: true } as const
      const first = await tokens.create('ci', { scope, expiresAt: '2999-01-01T00:00:00.000Z', label: 'nightly' })
      const second = await tokens.create('ci')
      expect(/^toolpact_[\w-]{43}$/.test(first.token)).toBe(true)
      expect(first.token === second.token).toBe(false)
      const stored = await tokens.load()
      expect(stored.map(({ caller }) => caller)).toEqual(['ci', 'ci'])
      expect(stored[0]).toEqual({
        ...{ caller: 'ci', hash: createHash('sha256').update(first.token).digest('base64url') },
        ...{ prefix: first.token.slice(0, 13), createdAt: first.createdAt, scope, label: 'nightly' },
        expiresAt: '2999-01-01T00:00:00.000Z',
      })
      expect(JSON.stringify(stored).includes(first.token)).toBe(false)
    })

    test('are rotated and revoked, each time with another version', async (openNew) => {
      const { tokens } = await openNew()
      const before = await tokens.create('local', { scope: { readOnly: true } })
      const other = await tokens.create('ci')
      const versions = new Set([await tokens.version()])
      const after = await tokens.rotate([before.id])
      expect(after?.token === before.token).toBe(false)
      expect(after?.scope).toEqual({ readOnly: true })
      expect((await tokens.load()).map(({ hash }) => hash)).toEqual([other.hash, after?.hash])
      expect(versions.add(await tokens.version()).size).toBe(2)
      const third = await tokens.rotate([after!.id], { overlapMs: 60_000 })
      expect(versions.add(await tokens.version()).size).toBe(3)
      const [, ending] = await tokens.load()
      expect(ending?.hash).toBe(after?.hash)
      expect(Date.parse(ending!.expiresAt!) <= Date.now() + 60_000).toBe(true)
      expect((await tokens.revoke([third!.id, after!.id])).length).toBe(2)
      expect((await tokens.load()).map(({ hash }) => hash)).toEqual([other.hash])
      expect(versions.add(await tokens.version()).size).toBe(4)
      expect(await tokens.rotate([before.id])).toBeUndefined()
      expect(await tokens.revoke([before.id])).toEqual([])
      expect(versions.add(await tokens.version()).size).toBe(4)
    })

    test('have a last use, which changes no version and goes with its token', async (openNew) => {
      const { tokens } = await openNew()
      const [one, two] = [await tokens.create('ada'), await tokens.create('bob')]
      const version = await tokens.version()
      expect(await tokens.lastUses()).toEqual({})
      await tokens.noteUses({ [one.id]: '2026-01-02T00:00:00.000Z', [two.id]: '2026-01-01T00:00:00.000Z', other: 'x' })
      await tokens.noteUses({ [one.id]: '2026-01-01T00:00:00.000Z' })
      const uses = { [one.id]: '2026-01-02T00:00:00.000Z', [two.id]: '2026-01-01T00:00:00.000Z' }
      expect(await tokens.lastUses()).toEqual(uses)
      expect(await tokens.version()).toEqual(version)
      await tokens.revoke([two.id])
      await tokens.noteUses({ [two.id]: '2026-01-03T00:00:00.000Z' })
      expect(await tokens.lastUses()).toEqual({ [one.id]: '2026-01-02T00:00:00.000Z' })
    })

    test('that are created at the same time are all kept, and one that is added twice is refused', async (openNew) => {
      const { tokens } = await openNew()
      const made = await Promise.all(Array.from({ length: 20 }, (_, index) => tokens.create(`caller-${index % 4}`)))
      const known = await tokens.load()
      expect(known.map(({ hash }) => hash).sort()).toEqual(made.map(({ hash }) => hash).sort())
      await expect(tokens.add(known[0]!)).toRejectWith('exists_already')
    })
  })

  describe('trusted files', (test) => {
    test('are replaced and removed by their path', async (openNew) => {
      const { trust } = await openNew()
      expect(await trust.load()).toEqual([])
      expect(await trust.remove('/a')).toBe(false)
      await trust.add(toTrusted('/a'))
      await trust.add(toTrusted('/b'))
      await trust.add(toTrusted('/a', 'sha256:2'))
      expect(await trust.load()).toEqual([toTrusted('/b'), toTrusted('/a', 'sha256:2')])
      expect(await trust.remove('/b')).toBe(true)
      expect(await trust.load()).toEqual([toTrusted('/a', 'sha256:2')])
    })

    test('that are added at the same time are all kept', async (openNew) => {
      const { trust } = await openNew()
      await Promise.all(Array.from({ length: 20 }, (_, index) => trust.add(toTrusted(`/${index}`))))
      expect(await trust.load()).toHaveLength(20)
    })
  })

  describe('the lock', (test) => {
    test('is absent at first, and then the text that was stored last', async (openNew) => {
      const { lock } = await openNew()
      expect(await lock.load()).toBeUndefined()
      for (const [before, text] of [
        [undefined, '{}'],
        ['{}', 'it\'s "so" \u2028 🙂\n'],
      ] as const) {
        await lock.change((found) => {
          expect(found).toBe(before)
          return text
        })
        expect(await lock.load()).toBe(text)
      }
    })

    test('stays as it is if a change throws', async (openNew) => {
      const { lock } = await openNew()
      await lock.change(() => 'first')
      const refused = Object.assign(new Error('no'), { code: 'refused' })
      const change = lock.change(() => {
        throw refused
      })
      await expect(change).toRejectWith('refused')
      expect(await lock.load()).toBe('first')
    })

    test('loses none of the changes that are made at the same time', async (openNew) => {
      const { lock } = await openNew()
      const lines = Array.from({ length: 20 }, (_, index) => `${index}`)
      await Promise.all(lines.map((line) => lock.change((text = '') => `${text}${line}\n`)))
      expect((await lock.load())!.trimEnd().split('\n').sort()).toEqual(lines.sort())
    })

    test('reports changes while it is watched', async (openNew) => {
      const { lock } = await openNew()
      let stop = () => {}
      const changed = new Promise<void>((resolve) => {
        stop = lock.watch(resolve)
      })
      await lock.change(() => 'text')
      await changed
      stop()
    })
  })
}

export function toRule(id: string, more: Partial<Rule> = {}): Rule {
  return {
    id,
    tool: 'notes.write',
    pattern: '\\{"path":"a"\\}',
    action: 'allow',
    scope: 'everywhere',
    createdBy: 'Ada',
    createdAt: '2026-01-02T03:04:05.678Z',
    ...more,
  } as Rule
}

export function toTrusted(path: string, digest = 'sha256:1') {
  return { path, digest, trustedBy: 'ada', trustedAt: '2026-01-02T03:04:05.678Z' }
}
