import type { Files } from '../../capabilities/files.ts'
import { defineTool } from '../../contract/define-tool.ts'
import { ToolError } from '../../contract/tool-error.ts'
import { toJsonEntry, toMarkdownEntry } from '../../tool-parts/repository/memory-entry.ts'
import {
  checkMemoryFile,
  previewMemoryEntry,
  writeMemoryEntry as write,
  writeErrors,
} from '../../tool-parts/repository/write-memory-entry.ts'

export const writeMemoryEntry = defineTool(
  {
    name: 'write_memory_entry',
    description: 'Append an entry to a memory file. Only supports append operations.',
    risk: 'safe_write',
    input: {
      type: 'object',
      additionalProperties: false,
      required: ['file', 'entry'],
      properties: {
        file: {
          type: 'string',
          enum: ['progress_log.jsonl', 'decisions.jsonl', 'best_practices.md'],
          description: 'Target memory file',
        },
        entry: { type: 'string', description: 'Content to append' },
      },
    },
    output: {
      type: 'object',
      additionalProperties: false,
      required: ['success', 'bytes_written', 'timestamp'],
      properties: {
        success: { type: 'boolean', description: 'Always true; a failure is an error' },
        bytes_written: { type: 'integer', description: 'Number of bytes appended, including line ends' },
        timestamp: { type: 'string', format: 'date-time', description: 'When it was written' },
      },
    },
    errors: [
      {
        code: 'invalid_entry',
        status: 400,
        when: 'The entry for a .jsonl file is not a JSON value, or the entry for best_practices.md is empty.',
        suggestion: 'Send one JSON value as text for a .jsonl file, Markdown for best_practices.md.',
      },
      writeErrors.secret,
      writeErrors.denied,
      writeErrors.tooLarge,
      writeErrors.failed,
    ],
    effects: { returns: [] },
    summary: { access: 'Memory only', sideEffects: 'Append' },
    constraints: [
      'Append-only: Cannot overwrite or delete',
      'Target files: Only memory files allowed',
      'Max entry size: 10KB',
      'Validation: JSON lines must be valid JSON',
      'User approval: Requires user confirmation before write',
    ],
    examples: [
      {
        input: {
          file: 'progress_log.jsonl',
          entry: '{"timestamp": "2026-01-09T10:30:00Z", "event": "task_complete", "task": "EDA notebook"}',
        },
        output: { success: true, bytes_written: 88, timestamp: '2026-01-09T10:30:00Z' },
        varies: ['/timestamp'],
      },
      {
        title: 'A blank line separates Markdown from earlier entries',
        given: { files: { '.claude/memory/best_practices.md': '# Best practices\n' } },
        input: { file: 'best_practices.md', entry: '- Look at the data first.\n' },
        output: { success: true, bytes_written: 27, timestamp: '2026-01-09T10:30:00Z' },
        varies: ['/timestamp'],
      },
      {
        title: 'A line that is not JSON',
        input: { file: 'decisions.jsonl', entry: 'We use SQLite.' },
        error: 'invalid_entry',
      },
    ],
  },
  async ({ file, entry }, context, { files }: { files: Files }) => {
    const checked = toEntry(file, entry)
    const written = checked instanceof ToolError ? checked : await write(files, file, checked, context)
    if (written instanceof ToolError) return written
    return { success: true, bytes_written: written.bytes, timestamp: new Date().toISOString() }
  },
  {
    needs: ['files'],
    async validate({ file, entry }, _context, { files }) {
      const checked = toEntry(file, entry)
      return checked instanceof ToolError ? checked : checkMemoryFile(files, file)
    },
    async preview({ file, entry }, { files }) {
      const checked = toEntry(file, entry)
      if (checked instanceof ToolError) throw checked
      return previewMemoryEntry(files, file, checked)
    },
  },
)

function toEntry(file: string, entry: string) {
  return file.endsWith('.jsonl') ? toJsonEntry(entry) : toMarkdownEntry(entry)
}
