import type { JsonObject } from '../../../contract/json.ts'
import { connectionResponses } from './connection-responses.ts'
import { anyObject, anything, flag, list, map, number, oneOf, orNull, shape, text, time, whole } from './shapes.ts'

const counts = list(whole)
const spent = list(orNull(number))

const diffLine = shape({ kind: oneOf('same', 'added', 'removed', 'gap'), text })

const fileChange = shape({
  path: text,
  kind: oneOf('new', 'edit', 'removal'),
  added: whole,
  removed: whole,
  lines: list(diffLine),
  omitted: whole,
})

const callRow = shape({
  seq: whole,
  callId: text,
  at: time,
  tool: text,
  caller: orNull(text),
  state: oneOf('succeeded', 'failed', 'refused', 'interrupted', 'running'),
  code: orNull(text),
  durationMs: orNull(number),
  checks: map(oneOf('passed', 'failed', 'not_needed', 'begun')),
  isRun: flag,
  isViolation: flag,
  inputText: text,
  approvedBy: orNull(text),
})

const questionRow = {
  id: text,
  tool: text,
  risk: text,
  caller: text,
  target: text,
  workspace: text,
  askedAt: time,
  expiresAt: time,
  isAwaited: flag,
  approvedBy: list(text),
  peopleNeeded: whole,
  'refusal?': text,
}

const toolRow = {
  id: text,
  title: text,
  description: text,
  toolset: text,
  isUpstream: flag,
  risk: text,
  approval: text,
  status: text,
  tokens: whole,
}

const problem = shape({ pointer: text, message: text })

const serverRow = {
  name: text,
  state: oneOf('idle', 'installing', 'starting', 'ready', 'failed', 'stopped'),
  'fault?': text,
  offered: text,
  admitted: whole,
  withheld: whole,
  prompts: whole,
  resources: whole,
  flagged: whole,
  reviews: whole,
  restarts: whole,
  startedInMs: orNull(number),
  pingMs: orNull(number),
  address: text,
  isolation: text,
}

const lockedTool = shape({
  name: text,
  state: oneOf('same', 'kept', 'differs', 'new', 'gone', 'refused'),
  'drift?': text,
  'digest?': text,
  changes: list(shape({ severity: text, message: text })),
  'before?': anyObject,
  'after?': anyObject,
  words: list(diffLine),
  schema: list(diffLine),
  flags: list(text),
  calledBy: list(shape({ caller: text, calls: whole })),
  'refusedBy?': text,
})

const action = oneOf('allow', 'ask', 'deny')

const runRow = {
  id: text,
  workflow: text,
  caller: text,
  state: oneOf('running', 'waiting', 'needs_person', 'completed', 'failed', 'cancelled'),
  createdAt: time,
  updatedAt: time,
  done: whole,
  total: whole,
}

const stepOfRun = shape({ id: text, step: text })

const principal = shape({ 'via?': text, 'issuer?': text, 'subject?': text, 'groups?': list(text) })

const stepError = shape({ code: text, message: text, 'suggestion?': text })

const runStep = {
  key: text,
  after: list(text),
  'tool?': text,
  state: oneOf('pending', 'running', 'waiting', 'interrupted', 'done', 'failed', 'skipped'),
  'startedAt?': time,
  'endedAt?': time,
  'callId?': text,
  'questionId?': text,
  'wakesAt?': time,
  'outputBytes?': whole,
  'error?': stepError,
  'known?': shape({ intended: flag, message: text }),
}

/** The responses of the console's API, as `src/surfaces/console/api` declares them. A test compares both with real ones. */
export const consoleResponses: { readonly [name: string]: JsonObject } = {
  Session: shape({
    person: text,
    rights: list(oneOf('connect', 'view', 'approve', 'manage')),
    version: text,
    workspace: text,
    url: text,
  }),
  SessionList: shape({
    sessions: list(
      shape({
        id: text,
        person: text,
        rights: list(oneOf('connect', 'view', 'approve', 'manage')),
        issuer: orNull(text),
        browser: text,
        startedAt: orNull(time),
        seenAt: orNull(time),
        expiresAt: time,
        isThis: flag,
        isOwn: flag,
      }),
    ),
  }),
  Overview: shape({
    questions: whole,
    reviews: whole,
    runs: whole,
    servers: shape({ total: whole, ready: whole, failed: whole }),
    storage: shape({
      isWritable: flag,
      lastCommitAt: orNull(time),
      'failure?': text,
      'journal?': shape({ records: whole, since: time }),
    }),
    ledger: shape({ head: whole, 'verified?': oneOf('intact', 'broken') }),
    'seal?': shape({ size: whole, at: orNull(time), isFailing: flag }),
  }),
  ClientList: shape({
    clients: list(shape({ client: text, where: text, text, 'isCommand?': flag, 'note?': text })),
    canCreateToken: flag,
  }),
  CreateTokenResponse: shape({ id: text, caller: text, token: text }),
  QuestionList: shape({
    pending: list(shape(questionRow)),
    ended: list(shape({ id: text, tool: text, caller: text, answer: oneOf('yes', 'no', 'expired'), by: orNull(text) })),
  }),
  QuestionDetail: shape({
    ...questionRow,
    input: anyObject,
    texts: list(text),
    effects: shape({ reads: list(text), writes: list(text), fetches: list(text), runs: list(text) }),
    places: list(shape({ path: text, 'real?': text, 'exists?': flag, 'problem?': text })),
    changes: list(fileChange),
    'sandbox?': text,
    'problem?': text,
    reason: text,
    session: orNull(text),
    'principal?': principal,
    ruleFor: text,
    'run?': stepOfRun,
    contractDigest: text,
    inputDigest: text,
    description: text,
    offers: list(shape({ tool: text, pattern: text, width: text, about: text, 'short?': text })),
    sameApproved: whole,
  }),
  AnswerResponse: shape({
    answers: list(
      shape({
        id: text,
        result: oneOf('approved', 'denied', 'recorded', 'answered_before', 'expired', 'refused'),
        message: text,
        'callId?': text,
      }),
    ),
  }),
  CallPage: shape({ calls: list(callRow), before: orNull(whole), 'searched?': whole }),
  CallStory: shape({
    call: callRow,
    session: orNull(text),
    'principal?': principal,
    'run?': stepOfRun,
    hasRun: flag,
    input: anything,
    contractDigest: orNull(text),
    inputDigest: orNull(text),
    decision: orNull(shape({ action: text, rule: text, reason: text })),
    approval: orNull(shape({ answer: text, by: text, 'via?': text, 'note?': text })),
    violation: orNull(text),
    'journaled?': flag,
    hasEvidence: flag,
    entries: list(shape({ seq: whole, kind: text, at: time, hash: text })),
    'stages?': list(shape({ at: time, stage: text, passed: flag, details: anyObject, 'callId?': text })),
    'questionId?': text,
  }),
  EvidenceResponse: shape({ text }),
  SealResponse: shape({
    entries: list(shape({ seq: whole, index: whole, isSealed: flag })),
    checkpoint: orNull(shape({ size: whole, at: time })),
  }),
  ProofResponse: shape({ text }),
  KeyResponse: shape({ publicKey: text }),
  VerifyResponse: {
    anyOf: [
      shape({
        intact: oneOf(true),
        entries: whole,
        head: text,
        'archived?': whole,
        seal: orNull(
          shape({
            size: whole,
            checkpoints: whole,
            places: shape({ compared: whole, failed: whole }),
            limits: list(text),
          }),
        ),
      }),
      shape({ intact: oneOf(false), entries: whole, fault: text, reason: text }),
    ],
  },
  ToolPage: shape({
    tools: list(shape(toolRow)),
    total: whole,
    toolsets: list(shape({ name: text, tools: whole })),
  }),
  ToolDetail: shape({
    ...toolRow,
    contract: anyObject,
    contractDigest: text,
    servedAs: text,
    calls: shape({ total: whole, failed: whole, refused: whole, since: orNull(time) }),
    notes: list(text),
  }),
  ForeseeResponse: {
    anyOf: [
      shape({ valid: oneOf(false), problems: list(problem) }),
      shape({
        valid: oneOf(true),
        action,
        rule: text,
        reason: text,
        changes: list(fileChange),
        'sandbox?': text,
        'problem?': text,
        'error?': shape({ code: text, message: text, suggestion: text }),
      }),
    ],
  },
  TryResponse: shape({
    callId: text,
    success: flag,
    'output?': anything,
    'error?': shape({
      code: text,
      message: text,
      'suggestion?': text,
      'problems?': list(problem),
      'questionId?': text,
    }),
    durationMs: number,
  }),
  RunPage: shape({ runs: list(shape(runRow)), next: orNull(text) }),
  RunDetail: shape({
    ...runRow,
    contractDigest: text,
    workspace: text,
    input: anything,
    steps: list(shape({ ...runStep, 'items?': list(shape(runStep)) })),
    'outputBytes?': whole,
    'error?': stepError,
  }),
  RunOutput: shape({ output: anything }),
  ServerList: shape({ servers: list(shape(serverRow)), configPath: orNull(text) }),
  ServerDetail: shape({
    ...serverRow,
    serverInfo: shape({ 'name?': text, 'version?': text }),
    revision: orNull(text),
    'instructions?': text,
    admittedTools: list(shape({ id: text, name: text, risk: text, outputForm: text, flags: list(text) })),
    withheldTools: list(
      shape({
        name: text,
        reasons: list(shape({ code: text, message: text, fix: text })),
        'action?': oneOf('adopt', 'review', 'restart'),
      }),
    ),
    noise: list(text),
    grants: list(shape({ name: text, value: text })),
    refused: list(shape({ text, command: text })),
    'changeGrants?': text,
  }),
  ProposeServersResponse: shape({
    'confirm?': list(text),
    servers: list(
      shape({
        name: text,
        address: text,
        'offers?': list(shape({ access: oneOf('read', 'write', 'connect'), value: text, why: text, isClaim: flag })),
        'note?': text,
      }),
    ),
  }),
  AddServersResponse: shape({ added: list(text), 'confirm?': list(text), message: text }),
  ...connectionResponses,
  LockResponse: shape({
    path: text,
    exists: flag,
    servers: list(
      shape({
        name: text,
        state: oneOf('compared', 'unreachable', 'unused', 'left'),
        'fault?': text,
        identity: list(text),
        'digest?': text,
        tools: list(lockedTool),
      }),
    ),
  }),
  RuleList: shape({
    rules: list(
      shape({
        id: text,
        tool: text,
        pattern: text,
        'short?': text,
        action,
        scope: text,
        'who?': list(text),
        state: oneOf('active', 'disabled', 'expired', 'invalid'),
        problems: list(text),
        expiresAt: orNull(time),
        description: text,
        createdBy: text,
        createdAt: time,
        uses: whole,
        lastUsedAt: orNull(time),
      }),
    ),
  }),
  RulePreview: shape({
    pattern: text,
    problems: list(text),
    warnings: list(text),
    calls: whole,
    matched: whole,
    wereAllowed: whole,
    wereAsked: whole,
    wereDenied: whole,
    text,
  }),
  SimulateResponse: shape({
    calls: whole,
    skipped: whole,
    changed: list(shape({ call: callRow, before: action, after: action, rule: text })),
  }),
  ActionResponse: shape({ message: text }),
  PlotData: shape({
    range: oneOf('1h', '24h', '7d', '30d'),
    times: list(number),
    bucketMs: whole,
    outcomes: shape({ succeeded: counts, failed: counts, refused: counts }),
    tools: list(shape({ tool: text, calls: whole, p50: spent, p95: spent, p99: spent })),
    approvals: shape({ perHundred: spent, waitMs: spent }),
    violations: list(shape({ server: text, count: whole })),
    refusals: list(shape({ code: text, count: whole })),
  }),
}
