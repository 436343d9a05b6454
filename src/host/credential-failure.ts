/**
 * Guesses from an error message whether a credential is missing or rejected, so that retrying cannot help. The result only
 * selects the advice. Bare numbers ("line 401") and other mentions of keys do not match.
 */
export function isAboutCredentials(words: string): boolean {
  return patterns.some((pattern) => pattern.test(words))
}

/** Models read this, so it quotes nothing from the server. */
export function toCredentialAdvice(server: string): string {
  const where = `"env" or "headers" of the server ${server} in toolpact.json`
  return `Do not repeat the call: the server lacks a valid credential. The operator must set it in ${where}. To check it: toolpact mcp inspect ${server}`
}

const credential = String.raw`(?:api|access|auth\w*|bearer|secret|personal access|oauth)[ _-]?(?:keys?|tokens?)|credentials?`
const absent = String.raw`(?:missing|required|invalid|incorrect|expired|revoked|rejected|undefined|empty|not (?:set|provided|configured|found|valid|defined|accepted)|must be (?:set|provided)|(?:is|are) (?:not|un)\w*)`
const variable = `[A-Z][A-Z0-9]*_(?:[A-Z0-9]+_)*(?:KEY|TOKEN|SECRET|PASSWORD|PAT|CREDENTIALS)`

const patterns = [
  /\b(?:http|status)(?: (?:code|error))?[ :/=]{0,3}(?:401|403)\b/i,
  /\b(?:401|403)[ :,-]{1,3}(?:unauthori[sz]ed|forbidden|bad credentials)/i,
  /\bunauthori[sz]ed\b|\bunauthenticated\b|\bnot (?:authenticated|logged in)\b/i,
  /\bauthentication (?:failed|required|error)\b|\bbad credentials\b/i,
  new RegExp(
    String.raw`\b(?:missing|invalid|incorrect|expired|provide an?|set (?:an?|the|your))\b.{0,20}\b(?:${credential})\b`,
    'i',
  ),
  new RegExp(String.raw`\b(?:${credential})\b.{0,20}\b${absent}\b`, 'i'),
  new RegExp(String.raw`\b${variable}\b.{0,40}\b${absent}\b`),
  new RegExp(String.raw`\b(?:[Mm]issing|[Ss]et|[Pp]rovide|[Rr]equires?)\b.{0,40}\b${variable}\b`),
  new RegExp(
    String.raw`\benvironment variables?\b.{0,60}\b${absent}\b|\b(?:missing|set)\b.{0,40}\benvironment variables?\b`,
    'i',
  ),
]
