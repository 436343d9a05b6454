/** Units by their common spellings, in lower case. */
export const units: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '%': '% percent pct prozent procent prosent procento процент процента процентов',
    usd: '$ usd us$ dollar dollars',
    eur: '€ eur euro euros',
    gbp: '£ gbp pfund',
    pound: 'pound pounds',
    jpy: '¥ jpy yen 円',
    cny: 'cny rmb yuan 元',
    inr: '₹ inr rupee rupees',
    chf: 'chf franken francs',
    cent: 'cent cents',
    km: 'km kilometre kilometres kilometer kilometers kilomètres kilómetros',
    m: 'm metre metres meter meters mètres metros',
    cm: 'cm centimetre centimetres centimeter centimeters',
    mm: 'mm millimetre millimetres millimeter millimeters',
    mile: 'mile miles mi meilen',
    foot: 'foot feet ft',
    inch: 'inch inches',
    kg: 'kg kilogram kilograms kilogramm kilo kilos',
    g: 'g gram grams gramm',
    mg: 'mg milligram milligrams',
    ton: 't ton tons tonne tonnes tonnen',
    lb: 'lb lbs',
    l: 'l litre litres liter liters',
    ml: 'ml millilitre millilitres milliliter milliliters',
    byte: 'byte bytes',
    kb: 'kb kilobyte kilobytes',
    mb: 'mb megabyte megabytes',
    gb: 'gb gigabyte gigabytes',
    tb: 'tb terabyte terabytes',
    kib: 'kib',
    mib: 'mib',
    gib: 'gib',
    tib: 'tib',
    ms: 'ms millisecond milliseconds',
    s: 's sec secs second seconds sekunde sekunden secondes segundos secondi секунд',
    min: 'min mins minute minutes minuten minutos minuti минут',
    h: 'h hr hrs hour hours stunde stunden heures horas uur часов',
    day: 'day days tag tage tagen jour jours día días giorno giorni dagen dia dias день дня дней 日',
    week: 'week weeks woche wochen semaine semaines semana semanas settimane weken недель',
    month: 'month months monat monate monaten mois meses mese mesi maanden месяц месяцев 月',
    year: 'year years jahr jahre jahren ans année années año años anno anni ano anos jaar год года лет 年',
    mph: 'mph',
    kmh: 'kmh kph',
    oz: 'oz ounce ounces',
    hp: 'hp horsepower',
    w: 'w watt watts',
    kw: 'kw kilowatt kilowatts',
    mw: 'mw megawatt megawatts',
    gw: 'gw gigawatt gigawatts',
    kwh: 'kwh',
    mwh: 'mwh',
    gwh: 'gwh',
    v: 'v volt volts',
    hz: 'hz',
    khz: 'khz',
    mhz: 'mhz',
    ghz: 'ghz',
    px: 'px pixel pixels',
    degree: '° degree degrees grad',
    celsius: '°c celsius',
    fahrenheit: '°f fahrenheit',
    times: 'x × times fold mal fois veces volte',
    th: 'st nd rd th er ère',
    am: 'am a.m',
    pm: 'pm p.m',
  }).flatMap(([unit, names]) => names.split(' ').map((name): [string, string] => [name, unit])),
)

/** Powers of ten for words after a number. */
export const scales: ReadonlyMap<string, number> = new Map(
  Object.entries({
    2: 'hundred hundert 百',
    3: 'thousand thousands k tausend mille mil duizend тысяч тысячи тысяча 千',
    4: '万 萬',
    6: 'million millions mn mio millionen millones milioni milhões miljoen miljoner milliona миллион миллиона миллионов млн',
    8: '億 亿',
    9: 'billion billions bn milliarde milliarden mrd milliard milliards miliardi miljard миллиард миллиарда миллиардов млрд',
    12: 'trillion trillions tn billionen',
  }).flatMap(([power, names]) => names.split(' ').map((name): [string, number] => [name, Number(power)])),
)

/** Small numbers in words. Articles and words with another common meaning (once, due, sei) are left out. */
export const numberWords: ReadonlyMap<string, string> = new Map([
  ...list(
    0,
    'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty',
  ),
  ...tens('thirty forty fifty sixty seventy eighty ninety'),
  ...list(2, 'zwei drei vier fünf sechs sieben acht neun zehn elf zwölf'),
  ...list(2, 'deux trois quatre cinq six sept huit neuf dix onze douze'),
  ...list(2, 'dos tres cuatro cinco seis siete ocho nueve diez - doce'),
  ...list(3, 'tre quattro cinque - sette otto nove dieci undici dodici'),
  ...list(2, 'dois três quatro cinco seis sete oito nove dez onze doze'),
  ...list(2, 'twee drie vier vijf zes zeven acht negen tien elf twaalf'),
  ...list(2, 'два три четыре пять шесть семь восемь девять десять'),
  ['dozen', '12'],
  ['half', '0.5'],
  ['quarter', '0.25'],
  ['twice', 'x2'],
  ['double', 'x2'],
  ['doubled', 'x2'],
  ['thrice', 'x3'],
  ['triple', 'x3'],
  ['tripled', 'x3'],
  ...'dozens hundreds thousands millions billions'.split(' ').map((word): [string, string] => [word, word]),
])

export const ordinalWords: ReadonlyMap<string, string> = new Map(
  list(1, 'first second third fourth fifth sixth seventh eighth ninth tenth'),
)

function list(from: number, words: string): [string, string][] {
  const pairs = words.split(' ').map((word, index): [string, string] => [word, String(from + index)])
  return pairs.filter(([word]) => word !== '-')
}

function tens(words: string): [string, string][] {
  return words.split(' ').map((word, index) => [word, String(30 + index * 10)])
}
