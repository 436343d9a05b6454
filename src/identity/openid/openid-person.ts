import { isObject, type JsonObject, type JsonValue } from '../../contract/json.ts'
import { principalLimits } from '../../contract/principal.ts'
import { findHidden } from '../../contract/text/hidden-characters.ts'
import { OAuthError } from '../oauth/oauth-error.ts'

/** Someone who signed in at an issuer. `issuer` and `subject` identify them; the name is what the ledger records. */
export interface OpenIdPerson {
  readonly name: string
  readonly issuer: string
  readonly subject: string
  readonly groups: readonly string[]
}

interface Claims {
  readonly issuer: string
  readonly nameClaim: string
  readonly groupsClaim: string
}

/** The person that the claims of an ID token describe. */
export function toOpenIdPerson(claims: JsonObject, { issuer, nameClaim, groupsClaim }: Claims): OpenIdPerson {
  const name = readClaim(claims, nameClaim)
  if (typeof name !== 'string' || name.trim() === '')
    throw new OAuthError(`The issuer ${issuer} sent no claim ${nameClaim}, which names people here. Set "nameClaim" of http.signIn to a claim that it sends, such as email or sub, or its scope under "scopes".`) // biome-ignore format: one line
  if (name.length > principalLimits.nameCharacters || findHidden(name, 'prose') !== undefined)
    throw new OAuthError(`The claim ${nameClaim} of the issuer ${issuer} is no name: it is too long, or has characters that cannot be seen.`) // biome-ignore format: one line
  // An address that nobody confirmed can be that of somebody else.
  if (nameClaim === 'email' && claims.email_verified !== true)
    throw new OAuthError(`The issuer ${issuer} does not say that the address ${name} is verified. Set "nameClaim" of http.signIn to another claim, such as preferred_username or sub.`) // biome-ignore format: one line
  return { name: name.trim(), issuer, subject: claims.sub as string, groups: toGroups(readClaim(claims, groupsClaim)) }
}

/** A claim by its name; with dots, a member of an object: `realm_access.roles`. */
function readClaim(claims: JsonObject, name: string): JsonValue | undefined {
  if (Object.hasOwn(claims, name)) return claims[name]
  let value: JsonValue | undefined = claims
  for (const part of name.split('.')) value = isObject(value) && Object.hasOwn(value, part) ? value[part] : undefined
  return value
}

function toGroups(value: JsonValue | undefined): readonly string[] {
  const all = Array.isArray(value) ? value : [value]
  const named = all.filter(
    (group) => typeof group === 'string' && group !== '' && group.length <= principalLimits.nameCharacters,
  )
  return [...new Set(named as string[])].slice(0, principalLimits.groups)
}
