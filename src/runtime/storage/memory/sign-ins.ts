import { maxSignIns, type SignInKey, type SignIns, type StoredSignIn } from '../sign-ins.ts'

export function openMemorySignIns(mustBeOpen: () => void = () => {}): SignIns {
  const kinds = { link: new Map<string, StoredSignIn>(), session: new Map<string, StoredSignIn>() }

  function find({ kind, hash }: SignInKey, now: number): StoredSignIn | undefined {
    mustBeOpen()
    const found = kinds[kind].get(hash)
    return found && now < found.expiresAt ? found : undefined
  }

  return {
    async add(signIn, now) {
      mustBeOpen()
      const all = kinds[signIn.kind]
      for (const [hash, { expiresAt }] of all) if (expiresAt <= now) all.delete(hash)
      if (all.size >= maxSignIns) all.delete(all.keys().next().value!)
      all.set(signIn.hash, structuredClone(signIn))
    },
    find: async (key, now) => find(key, now),
    async renew(signIn, now) {
      if (!find(signIn, now)) return false
      kinds[signIn.kind].set(signIn.hash, structuredClone(signIn))
      return true
    },
    async list(kind, now) {
      mustBeOpen()
      return [...kinds[kind].values()].filter(({ expiresAt }) => now < expiresAt)
    },
    async take(key, now) {
      const found = find(key, now)
      kinds[key.kind].delete(key.hash)
      return found
    },
  }
}
