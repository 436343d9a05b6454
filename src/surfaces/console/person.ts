import type { Answerer } from '../../runtime/approval/answer-question.ts'
import { type Person, toPrincipal } from '../http/route.ts'
import type { Right } from './api/api.ts'

/** The caller whose token proves that a request comes from the owner of the state directory. No client is given it. */
export const consoleCaller = 'console'

export const allRights: readonly Right[] = ['view', 'approve', 'manage']

export function hasRight({ rights }: Person, right: Right): boolean {
  return rights.includes(right)
}

export function toAnswerer(person: Person): Answerer & { readonly via: string } {
  return { ...toPrincipal(person), person: person.name, via: 'console' }
}
