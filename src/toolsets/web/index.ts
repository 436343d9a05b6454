import { defineToolset } from '../../contract/define-toolset.ts'
import { searchWeb } from './search-web.ts'

export const webFetch = defineToolset('web-fetch', [searchWeb], {
  description: 'Searches the web, and reads pages from it.',
})
