/**
 * The programs that tests run as processes, and the modules that scripts in tests import, with their sources. From
 * sources they take five times as long to start, so test/setup/bundle-programs.ts bundles all of them before the tests;
 * `entries` of test/helpers/run-command.ts says where they are.
 */
export const programs = {
  /** The command itself. */
  toolpact: 'src/cli/toolpact.ts',
  /** The library, for programs that import the package. */
  library: 'src/index.ts',
  'ai-sdk': 'src/surfaces/function-calling/ai-sdk.ts',
  langchain: 'src/surfaces/function-calling/langchain.ts',
  'openai-agents': 'src/surfaces/function-calling/openai-agents.ts',
  /** The command with misbehaving tools. */
  odd: 'test/processes/odd-command.ts',
  /** Command lines at a terminal. */
  terminal: 'test/processes/terminal-process.ts',
  /** Many command lines in one process. */
  commands: 'test/processes/command-process.ts',
  /** The command with the toolset that the conformance suite expects. */
  conformance: 'test/conformance/serve.ts',
  conformanceClient: 'test/conformance/client.ts',
  conformancePlain: 'test/conformance/plain-fixture.ts',
  /** The conformance suites of MCP. */
  suite2025: 'node_modules/conformance-2025/dist/index.js',
  suite2026: 'node_modules/conformance-2026/dist/index.js',
  asking: 'test/upstream-servers/asking.ts',
  offering: 'test/upstream-servers/offering.ts',
  changeling: 'test/upstream-servers/changeling.ts',
  hostile: 'test/upstream-servers/hostile.ts',
  hostileOffers: 'test/upstream-servers/hostile-offers.ts',
  hostileSchemas: 'test/processes/hostile-schemas-process.ts',
  hostileParent: 'test/upstream-servers/parent.ts',
  sdkServer: 'test/upstream-servers/sdk-server.ts',
  append: 'test/processes/append-process.ts',
  hostHeap: 'test/processes/host-heap-process.ts',
  lock: 'test/processes/lock-process.ts',
  pipelineKill: 'test/processes/pipeline-kill-process.ts',
  pipelineQuiet: 'test/processes/pipeline-quiet-process.ts',
  restKill: 'test/processes/rest-kill-process.ts',
  rules: 'test/processes/rules-process.ts',
  serve: 'test/processes/serve-process.ts',
  storage: 'test/processes/storage-process.ts',
  workflow: 'test/processes/workflow-process.ts',
  workflowPoint: 'test/processes/workflow-point-process.ts',
  files: 'src/capabilities/files.ts',
  workspace: 'test/helpers/open-workspace.ts',
  /** A fake mlx_lm.server with its quirks. */
  modelServer: 'test/processes/model-server.ts',
}
