/**
 * The programs that tests run as processes, and the modules that scripts in tests import, with their sources. From
 * sources they take five times as long to start, so test/bundle-programs.ts bundles all of them before the tests;
 * `entries` of test/run-command.ts says where they are.
 */
export const programs = {
  /** The command itself. */
  toolpact: 'src/cli/toolpact.ts',
  /** The library, for programs that import the package. */
  library: 'src/index.ts',
  /** The command with tools that do what tools should not. */
  odd: 'test/odd-command.ts',
  /** Many command lines in one process. */
  commands: 'test/command-process.ts',
  /** The command with the toolset that the conformance suite expects. */
  conformance: 'test/conformance/serve.ts',
  conformanceClient: 'test/conformance/client.ts',
  conformancePlain: 'test/conformance/plain-fixture.ts',
  /** The conformance suites of MCP. */
  suite2025: 'node_modules/conformance-2025/dist/index.js',
  suite2026: 'node_modules/conformance-2026/dist/index.js',
  changeling: 'test/upstream-servers/changeling.ts',
  hostile: 'test/upstream-servers/hostile.ts',
  hostileSchemas: 'test/hostile-schemas-process.ts',
  hostileParent: 'test/upstream-servers/parent.ts',
  sdkServer: 'test/upstream-servers/sdk-server.ts',
  append: 'test/append-process.ts',
  lock: 'test/lock-process.ts',
  pipelineKill: 'test/pipeline-kill-process.ts',
  pipelineQuiet: 'test/pipeline-quiet-process.ts',
  restKill: 'test/rest-kill-process.ts',
  rules: 'test/rules-process.ts',
  serve: 'test/serve-process.ts',
  storage: 'test/storage-process.ts',
  files: 'src/capabilities/files.ts',
  workspace: 'test/open-workspace.ts',
  /** Behaves like mlx_lm.server, with its traps. */
  modelServer: 'test/model-server.ts',
}
