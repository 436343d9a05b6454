/** Sentences with claims that are true of them, and claims that are false by one word. Each claim quotes the whole sentence. */
export const pairedClaims: readonly {
  readonly quote: string
  readonly holds: readonly string[]
  readonly fails: readonly string[]
}[] = [
  {
    quote:
      'Revenue rose 8% to $4.2 billion in the third quarter of 2023, from $3.9 billion in the same quarter of 2022.',
    holds: ['Revenue was $4.2 billion in the third quarter of 2023.'],
    fails: ['Revenue was $4.2 billion in the third quarter of 2022.', 'Revenue fell 8% to $4.2 billion in 2023.'],
  },
  {
    quote: 'The subscription costs $12 per month for individuals and $30 per month for teams.',
    holds: ['For teams, the subscription costs $30 per month.'],
    fails: ['The subscription costs $12 per year for individuals.', 'The subscription costs $12 per month for teams.'],
  },
  {
    quote: 'Unemployment fell to 4.1 percent in Spain and to 6.3 percent in Italy.',
    holds: ['In Italy, unemployment fell to 6.3 percent.'],
    fails: ['Unemployment fell to 4.1 percent in Italy.', 'Unemployment rose to 4.1 percent in Spain.'],
  },
  {
    quote: 'The drug may reduce the risk of stroke by up to 20 percent, the researchers said.',
    holds: ['The drug may reduce the risk of stroke by up to 20 percent.'],
    fails: [
      'The drug reduces the risk of stroke by up to 20 percent.',
      'The drug may reduce the risk of stroke by 20 percent.',
    ],
  },
  {
    quote: 'At least 34 people were injured when the train derailed near Lodi.',
    holds: ['At least 34 people were injured near Lodi.'],
    fails: ['34 people were injured when the train derailed.', 'At most 34 people were injured near Lodi.'],
  },
  {
    quote: 'The battery lasts about 14 hours and charges in 90 minutes.',
    holds: ['The battery charges in 90 minutes.'],
    fails: ['The battery lasts about 90 minutes.', 'The battery lasts about 14 minutes.'],
  },
  {
    quote: 'Shares of Norvik closed 3.2% lower at 118 crowns, while Belden gained 1.4%.',
    holds: ['Belden gained 1.4%.'],
    fails: ['Belden gained 3.2%.', 'Shares of Norvik closed 3.2% higher.'],
  },
  {
    quote: 'The agency plans to hire 200 engineers by 2027, up from 120 in 2024.',
    holds: ['The agency plans to hire 200 engineers by 2027.'],
    fails: ['The agency hired 200 engineers by 2027.', 'The agency plans to hire 120 engineers by 2027.'],
  },
  {
    quote: 'Scientists suspect that the crater formed 66 million years ago.',
    holds: ['The crater formed 66 million years ago, scientists suspect.'],
    fails: ['The crater formed 66 million years ago.'],
  },
  {
    quote: 'The model weighs 1.2 kg and the screen measures 14 inches.',
    holds: ['The model weighs 1.2 kg.'],
    fails: ['The model weighs 14 kg.', 'The screen measures 1.2 inches.'],
  },
  {
    quote: 'Fewer than 50 copies of the map survive, most of them in Vienna.',
    holds: ['Fewer than 50 copies of the map survive.'],
    fails: ['50 copies of the map survive.', 'More than 50 copies of the map survive.'],
  },
  {
    quote: 'Rainfall declined from 620 mm in 2010 to 480 mm in 2020.',
    holds: ['In 2020, rainfall declined to 480 mm.'],
    fails: ['Rainfall was 480 mm in 2010.', 'Rainfall increased to 480 mm in 2020.'],
  },
  {
    quote: 'Imports from Japan increased by 5 percent, exports to Japan decreased by 2 percent.',
    holds: ['Exports to Japan decreased by 2 percent.'],
    fails: ['Exports to Japan decreased by 5 percent.', 'Exports to Japan increased by 2 percent.'],
  },
  {
    quote: 'The ferry carries 400 passengers per trip and makes 6 trips per day.',
    holds: ['The ferry makes 6 trips per day.'],
    fails: ['The ferry makes 6 trips per week.', 'The ferry carries 400 passengers per day.'],
  },
  {
    quote: 'According to early estimates, the flood could cost insurers $2 billion.',
    holds: ['The flood could cost insurers $2 billion.'],
    fails: ['The flood cost insurers $2 billion.'],
  },
  {
    quote: 'The update reduces memory use by 30% on Linux and by 12% on Windows.',
    holds: ['On Windows, memory use is reduced by 12%.'],
    fails: ['The update reduces memory use by 30% on Windows.', 'The update increases memory use by 30% on Linux.'],
  },
  {
    quote: 'In March the city recorded 41 accidents, in April 29.',
    holds: ['In March, the city recorded 41 accidents.'],
    fails: ['The city recorded 41 accidents in April.'],
  },
  {
    quote: 'Orders must be at least 25 euros; delivery is free above 60 euros.',
    holds: ['Orders must be at least 25 euros.'],
    fails: ['Orders must be at least 60 euros.', 'Orders must be at most 25 euros.'],
  },
  {
    quote: 'The company expects revenue of 950 million dollars this year.',
    holds: ['This year, the company expects revenue of $950 million.'],
    fails: ['The company had revenue of 950 million dollars this year.'],
  },
  {
    quote: 'Employees earn 18 euros an hour in Lyon and 21 euros an hour in Paris.',
    holds: ['In Paris, employees earn 21 euros an hour.'],
    fails: ['Employees earn 21 euros an hour in Lyon.', 'Employees earn 18 euros a day in Lyon.'],
  },
  {
    quote: 'Kenya exported 52,000 tonnes of tea in May, compared with 47,000 tonnes in June.',
    holds: ['Kenya exported 52,000 tonnes of tea in May.'],
    fails: ['Kenya exported 52,000 tonnes of tea in June.'],
  },
  {
    quote: 'The museum attracted nearly 1.1 million visitors in 2019 but only 240,000 in 2020.',
    holds: ['The museum attracted only 240,000 visitors in 2020.'],
    fails: [
      'The museum attracted 240,000 visitors in 2019.',
      'The museum attracted over 1.1 million visitors in 2019.',
    ],
  },
  {
    quote: 'Some users reported that the app crashes on startup.',
    holds: ['The app crashes on startup, some users reported.'],
    fails: ['The app crashes on startup.', 'Most users reported that the app crashes on startup.'],
  },
  {
    quote: 'The court is likely to rule before June.',
    holds: ['A ruling of the court is likely before June.'],
    fails: ['The court will rule before June.', 'The court is likely to rule after June.'],
  },
  {
    quote: 'Each capsule contains 400 mg of magnesium and 10 mg of zinc.',
    holds: ['Each capsule contains 10 mg of zinc.'],
    fails: ['Each capsule contains 400 mg of zinc.'],
  },
  {
    quote: 'The bridge is 310 metres long and 24 metres wide.',
    holds: ['The bridge is 24 metres wide.'],
    fails: ['The bridge is 24 metres long.', 'The bridge is 310 metres wide.'],
  },
  {
    quote: 'Home prices climbed 6% in Austin but slipped 2% in Denver.',
    holds: ['Home prices slipped 2% in Denver.'],
    fails: ['Home prices climbed 2% in Denver.', 'Home prices climbed 6% in Denver.'],
  },
  {
    quote: 'The chip draws 65 watts at idle and 120 watts under load.',
    holds: ['Under load, the chip draws 120 watts.'],
    fails: ['The chip draws 120 watts at idle.'],
  },
  {
    quote: 'Version 3.0 supports up to 64 devices; version 2.0 supported up to 16.',
    holds: ['Version 3.0 supports up to 64 devices.'],
    fails: ['Version 2.0 supported up to 64 devices.', 'Version 3.0 supports at least 64 devices.'],
  },
  {
    quote: 'Analysts had expected a loss of 40 cents a share, but the company earned 12 cents a share.',
    holds: ['The company earned 12 cents a share.'],
    fails: ['The company earned 40 cents a share.'],
  },
  {
    quote:
      'Net profit at Halden climbed to 310 million kroner in the first half of 2025, compared with 275 million kroner a year earlier.',
    holds: [
      'Halden made a net profit of 310 million kroner in the first half of 2025.',
      'Net profit climbed to 310 million kroner.',
    ],
    fails: [
      'Net profit at Halden dropped to 310 million kroner in the first half of 2025.',
      "Halden's net profit was 310 million kroner in the second half of 2025.",
      'Net profit at Halden climbed to 275 million kroner in the first half of 2025.',
    ],
  },
  {
    quote: 'The vaccine was 91 percent effective in adults and 78 percent effective in children under five.',
    holds: [
      'In adults, the vaccine was 91 percent effective.',
      'The vaccine was 78% effective in children under five.',
    ],
    fails: [
      'The vaccine was 91 percent effective in children under five.',
      'The vaccine was 78 percent effective in adults.',
    ],
  },
  {
    quote: 'Researchers believe the glacier could lose a third of its ice by 2050.',
    holds: ['The glacier could lose a third of its ice by 2050, researchers believe.'],
    fails: ['The glacier will lose a third of its ice by 2050.', 'The glacier lost a third of its ice by 2050.'],
  },
  {
    quote: 'The free plan allows up to 500 requests per day; the paid plan allows 20,000 requests per day.',
    holds: [
      'The paid plan allows 20,000 requests per day.',
      'Up to 500 requests per day are allowed on the free plan.',
    ],
    fails: [
      'The free plan allows up to 500 requests per hour.',
      'The free plan allows 20,000 requests per day.',
      'The free plan allows at least 500 requests per day.',
    ],
  },
  {
    quote: 'Tickets cost 15 euros for adults and 8 euros for students.',
    holds: ['Students pay 8 euros.', 'Tickets for adults cost 15 euros.'],
    fails: ['Tickets cost 8 euros for adults.', 'Tickets for students cost 15 euros.'],
  },
  {
    quote: 'Poland imported 14 percent less coal in 2024 than in 2023.',
    holds: ['In 2024, Poland imported 14 percent less coal than in 2023.'],
    fails: [
      'Poland imported 14 percent more coal in 2024 than in 2023.',
      'Poland exported 14 percent less coal in 2024.',
    ],
  },
  {
    quote: 'More than 1,200 firefighters battled the blaze, which destroyed at least 60 houses in Mati.',
    holds: ['The blaze destroyed at least 60 houses in Mati.', 'More than 1,200 firefighters fought the blaze.'],
    fails: [
      'The blaze destroyed 60 houses in Mati.',
      'At least 60 firefighters battled the blaze.',
      'Fewer than 1,200 firefighters battled the blaze.',
    ],
  },
  {
    quote: 'Intel shares slid 5%, AMD shares rose 2% and Nvidia shares were unchanged.',
    holds: ['AMD shares rose 2%.', "Intel's shares slid 5%."],
    fails: ['AMD shares slid 5%.', 'Intel shares rose 2%.', 'AMD shares fell 2%.'],
  },
  {
    quote: 'The committee will probably publish its findings in October.',
    holds: ['The findings will probably be published in October.'],
    fails: ['The committee will publish its findings in October.', 'The committee published its findings in October.'],
  },
  {
    quote: 'The lens weighs 480 grams, is 12 centimetres long and costs 899 dollars.',
    holds: ['The lens costs $899.', 'The lens is 12 centimetres long.', 'It weighs 480 grams.'],
    fails: ['The lens weighs 899 grams.', 'The lens is 480 centimetres long.', 'The lens costs 480 dollars.'],
  },
  {
    quote: 'Average rents in Dublin rose to 2,100 euros a month, while rents in Cork fell to 1,600 euros a month.',
    holds: ['Average rents in Dublin rose to 2,100 euros a month.', 'In Cork, rents fell to 1,600 euros a month.'],
    fails: [
      'Rents in Cork rose to 1,600 euros a month.',
      'Average rents in Dublin rose to 2,100 euros a year.',
      'Rents in Cork fell to 2,100 euros a month.',
    ],
  },
  {
    quote: 'The airline said it intends to order 40 jets from Airbus and 15 from Boeing.',
    holds: [
      'The airline intends to order 15 jets from Boeing.',
      'The airline said it intends to order 40 jets from Airbus.',
    ],
    fails: ['The airline ordered 40 jets from Airbus.', 'The airline intends to order 40 jets from Boeing.'],
  },
  {
    quote: 'About 70 percent of patients in the treatment group improved, against 45 percent in the placebo group.',
    holds: [
      'About 70 percent of patients in the treatment group improved.',
      'In the placebo group 45 percent improved.',
    ],
    fails: [
      'About 70 percent of patients in the placebo group improved.',
      'Exactly 45 percent of the treatment group improved.',
    ],
  },
  {
    quote: 'The reservoir held 3.1 million cubic metres in May and 1.9 million cubic metres in September.',
    holds: ['In September, the reservoir held 1.9 million cubic metres.'],
    fails: [
      'The reservoir held 3.1 million cubic metres in September.',
      'The reservoir held 1.9 million cubic metres in May.',
    ],
  },
  {
    quote: 'Users must wait no more than 24 hours for a reply, and refunds take up to 10 days.',
    holds: ['Refunds take up to 10 days.', 'Users wait no more than 24 hours for a reply.'],
    fails: ['Refunds take at least 10 days.', 'Refunds take 10 days.', 'Refunds take up to 24 hours.'],
  },
  {
    quote: 'Oil prices are expected to stay below $70 a barrel until 2027.',
    holds: ['Oil prices are expected to stay below $70 a barrel.'],
    fails: [
      'Oil prices stay below $70 a barrel until 2027.',
      'Oil prices are expected to stay above $70 a barrel until 2027.',
    ],
  },
  {
    quote: 'Compile time dropped from 42 seconds to 9 seconds with the new cache.',
    holds: ['With the new cache, compile time dropped to 9 seconds.', 'Compile time dropped from 42 to 9 seconds.'],
    fails: [
      'Compile time rose from 9 seconds to 42 seconds with the new cache.',
      'Compile time dropped to 42 seconds with the new cache.',
    ],
  },
  {
    quote: 'In Lagos the programme reached 8,000 pupils in 2021; in Accra it reached 5,500 pupils in 2022.',
    holds: ['The programme reached 8,000 pupils in Lagos in 2021.', 'In Accra, the programme reached 5,500 pupils.'],
    fails: [
      'The programme reached 5,500 pupils in Lagos.',
      'In Accra it reached 5,500 pupils in 2021.',
      'The programme reached 8,000 pupils in Accra.',
    ],
  },
  {
    quote: 'Witnesses claimed that the driver ran a red light.',
    holds: ['Witnesses claimed the driver ran a red light.'],
    fails: ['The driver ran a red light.'],
  },
  {
    quote: 'The pump delivers 12 litres per minute at 3 bar.',
    holds: ['The pump delivers 12 litres per minute.'],
    fails: ['The pump delivers 12 litres per hour.', 'The pump delivers 3 litres per minute.'],
  },
]
