import { defineToolset } from '../../contract/define-toolset.ts'
import { fetchPage } from './fetch-page.ts'
import { searchWeb } from './search-web.ts'

export const webFetch = defineToolset('web-fetch', [searchWeb, fetchPage], {
  description: 'Searches the web, and reads pages from it.',
})
