import type { Tasks } from '../../../runtime/storage/tasks.ts'
import { type CallServices, runTool } from '../call-tool.ts'
import { RequestStates } from '../request-state.ts'
import { TaskRunner, type TaskSettings } from './task-runner.ts'

/** Runs tasks through the pipeline, as `tools/call` runs its calls. */
export function createTaskRunner(services: CallServices, tasks: Tasks, settings: () => TaskSettings): TaskRunner {
  return new TaskRunner({
    services,
    tasks,
    settings,
    run(asked, live) {
      const states = new RequestStates(services.stateKey, live.caller.name, asked.request)
      return runTool(services, asked, { live, states })
    },
  })
}
