import { defineLanguage } from '../language.ts'

export const dutch = defineLanguage('Dutch', {
  looks: /ij|aa[^l]|uu|oe[kdrnt]|eu[rk]|(?:heid|lijk|lijke|tje|tjes|ingen|atie|eren)$|^ge.+[dt]$/,
  common:
    'de het een en van ik je dat niet is zijn op te met voor er maar aan ook als bij nog naar dan uit om wat zo wel heb heeft hebben had hadden was waren wordt worden werd kan kunnen kon moet moeten zal zou zouden wil willen we wij jij u ze zij hij hem haar ons onze hun mijn jouw deze dit die daar hier waar wie hoe waarom omdat want of toen nu al heel veel meer meest weer altijd alles iets iemand andere ander twee mensen man vrouw kind kinderen huis stad land werk jaar jaren dag dagen tijd goed goede groot grote klein gaan gaat ga komen komt kom maken maakt gemaakt doen doet gedaan zeggen zegt gezegd zien ziet gezien weet denk vind ja nee hallo dank bedankt vandaag morgen gisteren vanavond natuurlijk misschien eigenlijk gewoon even tussen onder over door tegen zonder tijdens na sinds tot mij me zich er ben bent eens',
  fillers: 'eh euh ehm uhm uh hm ah öh',
  looseFillers: 'mm',
  answers: 'ja zo oké',
  hedges: 'zeg maar, een beetje',
  markers: 'dus, eigenlijk, gewoon, toch, kijk',
  asides: 'zeg maar, weet je, weet je wel, ik bedoel, nou, nou ja, hoe zeg je dat, laten we zeggen',
  leads: 'nou ja, ik bedoel',
  edits: 'ik bedoel, sorry, pardon, of liever, beter gezegd',
  binding: 'wat hoe als',
  stuttered:
    'ik de het en van je we wij hij er op te met voor maar aan ook als bij naar dan om wat was heb heeft kan moet wil zou mijn deze dit omdat want of toen ben bent in dat is zijn ons onze hun een waar wie hoe tot tussen onder door over uit hebben had wordt werd ga gaat nu nog',
  emphatic:
    'heel veel zo ja nou lang ver snel langzaam groot grote klein kleine goed mooi echt altijd weer hoor kom toe wacht stop hallo dag oké ok oh ach ah ha hey hé dank bedankt graag alsjeblieft super erg bijna stil zacht hard hoog diep oud nieuw meer au boe bla tik tak toi mama papa kijk luister help rustig precies juist genoeg',
  emphaticEnding: /.{4}lijk$/,
  refrains: 'dank je, dank u, kom op, ga door, tot ziens, hou op, stap voor, beetje bij',
  doubles: [
    { words: 'die dat zijn haar' },
    { words: 'je ze het u', clauses: true },
    { words: 'op aan in uit', after: 'staat stond komt kwam gaat ging houdt geeft gaf neemt nam zet sta geef kom ga' },
  ],
  slips: [
    {
      words: 'je ze het u',
      after: '^ en maar dat als of omdat want dan toen wat hoe waar kun kan ga heb ben is was denk',
    },
    { words: 'dat die', after: '^ en maar', before: 'is was zijn waren heeft had kan moet wordt gaat' },
  ],
  articles: 'een',
  determiners: 'de het mijn jouw zijn haar ons onze hun',
  dangling: 'de een mijn onze',
  prepositions: 'in op met voor aan bij naar van uit over onder tussen door tegen tot',
  swaps: [
    { words: 'de', by: 'het' },
    { words: 'ik hij we wij', by: 'ik hij we wij', notAfter: 'en of als dan', unbroken: true },
  ],
  openers: 'als omdat wanneer waarom maar waar',
  subjects: 'ik wij hij we',
  auxiliaries:
    'ben bent is zijn was waren heb heeft hebben had hadden kan kunnen kon moet moeten wil willen zal zou zouden word wordt worden werd ga gaat gaan mag mogen',
  short:
    'aan aap acht af al alle als arm auto baan bad bal band bang bank bed been beer bel ben berg bij blij boek boer bon boot bos bot bril brug bus daar dag dak dan dat de deel deen den deur die dier dik ding dit doe doel dood doof door dorp dun duur echt een eer ei eis elf en er eten fiets film fout gaan gas gat geel geen geld gen gif glad god goed golf graag gras groen grond had half hals hand hard hart heb heel heen heer heet hem hen her het hij hoe hoed hof hond hoog hoor hout huid huis hun ik in is ja jaar jas je jij jong kaas kan kant kat keer kern kind kip klas klein koe kok kom kook kop kort koud kou kun laag land lang last laat leeg leer lid lief lijn los lucht lui maan maar mag man mand me meer mei melk men met mijn min mis moe moet mond mooi naam naar nat nee neem neus niet nieuw nog noot nou nu of om on ons oog ook oom oor oost op os oud paar pak pan park pas pen pijn plan plat poes pot prijs raam raar rat recht reis rij rijk ring rok rond rood rug ruim rust saai sap snel soep som sok spel spin stad stap ster stil stof te tak tand tas te teen ten ter test thee tien tijd toe toen ton top tot trap trein tuin twee u uit uur vaak vak van vast vat veel ver vet vier vijf vis vol voor vos vrij vuur waar wal wat we weer weg wel wens werk west wet wie wij wil wind wol word zaak zak zal zand ze zee zeer zes zet zich zij zijn zin zit zo zoek zoet zon zou zout zul zus zwart',
  negations: 'niet geen nooit niets niks niemand nergens nee noch zonder nauwelijks behalve geenszins tenzij',
  numbers:
    'nul een één twee drie vier vijf zes zeven acht negen tien elf twaalf dertien veertien vijftien zestien zeventien achttien negentien twintig dertig veertig vijftig zestig zeventig tachtig negentig honderd duizend miljoen miljard eerste tweede derde half halve kwart eenmaal tweemaal dozijn komma keer',
})
