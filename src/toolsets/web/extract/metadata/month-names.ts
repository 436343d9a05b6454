/** Full and abbreviated month names in the main languages, in lower case without accents. */
const months = [
  'january jan januar janner jaenner janvier janv enero ene gennaio gen janeiro januari stycznia styczen sty ocak oca января январь янв ianuarie ledna tammikuu tammikuuta січня ιανουαριου ianuar gener sijecnja leden januara janvaris sausio jaanuar януари يناير جانفي जनवरी januarie',
  'february feb februar feber fevrier fevr fev febrero febbraio fevereiro februari lutego luty lut subat sub февраля февраль фев februarie unora helmikuu helmikuuta лютого φεβρουαριου februara febrer veljace unor veebruar februaris vasario февруари فبراير فيفري फरवरी फ़रवरी',
  'march mar marz maerz mrz mars marzo marco maart mrt marca marzec mart марта март мар martie brezna maaliskuu maaliskuuta marcius березня μαρτιου marts marc maret ozujka brezen kovo مارس मार्च',
  'april apr avril avr abril abr aprile kwietnia kwiecien kwi nisan nis апреля апрель апр aprilie dubna huhtikuu huhtikuuta aprilis квітня απριλιου aprila travnja duben aprill balandzio април أبريل ابريل أفريل अप्रैल',
  'may mai mayo maggio mag maio mei maja maj mayis мая май kvetna toukokuu toukokuuta majus травня μαιου maia maig svibnja kveten maijs geguzes مايو ماي मई',
  'june jun juni juin junio giugno giu junho czerwca czerwiec cze haziran haz июня июнь июн iunie cervna kesakuu kesakuuta junius червня ιουνιου juna juny lipnja cerven juuni junijs birzelio junij юни يونيو جوان जून',
  'july jul juli juillet juil julio luglio lug julho lipca lipiec lip temmuz tem июля июль июл iulie cervence heinakuu heinakuuta julius липня ιουλιου jula juliol srpnja cervenec juuli julijs liepos julij юли يوليو جويلية जुलाई',
  'august aug aout agosto ago augustus sierpnia sierpien sie agustos agu августа август авг augusti srpna elokuu elokuuta augusztus серпня αυγουστου augusta agost agustus kolovoza srpen avgust avgusta rugpjucio أغسطس اغسطس أوت अगस्त',
  'september sep sept septembre septiembre set settembre setembro wrzesnia wrzesien wrz eylul eyl сентября сентябрь сен сент septembrie zari syyskuu syyskuuta szeptember вересня σεπτεμβριου septembra setembre rujna septembris rugsejo септември سبتمبر सितंबर सितम्बर',
  'october oct oktober okt octobre octubre ottobre ott outubro out pazdziernika pazdziernik paz ekim eki октября октябрь окт octombrie rijna lokakuu lokakuuta жовтня οκτωβριου oktobra rijen oktoobris spalio октомври أكتوبر اكتوبر अक्टूबर अक्तूबर',
  'november nov novembre noviembre novembro listopada listopad lis kasim kas ноября ноябрь ноя noiembrie listopadu marraskuu marraskuuta листопада νοεμβριου novembra studenoga studenog lapkricio ноември نوفمبر नवंबर नवम्बर',
  'december dec dezember dez decembre diciembre dic dicembre dezembro grudnia grudzien gru aralik ara декабря декабрь дек decembrie prosince joulukuu joulukuuta desember грудня δεκεμβριου decembra desembre prosinca prosinec gruodzio декември ديسمبر दिसंबर दिसम्बर',
]

/** Made with the first use: the file is loaded at every start. */
let numbers: ReadonlyMap<string, number> | undefined

/** The month number, 1 to 12; undefined if the word is not a month. */
export function toMonth(word: string): number | undefined {
  numbers ??= new Map(
    months.flatMap((names, index) => names.split(' ').map((name) => [withoutAccents(name), index + 1])),
  )
  return numbers.get(withoutAccents(word))
}

function withoutAccents(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ı', 'i').replaceAll('ł', 'l').toLowerCase()
}
