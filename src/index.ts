import './app/require-node.ts'

export {
  type AnyTools,
  type CallOptions,
  type OpenQuery,
  openToolpact,
  type Toolpact,
  type ToolpactOptions,
  type ToolTypes,
} from './app/app.ts'
export type { Handler, ValidateHandler } from './app/contract-folders/handler.ts'
export { type ExampleOutcome, runExamples } from './app/run-examples.ts'
export type { Capabilities } from './capabilities/capabilities.ts'
export type { CallFailure, CallResult, CallSuccess } from './contract/call-result.ts'
export { canonicalJson } from './contract/canonical-json.ts'
export type { Contract, ContractSource, DeclaredError, Effects, Example, Limits, Risk } from './contract/contract.ts'
export { defineTool, type ToolSource } from './contract/define-tool.ts'
export { defineToolset } from './contract/define-toolset.ts'
export { defineValidator, type Validate, type Validated } from './contract/define-validator.ts'
export { digest } from './contract/digest.ts'
export type { Image, KeepImage } from './contract/image.ts'
export type { Infer, InferInput } from './contract/infer.ts'
export type { JsonObject, JsonSchema, JsonValue } from './contract/json.ts'
export { type LintProblem, lintContract, lintToolset } from './contract/lint-contract.ts'
export type { StandardJsonSchema } from './contract/standard/standard-json-schema.ts'
export type {
  Caller,
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
export type { AnthropicTool } from './projections/anthropic.ts'
export type { OpenaiTool } from './projections/openai.ts'
export type { ApprovalAnswer, ApprovalRequest, Approver } from './runtime/approval/approver.ts'
export type { CallEvent } from './runtime/pipeline/call-event.ts'
export type { Violation } from './runtime/pipeline/pipeline-options.ts'
export { type Query, startQuery } from './runtime/pipeline/query.ts'
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
