import { expect, test } from 'vitest'
import { decideGrounded } from '../../src/agent/grounding/decide-grounded.ts'
import { pairedClaims } from './summaries-pairs.ts'

const isKept = (claim: string, quote: string) => decideGrounded(claim, quote, { text: quote }).grounded

test('of claims written by hand that give a number another time, place, unit, rate, direction or bound, at most 3 of 100 pass, and true ones do', () => {
  const fails = pairedClaims.flatMap(({ quote, fails }) => fails.map((claim) => [claim, quote] as const))
  const holds = pairedClaims.flatMap(({ quote, holds }) => holds.map((claim) => [claim, quote] as const))
  expect(fails.length).toBeGreaterThanOrEqual(95)
  expect(fails.filter(([claim, quote]) => isKept(claim, quote)).length).toBeLessThanOrEqual(fails.length * 0.03)
  expect(holds.filter(([claim, quote]) => !isKept(claim, quote))).toEqual([])
})

test.each([
  ['bound_not_in_evidence', '34 people were injured.', 'At least 34 people were injured near Lodi.'],
  ['bound_not_in_evidence', 'The tank holds 50 litres or more.', 'The tank holds less than 50 litres.'],
  ['rate_not_in_evidence', 'It costs $12 per year.', 'It costs $12 per month.'],
  ['rate_not_in_evidence', 'They earn 18 euros a day.', 'They earn 18 euros an hour.'],
  [
    'says_opposite',
    'Exports decreased by 5 percent.',
    'Exports increased by 5 percent, imports decreased by 2 percent.',
  ],
  ['drops_hedge', 'The drug helps the patients.', 'The drug may help the patients.'],
  ['exchanged', 'Sales were 5 million in 2023.', 'Sales were 5 million in 2022 and 6 million in 2023.'],
])('%s: %s', (reason, claim, quote) => {
  expect(decideGrounded(claim, quote, { text: quote })).toMatchObject({ grounded: false, reason })
})

test.each([
  ['The bill passed the Senate 52 to 48.', 'On Thursday, the Senate voted 52–48 to pass the bill.'],
  [
    'In the U.S., sales of Norvik rose more than 30% to $46m in 2024.',
    'In 2024, Norvik had sales of $46 million in the U.S., a more than 30% increase.',
  ],
  [
    'Exports fell from $19 billion to $9 billion.',
    'Exports dropped to $9 billion in 2018, down from $19 billion the year before.',
  ],
  [
    'Under 40% of tenants own a car, compared with 49% of owners.',
    'About half of owners (49%) have a car, compared to less than 40% of tenants.',
  ],
  ['One in five members want to swim more.', 'Of all members, 20% want to swim more.'],
  ['Hosting costs $328 a month.', 'Hosting costs $328/month before taxes.'],
  ['Groups cost over $20.', 'Budgets are over $50 for campaigns and $20 for groups.'],
  ['Prices were down 4.1% from a year earlier.', 'By late April, prices had declined 4.1% from the previous year.'],
  ['Almost 20% of members run.', 'Nearly 20% of members run.'],
  ['Only 31% have a pass.', 'Of those asked, 31% have a pass.'],
  ['You have to be at least 21 to rent a car.', 'Renting a car requires you to be at least 21 years old.'],
  ['The panel is 19.5 by 27.5 inches.', 'The panel measures 19.5 by 27.5".'],
])('a claim in other words is kept: %s', (claim, quote) => {
  expect(isKept(claim, quote)).toBe(true)
})

test.each([
  ['says_opposite', 'Prices are raised by up to 39%.', 'We will reduce prices by up to 39%.'],
  ['says_opposite', 'Members may be increasing spending.', 'Members may be pulling back spending.'],
  ['says_opposite', 'Sustainably grown coffee decreased.', 'Sustainably grown coffee increased.'],
  ['drops_hedge', 'The knockoffs use the same case, I believe.', 'I believe that the knockoffs may use the same case.'],
  ['drops_hedge', 'Norvik increased sales by 20% in 2025.', 'Norvik projects a sales increase of 20% for 2025.'],
  ['rate_not_in_evidence', 'Monthly budgets are over $50.', 'Daily budgets are over $50.'],
  ['rate_not_in_evidence', 'It costs $30 per square metre.', 'It costs $30 per square foot.'],
  [
    'exchanged',
    'In 2030, the market was worth 100 million euros.',
    'In 2023, the market was worth 100 million euros, with growth of 9% by 2030.',
  ],
  [
    'exchanged',
    'Exports were $19 billion in 2018.',
    'Exports dropped to $9 billion in 2018, down from $19 billion the previous year.',
  ],
])('%s, in other words: %s', (reason, claim, quote) => {
  expect(decideGrounded(claim, quote, { text: quote })).toMatchObject({ grounded: false, reason })
})
