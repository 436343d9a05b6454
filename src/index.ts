import './app/require-node.ts'

export {
  type AnyTools,
  type CallOptions,
  type OpenQuery,
  openToolpact,
  type TelemetryOptions,
  type Toolpact,
  type ToolpactOptions,
  type ToolTypes,
} from './app/app.ts'
export type { Config, ConfigSource } from './app/config/config.ts'
export type { ListedTrust, ReviewedConfig, Trust, TrustState } from './app/config/trust.ts'
export type { LinkedCaller } from './app/connections/connect-links.ts'
export type {
  Connection,
  DeviceLogin,
  FinishOptions,
  Login,
  LoginOffer,
  LoginOptions,
  RekeyedConnections,
  ServerLogins,
} from './app/connections/server-logins.ts'
export type { Handler, ValidateHandler } from './app/contract-folders/handler.ts'
export type { HostedServers } from './app/host.ts'
export type { LockReview, LockReviewer, ServerReview, ShownChange, ToolReview } from './app/lock.ts'
export { type ExampleOutcome, runExamples } from './app/run-examples.ts'
export type { WorkflowFile } from './app/workflow-files.ts'
export type { Capabilities } from './capabilities/capabilities.ts'
export type { Restored } from './capabilities/restore.ts'
export type { CallFailure, CallResult, CallSuccess } from './contract/call-result.ts'
export { canonicalJson } from './contract/canonical-json.ts'
export type { Contract, ContractSource, DeclaredError, Effects, Example, Limits, Risk } from './contract/contract.ts'
export { definePrompt, type PromptResult, type PromptSource } from './contract/define-prompt.ts'
export {
  defineResource,
  type ResourceContent,
  type ResourceResult,
  type ResourceSource,
} from './contract/define-resource.ts'
export { defineTool, type ToolSource } from './contract/define-tool.ts'
export { defineToolset } from './contract/define-toolset.ts'
export { defineValidator, type Validate, type Validated } from './contract/define-validator.ts'
export { digest } from './contract/digest.ts'
export type { Image, KeepImage } from './contract/image.ts'
export type { Infer, InferInput } from './contract/infer.ts'
export type { JsonObject, JsonSchema, JsonValue } from './contract/json.ts'
export { type LintProblem, lintContract, lintToolset } from './contract/lint-contract.ts'
export type { Rule, RuleAction, RuleProposal, RuleScope } from './contract/rule.ts'
export type { RunFollow } from './contract/run-part.ts'
export type { StandardJsonSchema } from './contract/standard/standard-json-schema.ts'
export type {
  Caller,
  CallerScope,
  Preview,
  Progress,
  Tool,
  ToolContext,
  Toolset,
  ToolsetContext,
  ToolsetProvision,
  ValidateContext,
} from './contract/tool.ts'
export { type ErrorData, type Problem, ToolError } from './contract/tool-error.ts'
export { ToolpactError, type ToolpactErrorCode } from './contract/toolpact-error.ts'
export type { UpstreamStatus } from './host/upstream.ts'
export type { RemovedConnection } from './identity/connections/removed-connection.ts'
export type { ClientDocument } from './identity/oauth/client-document.ts'
export type { Decision, Modes } from './policy/decide.ts'
export type { AnthropicTool } from './projections/anthropic.ts'
export type { OpenaiTool } from './projections/openai.ts'
export type { ApprovalAnswer, ApprovalRequest, Approver } from './runtime/approval/approver.ts'
export type { ForeseenCall } from './runtime/approval/foresee-call.ts'
export type { CallOrigin } from './runtime/pipeline/call.ts'
export type { CallEvent } from './runtime/pipeline/call-event.ts'
export type { Catalog, CatalogEntry, Found } from './runtime/pipeline/catalog.ts'
export type { StepSettings, Violation } from './runtime/pipeline/pipeline-options.ts'
export type { Queries } from './runtime/pipeline/queries.ts'
export { type Query, startQuery } from './runtime/pipeline/queries.ts'
export type { ClockReset } from './runtime/rules/latest-time.ts'
export type { ListedRule, RuleDraft, RulePreview, RuleTest } from './runtime/rules/rule-editor.ts'
export type { RuleChange, Rules } from './runtime/rules/rules.ts'
export type { PastCalls, Simulation } from './runtime/rules/simulate-rules.ts'
export type { Repaired, TrustedFile } from './runtime/storage/operator-state.ts'
export type { NewSession, SessionStatus, SessionSummary, Sessions } from './runtime/storage/sessions.ts'
export type { SignInKey, SignIns, StoredSignIn } from './runtime/storage/sign-ins.ts'
export type {
  Approval,
  Approvals,
  CallRecord,
  CallsPage,
  CallsQuery,
  Evidence,
  FoundCall,
  Ledger,
  LedgerEntry,
  LedgerHead,
  LedgerQuery,
  LedgerRecord,
  LedgerStats,
  LedgerVerdict,
  RememberedQuestion,
  Replies,
  StatsQuery,
  StepRecord,
  Storage,
  StorageHealth,
  ToolStats,
  ToolTotals,
} from './runtime/storage/storage.ts'
export type { StoredTask, Tasks } from './runtime/storage/tasks.ts'
export type {
  CreatedToken,
  RotateOptions,
  Token,
  TokenOptions,
  TokenStore,
  TokenUses,
} from './runtime/storage/tokens.ts'
export type { HandleOptions } from './surfaces/function-calling/answer-calls.ts'
export {
  anthropicTools,
  handleToolUses,
  type ToolResult,
  type ToolUseMessage,
} from './surfaces/function-calling/anthropic.ts'
export {
  handleToolCalls,
  openaiTools,
  type ToolCallsMessage,
  type ToolMessage,
} from './surfaces/function-calling/openai.ts'
export type { WorkflowProblem } from './workflow/document/read-workflow.ts'
export type {
  KnownOfStep,
  Plan,
  PlannedStep,
  ResumeDecision,
  Run,
  RunDetails,
  RunListQuery,
  RunStep,
  RunWait,
  RunWaitOptions,
  WorkflowRuns,
} from './workflow/run/workflow-runs.ts'
