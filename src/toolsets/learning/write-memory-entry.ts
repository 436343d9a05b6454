import type { Files } from '../../capabilities/files.ts'
import { defineTool } from '../../contract/define-tool.ts'
import { ToolError } from '../../contract/tool-error.ts'
import { toObjectEntry } from '../../tool-parts/repository/memory-entry.ts'
import {
  checkMemoryFile,
  previewMemoryEntry,
  writeMemoryEntry as write,
  writeErrors,
} from '../../tool-parts/repository/write-memory-entry.ts'

export const writeMemoryEntry = defineTool(
  {
    name: 'write_memory_entry',
    description: 'Append an entry to a memory file. Append-only, never overwrites.',
    risk: 'safe_write',
    input: {
      type: 'object',
      additionalProperties: false,
      required: ['file', 'entry'],
      properties: {
        file: {
          type: 'string',
          enum: ['progress_log.jsonl', 'decisions.jsonl'],
          description: 'Which memory file to append to',
        },
        entry: {
          type: 'object',
          description: 'JSON object to append',
          additionalProperties: true,
          required: ['timestamp', 'type'],
          properties: {
            timestamp: { type: 'string', format: 'date-time', description: 'When it happened, with its zone' },
            type: { type: 'string', description: 'What kind of entry it is' },
          },
        },
      },
    },
    output: {
      type: 'object',
      additionalProperties: false,
      required: ['success', 'line_number'],
      properties: {
        success: { type: 'boolean', description: 'Always true; a failure is an error' },
        line_number: { type: 'integer', description: 'Line number of appended entry' },
      },
    },
    errors: [writeErrors.secret, writeErrors.denied, writeErrors.tooLarge, writeErrors.failed],
    effects: { returns: [] },
    summary: { access: 'Memory only', sideEffects: 'Append' },
    constraints: [
      'Append-only: Never modifies existing content',
      'Allowed files: Only progress_log.jsonl and decisions.jsonl',
      'Entry validation: Must include timestamp and type',
      'Human approval: Claude must obtain user approval before calling',
      'Maximum entry size: 10KB',
    ],
    examples: [
      {
        given: {
          files: { '.claude/memory/progress_log.jsonl': '{"timestamp":"2026-01-08T09:00:00Z","type":"start"}\n' },
        },
        input: {
          file: 'progress_log.jsonl',
          entry: { timestamp: '2026-01-09T10:30:00Z', type: 'task_complete', task: 'EDA notebook' },
        },
        output: { success: true, line_number: 2 },
      },
      {
        title: 'A secret in the entry',
        input: {
          file: 'decisions.jsonl',
          entry: { timestamp: '2026-01-09T10:30:00Z', type: 'decision', password: 'correct horse battery' },
        },
        error: 'secret_in_entry',
      },
    ],
  },
  async ({ file, entry }, context, { files }: { files: Files }) => {
    const line = toObjectEntry(entry)
    const written = line instanceof ToolError ? line : await write(files, file, line, context)
    return written instanceof ToolError ? written : { success: true, line_number: written.line }
  },
  {
    needs: ['files'],
    async validate({ file, entry }, _context, { files }) {
      const line = toObjectEntry(entry)
      return line instanceof ToolError ? line : checkMemoryFile(files, file)
    },
    async preview({ file, entry }, { files }) {
      const line = toObjectEntry(entry)
      if (line instanceof ToolError) throw line
      return previewMemoryEntry(files, file, line)
    },
  },
)
