import { expect, test } from 'vitest'
import { decodePage } from './decode-page.ts'

const options = { contentType: 'text/html', truncated: false }

/** Text in an encoding that nothing declares, as bytes in Base64. */
const texts: [name: string, bytes: string, text: string][] = [
  [
    'GBK',
    '1tC5+rXEsujOxLuvwPrKt9PGvsOjrMjLw8fU2sjVs6PJ+rvu1tDPsru2usiy6KGjvfHM7M7Sw8e96cncyOe6zsXd0ruxrbrDsuijrMrXz8jSqtGh1PHQws/KtcSy6NK2us24yb67tcTLrqGjy67OwrK7xNzMq7jfo6y38dTyu+HGxru1sujStrXEzra1wKGjxd2y6LXEyrG85NKyutzW2NKqo6zSu7Dj0OjSqsj9tb3O5bfW',
    '中国的茶文化历史悠久，人们在日常生活中喜欢喝茶。今天我们介绍如何泡一杯好茶，首先要选择新鲜的茶叶和干净的水。水温不能太高，否则会破坏茶叶的味道。泡茶的时间也很重要，一般需要三到五分',
  ],
  [
    'Big5',
    'u0/GV6q6r/mk5aTGvvqldrF5pFuhQaRIrcymYqTpsWClzayhpKSz38V3s9yv+aFDpLWk0afarcyktrLQpnCm86p3pECqTaZur/mhQa26pf2tbr/vvty3c8JBqrqv+bitqU2wrrJiqrqk9KFDpPS3xaSjr+Ck07CqoUGnX6tot3yvfcNhr/m4raq6qP25RKFDqnev+aq6rsm2oaRdq9ytq61uoUGkQK/ru92tbqRUqOykraTA',
    '臺灣的茶文化歷史悠久，人們在日常生活中喜歡喝茶。今天我們介紹如何泡一杯好茶，首先要選擇新鮮的茶葉和乾淨的水。水溫不能太高，否則會破壞茶葉的味道。泡茶的時間也很重要，一般需要三到五分',
  ],
  [
    'Shift_JIS',
    'k/qWe4LMgqiSg4LMlbaJu4LJgs2St4Kil/COaoKqgqCC6IFBkGyBWILNloiT+oLMkLaKiILMkoaCxYKokoOC8Ip5grWC8YLFgqKC3IK3gUKNoZP6gs2CqIKigrWCooKokoOCzJP8guqV+4Lwj9CJ7oK1gtyCt4FCgtyCuIFBkFaCtYKikoOXdILGgquC6oKigsiQhYLwl3CI04K1gsSCrYK+grOCooFCgqiTkoLMibeTeILN',
    '日本のお茶の文化には長い歴史があり、人々は毎日の生活の中でお茶を楽しんでいます。今日はおいしいお茶の入れ方を紹介します。まず、新しい茶葉ときれいな水を用意してください。お湯の温度は',
  ],
  [
    'EUC-JP',
    'xvzL3KTOpKrD46TOyriyvaTLpM/EuaSkzvK7y6SspKKk6qGiv82huaTPy+jG/KTOwLiz6KTOw+akx6Sqw+Ok8rPapLek86THpKSk3qS5oaO6o8b8pM+kqqSkpLekpKSqw+Okzsb+pOzK/aTyvtKy8KS3pN6kuaGjpN6kuqGiv7ekt6Skw+PN1aTIpK2k7KSkpMq/5aTyzdGw1aS3pMakr6TApLWkpKGjpKrF8qTOsrnF2aTP',
    '日本のお茶の文化には長い歴史があり、人々は毎日の生活の中でお茶を楽しんでいます。今日はおいしいお茶の入れ方を紹介します。まず、新しい茶葉ときれいな水を用意してください。お湯の温度は',
  ],
  [
    'EUC-KR',
    'x9GxucDHIML3ILmuyK20wiC/wLejIL+qu+e4piCwocH2sO0gwNbAuLjnILvntve16cC6IMDPu/O7/ciwv6G8rSDC97imIMHxsNwguLa9yrTPtNkuIL/AtMPAuiC4wMDWtMIgwve4piCy+sDMtMIguea5/cC7ILzSsLPH1bTPtNkuILjVwPogvcW8scfRIML+wNmw+iCx+rL9x9Eg',
    '한국의 차 문화는 오랜 역사를 가지고 있으며 사람들은 일상생활에서 차를 즐겨 마십니다. 오늘은 맛있는 차를 끓이는 방법을 소개합니다. 먼저 신선한 찻잎과 깨끗한 ',
  ],
  [
    'windows-1251',
    'yvPr/PLz8OAg9+Dl7+jy6P8g6Ozl5fIg5O7r4/P+IOjx8u7w6P4sIOgg6/7k6CDxIPPk7uLu6/zx8uLo5ewg7/z+8iD34Okg6uDm5PvpIOTl7fwuINHl4+7k7f8g7Psg8ODx8erg5uXsLCDq4Oog7/Do4+7y7uLo8vwg9e7w7vjo6SD34OkuINHt4Pfg6+Ag4vvh5fDo8uUg8eLl5ujlIOvo8fL8/yDoIPfo8fLz/iDi7uTzLiDS5ezv5fDg8vPw4CDi7uT7IO3lIOTu6+bt4CDh+/L8IPHr6Pjq7uwg4vvx7uru6Swg6O3g9+Ug4urz8SDo8e/u8PLo8vH/LiDP7uTu5uTo8uUg7vIg8vC49SDk7iDv//LoIOzo7fPyLCDoIO3g7+jy7uog4+7y7uIuIM/uIOTg7e377CDj4Ofl8vssIPbl7fsg4iD98u7sIOPu5PMg7eUg6Ofs5e3o6+jx/C4=',
    'Культура чаепития имеет долгую историю, и люди с удовольствием пьют чай каждый день. Сегодня мы расскажем, как приготовить хороший чай. Сначала выберите свежие листья и чистую воду. Температура воды не должна быть слишком высокой, иначе вкус испортится. Подождите от трёх до пяти минут, и напиток готов. По данным газеты, цены в этом году не изменились.',
  ],
  [
    'KOI8-R',
    '69XM2NTV0sEg3sHF0MnUydEgyc3FxdQgxM/Mx9XAIMnT1M/SycAsIMkgzMDEySDTINXEz9fPzNjT1NfJxc0g0NjA1CDewcogy8HWxNnKIMTFztguIPPFx8/E',
    'Культура чаепития имеет долгую историю, и люди с удовольствием пьют чай каждый день. Сегод',
  ],
  [
    'windows-1250',
    'S3VsdHVyYSBwaWNpYSBoZXJiYXR5IG1hIGSzdWe5IGhpc3RvcmnqLCBhIGx1ZHppZSBjaOp0bmllIHBparkgarkga2G/ZGVnbyBkbmlhLiBEemmcIG9wb3dpZW15LCBqYWsgcHJ6eWdvdG93YeYgZG9icrkgaGVyYmF06i4gTmFqcGllcncgd3liaWVyeiCcd2llv2UgbGmcY2llIGkgY3p5c3S5IHdvZOouIFdvZGEgbmllIG1vv2UgYnnmIHpieXQgZ29yuWNhLCBibyB6ZXBzdWplIHNtYWsuIFBvY3pla2FqIG9kIHRyemVjaCBkbyBwaepjaXUgbWludXQgaSBnb3Rvd2Uu',
    'Kultura picia herbaty ma długą historię, a ludzie chętnie piją ją każdego dnia. Dziś opowiemy, jak przygotować dobrą herbatę. Najpierw wybierz świeże liście i czystą wodę. Woda nie może być zbyt gorąca, bo zepsuje smak. Poczekaj od trzech do pięciu minut i gotowe.',
  ],
  [
    'ISO-8859-2',
    'S3VsdHVyYSBwaWNpYSBoZXJiYXR5IG1hIGSzdWexIGhpc3RvcmnqLCBhIGx1ZHppZSBjaOp0bmllIHBparEgarEga2G/ZGVnbyBkbmlhLiBEemm2IG9wb3dpZW15LCBqYWsgcHJ6eWdvdG93YeYgZG9icrEgaGVyYmF06i4gTmFqcGllcncgd3liaWVyeiC2d2llv2UgbGm2Y2llIGkgY3p5c3SxIHdvZOouIFdvZGEgbmllIG1vv2UgYnnmIHpieXQgZ29ysWNhLCBibyB6ZXBzdWplIHNtYWsuIFBvY3pla2FqIG9kIHRyemVjaCBkbyBwaepjaXUgbWludXQgaSBnb3Rvd2Uu',
    'Kultura picia herbaty ma długą historię, a ludzie chętnie piją ją każdego dnia. Dziś opowiemy, jak przygotować dobrą herbatę. Najpierw wybierz świeże liście i czystą wodę. Woda nie może być zbyt gorąca, bo zepsuje smak. Poczekaj od trzech do pięciu minut i gotowe.',
  ],
  [
    'Greek',
    'xyDq7/Xr9O/98eEg9O/1IPTz4ePp7/0g3ffl6SDs4erx3CDp8/Tv8d/hIOrh6SDv6SDc7ejx+fDv6SDh8O/r4ezi3O3v9e0g9O8g9PPc6SDq3OjlIOzd8eEuINPe7OXx4SDo4SDz4fIg8O/97OUg8P7yIO3hIPb06dzu5fTlIOrh6/wg9PPc6S4g0PH+9OEg5Onh693u9OUg9vHd8+rhIPb96+vhIOrh6SDq4ejh8fwg7eXx/C4g1O8g7eXx/CDk5e0g8PHd8OXpIO3hIOXf7eHpIPDv6/0g5uXz9Pwu',
    'Η κουλτούρα του τσαγιού έχει μακρά ιστορία και οι άνθρωποι απολαμβάνουν το τσάι κάθε μέρα. Σήμερα θα σας πούμε πώς να φτιάξετε καλό τσάι. Πρώτα διαλέξτε φρέσκα φύλλα και καθαρό νερό. Το νερό δεν πρέπει να είναι πολύ ζεστό.',
  ],
  [
    'Turkish',
    'x2F5IGv8bHT8cvxu/G4gdXp1biBiaXIgZ2XnbWn+aSB2YXJk/XIgdmUgaW5zYW5sYXIgaGVyIGf8biBzZXZlcmVrIOdheSBp52VybGVyLiBCdWf8biBn/HplbCBiaXIg52F5/W4gbmFz/WwgaGF6/XJsYW5hY2Hw/W79IGFubGF0YWNh8P16LiDWbmNlIHRhemUgeWFwcmFrbGFy/SB2ZSB0ZW1peiBzdXl1IHNl52luLiBTdXl1biBz/WNha2z98P0g529rIHn8a3NlayBvbG1hbWFs/WT9ciwgeW9rc2EgdGFk/SBib3p1bHVyLiDc5yBpbGUgYmX+IGRha2lrYSBiZWtsZXlpbi4=',
    'Çay kültürünün uzun bir geçmişi vardır ve insanlar her gün severek çay içerler. Bugün güzel bir çayın nasıl hazırlanacağını anlatacağız. Önce taze yaprakları ve temiz suyu seçin. Suyun sıcaklığı çok yüksek olmamalıdır, yoksa tadı bozulur. Üç ile beş dakika bekleyin.',
  ],
  [
    'Hebrew',
    '7Pr44eX6IOT65CDp+SDk6fHo5fjp5CDg+OXr5CDl4PD56e0g8OTw6e0g7Pn65fog+uQg4evsIOnl7S4g5Onl7SDw8fT4IOvp9uMg7OTr6e8g+uQg6OXhLiD65+ns5CDh5/jlIPLs6e0g6Pjp6e0g5e7p7SDw9+np7S4g6O70+Ojl+Pog5O7p7SDs4CD2+Onr5CDs5Onl+iDi4eXk5CDu4+ku',
    'לתרבות התה יש היסטוריה ארוכה ואנשים נהנים לשתות תה בכל יום. היום נספר כיצד להכין תה טוב. תחילה בחרו עלים טריים ומים נקיים. טמפרטורת המים לא צריכה להיות גבוהה מדי.',
  ],
  [
    'windows-1256',
    '4cvex93JIMfh1MftIMrH0e3OINjm7eEg5u3TyuPK2iDH4eTH0yDI1NHIIMfh1MftIN/hIO3m4y4gx+Ht5uMg0+TKzc/LINrkIN/t3e3JIMrN1u3RINTH7SDM7c8uIMPm4ccgx87K0SDD5tHH3scg2MfSzMkg5uPHwSDk2e3dxy4g7czIIMPhxyDK3+bkIM/RzMkgzdHH0ckgx+Hjx8Eg49HK3drJIMzPxy4=',
    'لثقافة الشاي تاريخ طويل ويستمتع الناس بشرب الشاي كل يوم. اليوم سنتحدث عن كيفية تحضير شاي جيد. أولا اختر أوراقا طازجة وماء نظيفا. يجب ألا تكون درجة حرارة الماء مرتفعة جدا.',
  ],
  [
    'Thai',
    'x9GyubjDw8Gh0sO01+jBqtLB1bvD0MfRtdTI0sq1w+zC0se50rkg4cXQvNnppLmqzbq01+jBqtK32KHH0bkgx9G5udXp4MPSqNDhudC508fUuNWqp6rSt9Xo',
    'วัฒนธรรมการดื่มชามีประวัติศาสตร์ยาวนาน และผู้คนชอบดื่มชาทุกวัน วันนี้เราจะแนะนำวิธีชงชาที่',
  ],
  [
    'windows-1252',
    'TGEgY3VsdHVyZSBkdSB0aOkgYSB1bmUgbG9uZ3VlIGhpc3RvaXJlLCBldCBsZXMgZ2VucyBhaW1lbnQgZW4gYm9pcmUgY2hhcXVlIGpvdXIuIEF1am91cmSS',
    'La culture du thé a une longue histoire, et les gens aiment en boire chaque jour. Aujourd’',
  ],
]

test.each(texts)('%s is recognized without a declaration', async (_, bytes, text) => {
  const before = '<html><head><title>x</title><script>var words = "in English"</script></head><body><div class="menu">'
  const page = Buffer.concat([Buffer.from(before), Buffer.from(bytes, 'base64'), Buffer.from('</div></body></html>')])
  expect((await decodePage(page, options)).text).toBe(`${before}${text}</div></body></html>`)
})

test.each([
  ['pl', 'windows-1250', 'za\xbf\xf3\xb3\xe6'],
  ['tr', 'windows-1254', '\xfeeker'],
  ['zh-TW', 'big5', '\xaf\xf9'],
  ['zh-CN', 'gb18030', '\xb2\xe8'],
  ['lt', 'windows-1257', '\xf0ei\xf0i'],
])('a short text is decoded by its language %s, as %s', async (lang, charset, text) => {
  const page = Buffer.from(`<html lang="${lang}"><p>${text}`, 'latin1')
  expect(await decodePage(page, options)).toMatchObject({ charset, isGuess: true })
})

test('statistics override the language of a long text', async () => {
  const page = Buffer.concat([Buffer.from('<html lang=pl><p>'), Buffer.from(texts[0]![1], 'base64')])
  expect((await decodePage(page, options)).charset).toBe('gb18030')
  const western = Buffer.from(`<html lang=pl><p>${'\xe9t\xe9 '.repeat(30)}`, 'latin1')
  expect((await decodePage(western, options)).charset).toBe('windows-1250')
})

test('a short text of unknown language is Western European, and a declaration is not a guess', async () => {
  expect(await decodePage(Buffer.from('<p>caf\xe9 \x80 5', 'latin1'), options)).toEqual({
    text: '<p>café € 5',
    charset: 'windows-1252',
    isGuess: true,
  })
  const declared = Buffer.from('<meta charset=koi8-r>\xc9 ', 'latin1')
  expect(await decodePage(declared, options)).toEqual({ text: '<meta charset=koi8-r>и ', charset: 'koi8-r' })
})
