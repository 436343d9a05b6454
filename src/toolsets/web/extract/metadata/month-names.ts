/** Full and abbreviated month names in the main languages, in lower case without accents. */
const months = [
  'january jan januar janner jaenner jan janvier janv enero ene gennaio gen janeiro januari stycznia styczen sty ocak oca января январь янв ianuarie ledna tammikuu tammikuuta januar січня ιανουαριου',
  'february feb februar feber fevrier fevr fev febrero febbraio fevereiro februari lutego luty lut subat sub февраля февраль фев februarie unora helmikuu helmikuuta лютого φεβρουαριου',
  'march mar marz maerz mrz mars marzo marco maart mrt marca marzec mart марта март мар martie brezna maaliskuu maaliskuuta marcius березня μαρτιου',
  'april apr avril avr abril abr aprile kwietnia kwiecien kwi nisan nis апреля апрель апр aprilie dubna huhtikuu huhtikuuta aprilis квітня απριλιου',
  'may mai mayo maggio mag maio mei maja maj mayis мая май kvetna toukokuu toukokuuta majus травня μαιου',
  'june jun juni juin junio giugno giu junho czerwca czerwiec cze haziran haz июня июнь июн iunie cervna kesakuu kesakuuta junius червня ιουνιου',
  'july jul juli juillet juil julio luglio lug julho lipca lipiec lip temmuz tem июля июль июл iulie cervence heinakuu heinakuuta julius липня ιουλιου',
  'august aug aout agosto ago augustus sierpnia sierpien sie agustos agu августа август авг augusti srpna elokuu elokuuta augusztus серпня αυγουστου',
  'september sep sept septembre septiembre set settembre setembro wrzesnia wrzesien wrz eylul eyl сентября сентябрь сен сент septembrie zari syyskuu syyskuuta szeptember вересня σεπτεμβριου',
  'october oct oktober okt octobre octubre ottobre ott outubro out pazdziernika pazdziernik paz ekim eki октября октябрь окт octombrie rijna lokakuu lokakuuta жовтня οκτωβριου',
  'november nov novembre noviembre novembro listopada listopad lis kasim kas ноября ноябрь ноя noiembrie listopadu marraskuu marraskuuta листопада νοεμβριου',
  'december dec dezember dez decembre diciembre dic dicembre dezembro grudnia grudzien gru aralik ara декабря декабрь дек decembrie prosince joulukuu joulukuuta desember грудня δεκεμβριου',
]

const numbers = new Map(months.flatMap((names, index) => names.split(' ').map((name) => [name, index + 1])))

/** The month number, 1 to 12; undefined if the word is not a month. */
export function toMonth(word: string): number | undefined {
  return numbers.get(withoutAccents(word))
}

function withoutAccents(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ı', 'i').replaceAll('ł', 'l').toLowerCase()
}
