/** The tests of a row: file and title, or a literal part of the title. */
type Row = readonly (readonly [file: string, title: string])[]

const here = 'test/documents/failure-matrix.test.ts'
const incidents = 'test/e2e/incidents.test.ts'

/** Observed failures of gateways. */
export const matrixRows: { readonly [row: string]: Row } = {
  'input violates the schema': [
    [here, 'input that violates the schema is refused here'],
    ['src/host/to-tool.test.ts', 'input that breaks the contract is never sent'],
  ],
  'output violates the schema': [
    [here, '%s reaches nobody'],
    [here, 'output that violates the schema'],
    ['src/host/to-tool.test.ts', 'output that breaks the contract is withheld, and people get the whole answer'],
  ],
  'output schema, but no structured output': [[here, 'an output schema, but no structured output']],
  'valid structured output beside poisoned text': [[here, 'poisoned text beside valid structured output is dropped']],
  'error result with violating output': [[here, 'an error result with violating output']],
  'no output schema; 8 MB result': [
    [
      here,
      'without an output schema a tool is withheld, or quoted where the operator says so, and 8 MB do not pass a limit of 1 MB',
    ],
  ],
  'same tool name on two servers': [
    [here, 'the same tool name on two servers is two tools'],
    [
      'src/host/open-upstreams.test.ts',
      'of two indistinguishable names, that of the first server in the config wins, whichever is ready first',
    ],
  ],
  'upstream crashes, later calls': [[here, 'an upstream that crashes is started again, and its tools stay']],
  'description turned malicious after start': [
    [here, 'a description that turned malicious after the start is never served'],
  ],
  'forged Host or Origin': [[here, 'a forged Host or Origin is refused']],
}

/** Published incidents by name. */
export const incidentRows: { readonly [row: string]: Row } = {
  'tool poisoning, CVE-2025-54135': [
    [incidents, 'tool poisoning, CVE-2025-54135: hidden characters anywhere withhold the tool, with the reason'],
    ['src/contract/text/hidden-characters.test.ts', 'checks every string and key at any depth, and names must not contain line breaks'], // biome-ignore format: one line
    [
      'test/e2e/admission.test.ts',
      'of the poisoned variants at least 95 of 100 are flagged, and every signal finds some',
    ],
  ],
  'rug pull, CVE-2025-54136': [
    [here, 'a description that turned malicious after the start is never served'],
    ['src/host/upstream-changes.test.ts', 'during a session is withheld, and the other tools keep working'],
    ['src/host/upstream-changes.test.ts', 'at a reconnect does not run, not even for the call that waited'],
    ['src/host/upstream-changes.test.ts', 'a change that no server announces is not served, and is found when the list has grown old'], // biome-ignore format: one line
    ['src/host/upstream-changes.test.ts', 'runs as it was accepted, and a review is open'],
    ['src/host/upstream-changes.test.ts', 'changes are reported to people, part by part'],
    ['test/e2e/cli-lock.test.ts', 'a server is pinned, checked, withheld when it changes and accepted by its digest'],
  ],
  'CVE-2026-42271': [
    [incidents, 'CVE-2026-42271: no request makes a command run or changes which servers there are'],
    ['src/host/connect/stdio/open-stdio.test.ts', 'the arguments of a command are not parsed by a shell'],
  ],
  'CVE-2025-64443, CVE-2025-66414, CVE-2025-49596': [
    [here, 'a forged Host or Origin is refused'],
    ['src/surfaces/http/routes.test.ts', 'every route answers 403 to a foreign Host and to a foreign Origin, credentials or not'], // biome-ignore format: one line
  ],
  'CVE-2026-25536': [
    [incidents, 'CVE-2026-25536: 64 clients with the same ids, one upstream, each gets its own answer'],
    ['src/surfaces/mcp/http.test.ts', '64 clients with the same ids each get their own answer'],
  ],
  'CVE-2026-0621': [
    [incidents, 'CVE-2026-0621: 50 kB against a foreign pattern are answered'],
    ['src/host/admit.test.ts', 'CVE-2026-0621: a foreign pattern takes bounded time on an adversarial string'],
  ],
  'CVE-2026-27896': [
    [incidents, 'CVE-2026-27896: a key that occurs twice, or in another case, is refused'],
    ['src/protocol/message.test.ts', 'keys that are there twice, or differ from ours in case alone, are refused'],
    ['src/host/connect/stdio/open-stdio.test.ts', 'an answer that is not a message fails its call: %s'],
  ],
  'CVE-2025-6514': [
    [incidents, 'CVE-2025-6514: an upstream that demands a sign-in at a hostile address gets nothing opened'],
  ],
  'CVE-2026-26118, CVE-2026-45609': [
    [incidents, 'CVE-2026-26118, CVE-2026-45609: no address that an upstream names is visited'],
    ['src/host/connect/http/odd-servers.test.ts', 'a redirect is not followed: %i'],
    ['src/capabilities/web/address.test.ts', 'that changes between check and connection is not reached'],
  ],
  'CVE-2025-53109, CVE-2025-53110': [
    ['src/capabilities/files/escape.test.ts', '%s refuses every path that leads out'],
    [
      'src/capabilities/files/swap.test.ts',
      'while a parent is swapped for a link, not a byte outside is read or written',
    ],
    ['src/policy/path.test.ts', 'a sibling with the same beginning is not inside'],
  ],
  'postmark-mcp': [
    ['src/host/lock/compare-with-lock.test.ts', 'another content under the same version withholds every tool'],
    ['src/host/lock/to-identity.test.ts', 'the integrity is what npm recorded where the package is installed, else where npx keeps it'], // biome-ignore format: one line
    [incidents, 'postmark-mcp: the docs say what a lock cannot catch'],
  ],
  '2026-07-28 headers': [
    [incidents, '2026-07-28: headers that disagree with the body are refused, and nothing is sent on'],
    ['src/surfaces/mcp/http.test.ts', '2026-07-28: the header %s that says %j is refused, and nothing runs'],
  ],
}
