import { defineToolset } from '../../contract/define-toolset.ts'
import { hello } from './hello.ts'

export const practitioner = defineToolset('practitioner', [hello], {
  description: 'The repository and memory of a practitioner’s learning system.',
})
