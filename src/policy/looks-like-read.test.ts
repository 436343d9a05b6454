import { expect, test } from 'vitest'
import { looksLikeRead } from './looks-like-read.ts'

test.each([
  'read_file',
  'list-issues',
  'getRecord',
  'search.web',
  'azure_devops_list_projects',
  'get_pull_request',
  'currents-list-runs',
  'whoami',
])('%s looks like a read by its name', (name) => {
  expect(looksLikeRead(name, undefined)).toBe(true)
})

test.each([
  'write_file',
  'deleteIssue',
  'get_or_create_issue',
  'find_and_replace',
  'browser_get_download_list',
  'run_query',
  'playwright_click',
  'maps_geocode',
  '',
])("'%s' does not", (name) => {
  expect(looksLikeRead(name, undefined)).toBe(false)
})

test('a claim counts where the name says nothing, and never against the name', () => {
  expect(looksLikeRead('maps_geocode', { readOnlyHint: true })).toBe(true)
  expect(looksLikeRead('communication_email_send', { readOnlyHint: true })).toBe(false)
})

test('a claim to write or to destroy counts against a name that reads', () => {
  expect(looksLikeRead('read_queue', { readOnlyHint: false })).toBe(false)
  expect(looksLikeRead('read_queue', { readOnlyHint: true, destructiveHint: true })).toBe(false)
})

test.each([null, 'yes', [], { readOnlyHint: 'true' }])('annotations that are %j say nothing', (annotations) => {
  expect(looksLikeRead('read_file', annotations)).toBe(true)
  expect(looksLikeRead('file', annotations)).toBe(false)
})
