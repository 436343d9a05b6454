import { defineLanguage } from '../language.ts'

export const english = defineLanguage('English', {
  looks: /^(?:th|wh|kn)|ing$|ght|ould|'(?:s|re|ve|ll|m|d)$/,
  common:
    "the a and of to in is that it you i was we they this have with for are be on as at but what my can do your just about there if which when i'm it's that's had has been would think know like really people because then were or from get got going some out how why who me him her us our their want need see say said make time good well yeah okay yes here now where did does don't will should could very much many more most being other than them its he she by an thing things way lot little something right look come back into over year years day work let let's we're they're you're i've gonna hello thank thanks also even after before still any these those so too up down off again always another made take took give tell told call called went go goes put find found keep start show play please new old big great long last next every same such own only first both each few through between under while during until since around against am i'd i'll we'll we've he's she's there's what's mean means guess maybe kind sure best better today tomorrow yesterday week month money home house school book car city world life man woman men women child children friend family name place part question answer",
  fillers: 'um er uh ah eh erm mm',
  looseFillers: 'err',
  hedges: 'you know, i mean, sort of, kind of, actually, basically, literally',
  markers: 'so, okay, ok, eh, honestly, anyway',
  asides: 'you know, i mean, well, like, you see, sort of, kind of, let me see, how do you say, what do you call it',
  leads: 'well, i mean',
  edits: "i mean, or rather, sorry, i'm sorry, excuse me, i should say, i meant",
  binding:
    'do did does as if what how who why where when that which let to this some any a an the every one other my your him her about would will should must these those all',
  stuttered:
    "i the a an and to of in it we he she they but if or for on at with my our your their his its this these those was were are could would should can it's i'm we're you're they're i've we've he's she's i'd i'll there what when how why who where which because as from by into about be been have has am than then them me us our some any just also even only through between during until since that's there's what's let's think like want need going get",
  emphatic:
    'very really so much many more far long way too super extra pretty quite big little tiny huge old good bad great hot cold hard deep fast slow loud happy sad sorry sweet poor dear again always ever yes yeah yep yup okay ok right sure well now hey hi hello bye wow oh ah ha haha heh ho hear come go run wait stop look listen help please thanks quick easy careful steady knock chop tick tock beep bang boom ring bla blah la na da yada boo hush tut night cha choo yo pom hip hooray bravo amen mama papa dada test check up down win wrong etc peri bling girls boys',
  emphaticEnding:
    /^(?:real|tru|high|deep|extreme|absolute|total|serious|slow|quick|ear|bad|near|terrib|awful|incredib|complete|literal|utter|easi|gent|soft|nice|bare|on|love|lone|strong|particular|especial|exact|great|simp|clear|hopeful|actual|final)ly$/,
  refrains:
    'come on, thank you, of course, i know, i see, go on, all right, oh my, my god, let me, good night, so far, as if, you too, i do, hold on, hang on, so what, so long, bye bye',
  doubles: [
    { words: 'that had do did her will may mark bill rob sue pat hope rose grace can-can ta' },
    {
      words: 'is was are',
      since:
        'what all whatever thing question who where how which as if when because whoever everything why problem fact point way',
    },
    { words: 'can could would should', since: 'who what that as if all which whatever' },
    { words: 'it you this there him me them us', clauses: true },
    {
      words: 'in on',
      after:
        'come came coming comes go going goes went gone get gets got getting log logged logging logs sign signed check checked move moved moving turn turned turning put bring brought hold held keep kept carry carried walk walked step stepped based fit fill filled live lived kick cut break broke give gave dig plug tune believe rely relied depend depends focus hang hung early later sent send let pull pulled called call drop dropped jump jumped',
    },
  ],
  slips: [
    {
      words: 'it you this there him me them us',
      after:
        '^ and but so if when because that what how do did does can could will would should are were was is have has or where why which as think thought guess know knew mean say said believe feel felt hope hoped then while before after than maybe although though until since whether where',
    },
    { words: 'that', after: '^ and but so at in on for with from by about' },
    { words: 'that', before: 'the a an my your our their his i you he she we they it if when' },
    { words: 'will do did', after: '^ and but so', before: 'i you he she it we they the this that there' },
    { words: 'so', before: "i we you he she they it the there if when what that this my our i'm it's we're" },
  ],
  determiners: 'a an the my your his our their every',
  dangling: 'a an the my your our their his every to',
  prepositions: 'in on at of for from with by to into about under over through between during',
  swaps: [
    { words: 'a the my our their', by: 'a an the my your our their his' },
    { words: 'an', by: 'the my your our their his' },
    { words: 'your', by: 'my our their his' },
    { words: 'i we they he she', by: 'i we they he she', notAfter: 'and or nor than as like but was', unbroken: true },
    {
      words: 'is are was were',
      by: 'is are was were',
      notSince: 'what where who how all that which whatever if when as why than because whoever way thing there',
    },
    {
      words: 'can could would should',
      by: 'can could would should might must',
      notAfter: 'the a my his her their your our tin',
      notSince: 'if what that who as where when than all how which wherever whatever whoever',
    },
  ],
  openers: 'what how why where when which who if because but so whether',
  bareAuxiliaries: 'do does did can could will would should shall might must',
  subjects: 'i we they he she',
  pronouns: 'it you there this that',
  auxiliaries: "am is are was were have has had can could will would should shall might must do does did 'll",
  elisions: "i i', we we', they they', he he', she she'",
  short:
    'ad add age ago aid aim air ale all am an and ant any ape arc are ark arm art as ash ask at ate away axe baby back bad bag ball ban band bank bar bare barn base bat bath bay be beam bean bear beat bed bee beef been beer bell belt bend bent best bet bid big bike bill bin bird bit bite blow blue boat body boil bold bolt bomb bond bone book boom boot bore born boss both bow bowl box boy buck bug bulk bull bump bun burn bus bush busy but buy by cab cafe cake call calm came camp can cap car card care cart case cash cast cat cell cent chat chin chip city clay club coal coat code cold come cook cool cop cope copy core corn cost cow crew crop cry cup cut dad dam dare dark data date dawn day dead deaf deal dear debt deck deep deer desk dial did die diet dig dim dip dirt disc dish do dock doe dog doll don done door dose dot down drag draw drop drug drum dry due dump dust duty ear earn ease east easy eat edge egg end era even ever evil exam exit eye face fact fade fail fair fall fan far fare farm fast fat fate fear fed fee feed feel feet fell felt few file fill film fin find fine fir fire firm fish fist fit five fix flag flat flow fly fold folk fond food fool foot for ford form fort four fox free from fuel full fun fund fur gain game gap gas gate gave gear get gift girl give glad go goal god gold golf gone good grab gray grew grey grid grow gun guy gym had hair half hall ham hand hang hard harm hat hate have he head hear heat held hell help hen her here hero hide high hill him hint hip hire his hit hold hole holy home hook hop hope horn host hot hour how huge hunt hurt ice idea if ill in inch inn into iron is it item jail jam jar jaw jet job join joke joy jump just keen keep kept key kick kid kill kind king kiss knee knew know lab lack lady laid lake lamb lamp land lane lap last late law lay lazy lead leaf lean leap left leg lend lens less let lie life lift like limb line link lip list live load loan lock log lone long look lord lose loss lost lot loud love low luck lump lung mad made mail main make male man many map mark mars mass mat may me meal mean meat meet melt men menu mere mess met mild mile milk mill mind mine miss mist mix moan mode mood moon more most move much mud must my name near neat neck need nest net new news next nice node none noon nor norm nose not note now nut oak odd of off oil ok old on once one only onto open or our out oven over owe own pace pack page paid pain pair pale palm pan par park part pass past pat path pay peak peer pen per pet pick pie pig pile pill pin pine pink pipe pit plan play plot plug plus poem poet pole poll pool poor pop port pose post pot pour pray prey pro pub pull pump pure push put quit race rack rage rail rain ran rank rare rat rate raw ray read real rear red rent rest rib rice rich rid ride ring riot rip rise risk road rock rod role roll roof room root rope rose row rub rude rug ruin rule run rush sad safe said sail sake sale salt same sand sat save saw say scan sea seal seat see seed seek seem seen self sell send sent set sew sex shed ship shoe shop shot show shut shy sick side sigh sign silk sin sing sink sir sit site six size ski skin sky slip slot slow small snap snow so soap soft soil sold sole some son song soon sore sort soul soup sour spa spin spit spot spy star stay stem step stir stop such suit sum sun sure swim tail take tale talk tall tan tank tap tape tar task tax tea team tear tell ten tend tent term test text than that the them then thin this thus tide tie till time tin tiny tip tire to toe told toll tom ton tone too took tool top tore torn toss tour town toy trap tray tree trim trip try tube tune turn twin two type ugly unit up upon urge us use used user van vary vast veil vein vet via view vote wage wait wake walk wall want war warm warn wash wave wax way we weak wear web weed week well went were west wet what when whip who whom why wide wife wild will win wind wine wing wipe wire wise wish with wolf won wood wool word wore work worn wrap yard yeah year yes yet you your zero zone mr mrs ms dr st vs tv pc cd uk us eu un re co pre de ex non sub net pro app apps info auto bio eco geo max min sept oct nov dec jan feb mar apr jun jul aug mon tue wed thu fri sat ada eve ray kim lee ann bob dan jo al ed',
  negations:
    "no not never none nothing nobody nowhere nor neither cannot without hardly barely scarcely aint ain't nope nah don't dont doesn't doesnt didn't didnt isn't isnt aren't arent wasn't wasnt weren't werent won't wont can't cant couldn't couldnt wouldn't wouldnt shouldn't shouldnt hasn't hasnt haven't havent hadn't hadnt mustn't needn't unless except",
  numbers:
    'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred hundreds thousand thousands million millions billion billions trillion first second third fourth fifth sixth seventh eighth ninth tenth half quarter dozen once twice double triple oh point',
})
