import type { Rule } from '../../../contract/rule.ts'
import { ToolpactError } from '../../../contract/toolpact-error.ts'
import type { OperatorState, TrustedFile } from '../operator-state.ts'
import { createTokenStore, type Token, type TokenUses } from '../tokens.ts'

/** Keeps what operators decide in memory. */
export function openMemoryState(): OperatorState {
  return { rules: openRules(), tokens: openTokens(), trust: openTrust(), lock: openLock() }
}

function openRules(): OperatorState['rules'] {
  let rules: readonly Rule[] = []
  let changes = 0

  function change(next: readonly Rule[]) {
    rules = next
    changes += 1
  }

  const has = (id: string) => rules.some((rule) => rule.id === id)

  function edit(id: string, make: (rule: Rule) => Rule): boolean {
    const found = has(id)
    if (found) change(rules.map((rule) => (rule.id === id ? make(rule) : rule)))
    return found
  }

  return {
    version: () => (changes === 0 ? undefined : `${changes}`),
    load: async () => structuredClone([...rules]),
    async add(rule) {
      if (has(rule.id)) throw new ToolpactError('exists_already', `There is a rule ${rule.id} already.`)
      change([...rules, structuredClone(rule)])
    },
    async remove(id) {
      const found = has(id)
      if (found) change(rules.filter((rule) => rule.id !== id))
      return found
    },
    setDisabled: async (id, disabled) => edit(id, (rule) => withDisabled(rule, disabled)),
    expire: async (id, expiresAt) => edit(id, (rule) => ({ ...rule, expiresAt })),
    repair: async () => ({}),
  }
}

function withDisabled({ disabled: _, ...rule }: Rule, disabled: boolean): Rule {
  return disabled ? { ...rule, disabled } : rule
}

function openTokens(): OperatorState['tokens'] {
  let tokens: readonly Token[] = []
  let uses: TokenUses = {}
  let changes = 0
  return createTokenStore({
    location: 'memory',
    version: () => (changes === 0 ? undefined : `${changes}`),
    load: async () => structuredClone([...tokens]),
    async change(make) {
      const next = make(tokens)
      if (next === tokens) return
      tokens = structuredClone(next)
      changes += 1
    },
    lastUses: async () => ({ ...uses }),
    async changeUses(make) {
      uses = make(uses)
    },
  })
}

function openTrust(): OperatorState['trust'] {
  const trusted = new Map<string, TrustedFile>()
  return {
    load: async () => structuredClone([...trusted.values()]),
    async add(file) {
      // Last in the list, as if it were new.
      trusted.delete(file.path)
      trusted.set(file.path, structuredClone(file))
    },
    remove: async (path) => trusted.delete(path),
  }
}

function openLock(): OperatorState['lock'] {
  const listeners = new Set<() => void>()
  let text: string | undefined
  return {
    location: 'memory',
    load: async () => text,
    async change(make) {
      const next = make(text)
      if (next === text) return
      text = next
      for (const listener of listeners) listener()
    },
    watch(onChange) {
      const listener = () => onChange()
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
