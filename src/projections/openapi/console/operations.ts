/** A route of the console's API, for its document. */
export interface ConsoleOperation {
  /** The method and the path below `/console/api/`. */
  readonly route: `${'GET' | 'POST'} ${string}`
  readonly summary: string
  /** Absent: everyone who is signed in. */
  readonly right?: 'view' | 'approve' | 'manage'
  /** Query parameters, and what they mean. */
  readonly query?: { readonly [name: string]: string }
  /** Names of schemas. Without a response: 204. */
  readonly body?: string
  readonly response?: string
}

const call = { text: 'words of the redacted input', limit: 'the number of rows' }

/** Every route of the console's API. A test compares it with what is served. */
export const consoleOperations: readonly ConsoleOperation[] = [
  { route: 'GET session', summary: 'Who is signed in, and where', response: 'Session' },
  { route: 'POST sign-out', summary: 'End the session of this browser' },
  {
    route: 'GET sessions',
    summary: 'Where people are signed in: all of them for those who may manage, else their own',
    right: 'view',
    response: 'SessionList',
  },
  {
    route: 'POST sessions/end',
    summary: 'End sessions',
    right: 'view',
    body: 'EndSessionsRequest',
    response: 'ActionResponse',
  },
  { route: 'GET stream', summary: 'Events as they happen, as server-sent events', right: 'view' },
  { route: 'GET openapi.json', summary: 'This document', right: 'view' },
  { route: 'GET overview', summary: 'Counts and states beside the navigation', right: 'view', response: 'Overview' },
  { route: 'GET clients', summary: 'How to connect clients', right: 'view', response: 'ClientList' },
  {
    route: 'POST clients/token',
    summary: 'Create a token for a client, which is shown this once',
    right: 'manage',
    body: 'CreateTokenRequest',
    response: 'CreateTokenResponse',
  },
  { route: 'GET questions', summary: 'Calls that wait for a person', right: 'view', response: 'QuestionList' },
  { route: 'GET questions/{id}', summary: 'What a call would do', right: 'view', response: 'QuestionDetail' },
  {
    route: 'POST questions/answer',
    summary: 'Approve or deny calls',
    right: 'approve',
    body: 'AnswerRequest',
    response: 'AnswerResponse',
  },
  {
    route: 'GET calls',
    summary: 'Calls in the ledger, newest first',
    right: 'view',
    query: {
      ...call,
      tool: 'the id of the tool',
      caller: 'the name of the caller',
      outcome: 'a state or an error code',
      since: 'calls that began at this time or later',
      until: 'calls that began before this time',
      before: 'calls before this position',
    },
    response: 'CallPage',
  },
  { route: 'GET calls/{id}', summary: 'The story of a call or an agent run', right: 'view', response: 'CallStory' },
  {
    route: 'GET calls/{id}/evidence',
    summary: 'What a tool that broke its contract really returned',
    right: 'view',
    response: 'EvidenceResponse',
  },
  { route: 'GET calls/{id}/seal', summary: 'Whether a call is sealed', right: 'view', response: 'SealResponse' },
  { route: 'GET calls/{id}/proof', summary: 'The proof file of a call', right: 'view', response: 'ProofResponse' },
  { route: 'GET ledger/key', summary: 'The key that signs checkpoints', right: 'view', response: 'KeyResponse' },
  { route: 'POST ledger/verify', summary: 'Verify the ledger', right: 'view', response: 'VerifyResponse' },
  {
    route: 'GET runs',
    summary: 'Runs of workflows, newest first',
    right: 'view',
    query: {
      state: 'running, waiting, needs_person, completed, failed or cancelled',
      workflow: 'the id of the workflow',
      caller: 'the name of the caller',
      after: '`next` of the previous page',
      limit: call.limit,
    },
    response: 'RunPage',
  },
  { route: 'GET runs/{id}', summary: 'A run and its steps', right: 'view', response: 'RunDetail' },
  {
    route: 'GET runs/{id}/output',
    summary: 'What a run, or a step of it, returned',
    right: 'view',
    query: { step: 'the key of the step' },
    response: 'RunOutput',
  },
  { route: 'POST runs/{id}/cancel', summary: 'End a run', right: 'approve', response: 'ActionResponse' },
  {
    route: 'POST runs/{id}/retry',
    summary: 'Run a failed run again from its failed step',
    right: 'manage',
    response: 'ActionResponse',
  },
  {
    route: 'POST runs/{id}/resume',
    summary: 'Say what became of an interrupted step',
    right: 'approve',
    body: 'ResumeRequest',
    response: 'ActionResponse',
  },
  { route: 'GET servers', summary: 'MCP servers', right: 'view', response: 'ServerList' },
  { route: 'GET servers/{name}', summary: 'An MCP server and its tools', right: 'view', response: 'ServerDetail' },
  { route: 'POST servers/{name}/restart', summary: 'Restart a server', right: 'manage', response: 'ActionResponse' },
  {
    route: 'POST servers/{name}/adopt',
    summary: 'Decide about the tools of a server',
    right: 'manage',
    body: 'AdoptRequest',
    response: 'ActionResponse',
  },
  {
    route: 'POST servers/propose',
    summary: 'Start servers once, confined, and propose what they may touch',
    right: 'manage',
    body: 'AddServersRequest',
    response: 'ProposeServersResponse',
  },
  {
    route: 'POST servers/add',
    summary: 'Add servers from a command line, a URL or a document',
    right: 'manage',
    body: 'AddServersRequest',
    response: 'AddServersResponse',
  },
  { route: 'GET connections', summary: 'Your connections to servers', response: 'ConnectionList' },
  {
    route: 'GET connections/{server}',
    summary: 'What connecting to a server would do',
    query: { for: 'the caller, as a link names it', scope: 'scopes that a call lacked' },
    response: 'ConnectOffer',
  },
  {
    route: 'POST connections/{server}/begin',
    summary: 'Begin to log in to a server',
    body: 'ConnectRequest',
    response: 'ConnectResponse',
  },
  {
    route: 'POST connected',
    summary: 'Finish a login with what its issuer answered',
    body: 'ConnectedRequest',
    response: 'ConnectedResponse',
  },
  { route: 'POST connections/{server}/remove', summary: 'Log out of a server', response: 'ActionResponse' },
  { route: 'GET lock', summary: 'What differs from the accepted tools', right: 'view', response: 'LockResponse' },
  {
    route: 'POST lock/decide',
    summary: 'Accept or refuse a change',
    right: 'manage',
    body: 'LockDecision',
    response: 'ActionResponse',
  },
  {
    route: 'GET tools',
    summary: 'The tools',
    right: 'view',
    query: { text: 'words to search for', toolset: 'the name of a toolset', offset: 'rows to skip', limit: call.limit },
    response: 'ToolPage',
  },
  { route: 'GET tools/{id}', summary: 'A tool, its contract and its calls', right: 'view', response: 'ToolDetail' },
  {
    route: 'POST tools/{id}/foresee',
    summary: 'What would happen to a call',
    right: 'view',
    body: 'TryRequest',
    response: 'ForeseeResponse',
  },
  {
    route: 'POST tools/{id}/call',
    summary: 'Call a tool as this person',
    right: 'manage',
    body: 'TryRequest',
    response: 'TryResponse',
  },
  { route: 'GET rules', summary: 'The rules', right: 'view', response: 'RuleList' },
  {
    route: 'POST rules/create',
    summary: 'Add a rule',
    right: 'manage',
    body: 'RuleInput',
    response: 'ActionResponse',
  },
  {
    route: 'POST rules/{id}/change',
    summary: 'Disable, enable, expire or remove a rule',
    right: 'manage',
    body: 'RuleChange',
    response: 'ActionResponse',
  },
  {
    route: 'POST rules/preview',
    summary: 'What a rule would have decided',
    right: 'view',
    body: 'RuleInput',
    response: 'RulePreview',
  },
  {
    route: 'POST rules/simulate',
    summary: 'Which calls a change of the rules would decide differently',
    right: 'view',
    body: 'SimulateRequest',
    response: 'SimulateResponse',
  },
  {
    route: 'GET plots',
    summary: 'Statistics of calls',
    right: 'view',
    query: { range: '1h, 24h, 7d or 30d' },
    response: 'PlotData',
  },
]
