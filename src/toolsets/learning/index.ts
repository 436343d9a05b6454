import { defineToolset } from '../../contract/define-toolset.ts'
import { hello } from './hello.ts'

export const learning = defineToolset('learning', [hello], {
  description: 'The repository and memory of a learning system.',
})
