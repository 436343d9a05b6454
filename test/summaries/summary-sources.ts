import type { JsonObject } from '../../src/contract/json.ts'
import { wires } from './summaries-wires.ts'

/** What tools returned, by a short name: the sources of the summaries in this folder. */
export const sources = {
  report: {
    title: 'Annual report of Meridian Foods',
    author: 'Ada Lovelace',
    pages: 48,
    body: [
      'In 2024, Meridian Foods increased its revenue by 12.5 % to 3.7 million euros. Profit fell by 4 % to 210,000 euros.',
      'The board did not approve a dividend. Chief executive Maria Keller said that the plant in Lyon will open on 12 May 2025.',
      'The plant in Porto, which employs 140 people, is not affected. No employee was dismissed in 2024.',
      'Berlin sold 1,250 tonnes and Vienna sold 980 tonnes. The packaging is unsafe for children under three.',
      'The auditors found no evidence of fraud. Energy costs could rise again if the winter is cold.',
    ].join('\n\n'),
  },
  service: {
    name: 'payments-api',
    status: 'degraded',
    healthy: false,
    open_incidents: 3,
    size_bytes: 52_428_800,
    error: null,
    note: 'Version 2.4.1 of payments-api was deployed on Tuesday at 10:30. The database db-7 is not reachable from zone B.',
    steps: [
      'Restart the worker before the queue is drained.',
      'Never delete the folder /var/lib/queue by hand.',
      'The limit was raised from 5 to 20 requests per second.',
    ],
  },
  article: {
    heading: 'Comet seen again',
    text: 'Alice Moreau discovered the comet before Bob Tanaka confirmed it. The comet will not return until 2061.\n\nIt travels at 70 km per second, and its tail is 2 million km long. NASA has no plan to send a probe, but ESA does.\n\nThe telescope on La Palma saw it first; the one in Chile was closed. Temperatures of −5 °C delayed the work by two hours.',
  },
  search: {
    results: [
      {
        title: 'Install Node.js on Debian',
        snippet: 'Run the installer as root. Node.js 24 is supported until April 2028.',
      },
      { title: 'Remove Node.js', snippet: 'Removing the package does not remove your settings in ~/.npmrc.' },
    ],
    total_results: 2,
  },
  german: {
    text: 'Die Brücke über die Elbe wurde am 3. Oktober 2023 gesperrt. Der Verkehr wird nicht umgeleitet. Die Sanierung kostet 1,5 Millionen Euro und dauert 18 Monate. Ohne Genehmigung darf niemand das Gelände betreten.',
  },
  french: {
    text: "Le vaccin n'est pas recommandé aux enfants de moins de 6 ans. La ville de Nantes a ouvert 14 écoles en septembre 2024. Le maire ne démissionnera jamais.",
  },
  spanish: {
    text: 'El puente no será reparado este año. La empresa Solaria vendió 320 paneles en Sevilla. Nadie resultó herido.',
  },
  italian: { testo: 'Il treno per Torino non parte da Genova. Il biglietto costa 45 euro e vale 3 giorni.' },
  dutch: { tekst: 'De sluis bij Arnhem is niet open voor schepen langer dan 90 meter.' },
  polish: { tekst: 'Pociąg do Krakowa nie zatrzymuje się w Kielcach. Bilet kosztuje 60 złotych.' },
  russian: { text: 'Мост через Волгу не закрыт. В Казани построили 12 школ в 2023 году.' },
  japanese: { text: '東京の人口は2024年に増加した。大阪では新しい駅が開業しなかった。' },
  chinese: { text: '北京的地铁没有停运。上海在五月开放了三座公园。' },
  korean: { text: '서울은 새로운 도서관을 개관했다. 부산은 박물관을 닫지 않았다.' },
  wires: { wires: [...wires] },
  arabic: { text: 'افتتحت القاهرة مكتبة جديدة في وسط المدينة. لم تغلق بيروت المتحف.' },
} satisfies Record<string, JsonObject>

export type SourceName = keyof typeof sources
