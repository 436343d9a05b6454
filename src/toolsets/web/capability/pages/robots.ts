/** The rules of a robots.txt for one robot. */
export interface Robots {
  /** Whether it may fetch a path, with its query. */
  allows(path: string): boolean
}

const maxRules = 5000
const maxPattern = 2000
const maxStars = 20

/**
 * Parses a robots.txt according to RFC 9309: the groups that name the robot, otherwise those for all. The longest
 * matching rule decides; if two have the same length, `allow` does.
 */
export function readRobots(text: string, robot: string): Robots {
  const rules = pickRules(text.replace(/^\ufeff/, ''), robot.toLowerCase())
  return {
    allows(path) {
      if (path === '/robots.txt') return true
      const target = normalise(path)
      let best: Rule | undefined
      for (const rule of rules) {
        const isLonger = !best || rule.length > best.length || (rule.length === best.length && rule.allow)
        if (isLonger && fits(rule, target)) best = rule
      }
      return best?.allow ?? true
    },
  }
}

interface Rule {
  readonly allow: boolean
  readonly length: number
  readonly parts: readonly string[]
  /** Whether the rule ends with `$`. */
  readonly whole: boolean
}

function pickRules(text: string, robot: string): Rule[] {
  const own: Rule[] = []
  const all: Rule[] = []
  let named = false
  let targets: Rule[][] = []
  let naming = false
  for (const line of text.split(/\r\n|\r|\n/)) {
    const [, key = '', value = ''] = /^[ \t]*([a-z-]{1,30})[ \t]*:([^#]*)/i.exec(line) ?? []
    const field = key.toLowerCase()
    if (field === 'user-agent') {
      if (!naming) targets = []
      naming = true
      const token = value.trim().toLowerCase()
      if (token === '*') targets.push(all)
      else if (token === robot) {
        named = true
        targets.push(own)
      }
    } else if (field === 'allow' || field === 'disallow') {
      naming = false
      const rule = toRule(value.trim(), field === 'allow')
      if (rule) for (const target of new Set(targets)) if (target.length < maxRules) target.push(rule)
    }
  }
  return named ? own : all
}

/** Empty rules are ignored. */
function toRule(pattern: string, allow: boolean): Rule | undefined {
  if (pattern === '' || pattern.length > maxPattern) return undefined
  const whole = pattern.endsWith('$')
  const parts = normalise(whole ? pattern.slice(0, -1) : pattern).split(/\*+/)
  return parts.length > maxStars ? undefined : { allow, length: pattern.length, parts, whole }
}

/** Finds each part after the previous one. The leftmost match is always sufficient. */
function fits({ parts, whole }: Rule, path: string): boolean {
  const [first = '', ...rest] = parts
  if (!path.startsWith(first)) return false
  let at = first.length
  for (const [index, part] of rest.entries()) {
    if (whole && index === rest.length - 1) return path.length - part.length >= at && path.endsWith(part)
    const found = path.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return !whole || at === path.length
}

/** Normalizes a path: unreserved characters as they are, all others percent-encoded. */
function normalise(path: string): string {
  return encodeURI(path.toWellFormed())
    .replace(/%25([0-9a-f]{2})/gi, '%$1')
    .replace(/%[0-9a-f]{2}/gi, (byte) => {
      const character = String.fromCharCode(Number.parseInt(byte.slice(1), 16))
      return /[\w.~-]/.test(character) ? character : byte.toUpperCase()
    })
}
