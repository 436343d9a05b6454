import { defineLanguage } from '../language.ts'

export const english = defineLanguage('English', {
  common:
    "the and of to is that it you i was we they this have with for are be on as at but what my can do your just about there if which when i'm it's that's had has been would think know like really people because then were or from get got going some out how why who me him her us our their want need see say said make time good well yeah okay yes here now where did does don't will should could very much many more most being other than them its he she by an thing things way lot little something right look come back into over year years day work let let's we're they're you're i've gonna hello thank thanks",
  fillers: 'um er uh',
  hedges: 'you know, i mean, sort of, kind of, actually, basically, literally',
  markers: 'well, so, like, okay, ok, ah, eh, honestly, anyway, you see',
  binding:
    'do did does as if what how who why where when that which let to this some any a an the every one other my your him her about would will should must these those all',
  stuttered:
    "i the a an and to of in it we he she they but if or for on at with my our your their this these was were are could would should can it's i'm we're you're they're i've we've there what when how because as from by into about be been have has",
  negations:
    "no not never none nothing nobody nowhere nor neither cannot without hardly barely scarcely aint ain't nope nah don't dont doesn't doesnt didn't didnt isn't isnt aren't arent wasn't wasnt weren't werent won't wont can't cant couldn't couldnt wouldn't wouldnt shouldn't shouldnt hasn't hasnt haven't havent hadn't hadnt mustn't needn't unless except",
  numbers:
    'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred hundreds thousand thousands million millions billion billions trillion first second third fourth fifth sixth seventh eighth ninth tenth half quarter dozen once twice double triple oh point',
})
