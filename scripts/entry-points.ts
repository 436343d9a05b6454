/**
 * The public entry points of the package. Each becomes one script and one declaration file of its name in dist/;
 * `exports` in package.json points at them.
 */
export const entryPoints = {
  index: 'src/index.ts',
  'ai-sdk': 'src/surfaces/function-calling/ai-sdk.ts',
  langchain: 'src/surfaces/function-calling/langchain.ts',
  'openai-agents': 'src/surfaces/function-calling/openai-agents.ts',
  storage: 'src/runtime/storage/engine.ts',
  'storage/suite': 'src/runtime/storage/suite/suite.ts',
}

/** Programs that the package runs as separate processes and threads, and the modules that its threads load. */
export const processes = {
  'cli/toolpact': 'src/cli/toolpact.ts',
  'processes/read-pdf': 'src/toolsets/web/capability/documents/read-pdf-process.ts',
  'processes/keep-ledger': 'src/runtime/storage/sqlite/upkeep-thread.ts',
  'processes/run-task': 'src/capabilities/worker/run-task.ts',
  'processes/run-handlers': 'src/app/contract-folders/confined/run-handlers.ts',
  'processes/read-text': 'src/toolsets/web/read-text.ts',
  'processes/to-page-text': 'src/toolsets/workspace/to-page-text.ts',
  'processes/clean-by-rules': 'src/toolsets/transcript/clean-by-rules.ts',
}
