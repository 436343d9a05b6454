const fits = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/
const longest = 64

export function isServerName(name: string): boolean {
  return fits.test(name)
}

/** A valid, unused name close to the given one. */
export function toServerName(given: string, isTaken: (name: string) => boolean): string {
  const name = isServerName(given) ? given : makeFit(given)
  if (!isTaken(name)) return name
  for (let count = 2; ; count++) {
    const end = `-${count}`
    const next = `${name.slice(0, longest - end.length)}${end}`
    if (!isTaken(next)) return next
  }
}

/** `@scope/My server` becomes `scope-My-server`. */
function makeFit(given: string): string {
  const plain = given
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^-+|-+$/g, '')
  const started = /^[A-Za-z]/.test(plain) ? plain : `server${plain === '' ? '' : `-${plain.replace(/^[-_]+/, '')}`}`
  return started.slice(0, longest).replace(/-+$/, '')
}
