/** The extension of 2026-07-28 by which calls become tasks. */
export const tasksExtension = 'io.modelcontextprotocol/tasks'

/** The only revision with the experimental tasks that preceded the extension. */
export const tasksRevision = '2025-11-25'

/** The key in `_meta` of messages that belong to a task (2025-11-25). */
export const relatedTask = 'io.modelcontextprotocol/related-task'
