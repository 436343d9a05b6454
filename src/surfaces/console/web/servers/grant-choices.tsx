import type { ChosenGrants, GrantOffer, ProposedServer } from '../../api/servers.ts'
import { LongText } from '../parts/long-text.tsx'

/** What a person chose: the offers that are checked, by server; undefined if the server is to run unconfined. */
export type Choices = { readonly [server: string]: readonly GrantOffer[] | undefined }

/** Everything is checked that does not rest on the word of the server alone. */
export function toFirstChoices(servers: readonly ProposedServer[]): Choices {
  return Object.fromEntries(servers.map(({ name, offers }) => [name, offers?.filter(({ isClaim }) => !isClaim)]))
}

export function toChosenGrants(choices: Choices): { [server: string]: ChosenGrants } {
  return Object.fromEntries(
    Object.entries(choices).flatMap(([server, chosen]) => {
      const of = (wanted: GrantOffer['access']) => chosen!.filter(({ access }) => access === wanted).map(({ value }) => value) // biome-ignore format: one line
      return chosen ? [[server, { read: of('read'), write: of('write'), network: of('connect') }]] : []
    }),
  )
}

interface GrantChoicesProps {
  readonly servers: readonly ProposedServer[]
  readonly choices: Choices
  readonly onChoose: (choices: Choices) => void
}

/** What each server wanted when it was started once: a list to choose from. */
export function GrantChoices({ servers, choices, onChoose }: GrantChoicesProps) {
  return (
    <>
      {servers.map((server) => (
        <fieldset key={server.name} class="grants">
          <legend>
            What <LongText text={server.name} max={64} /> may touch
          </legend>
          {server.offers === undefined ? (
            <p>
              It will run <b>unconfined</b>. <LongText text={server.note ?? ''} />
            </p>
          ) : (
            <Offers
              server={server.name}
              offers={server.offers}
              chosen={choices[server.name]}
              onChoose={(chosen) => onChoose({ ...choices, [server.name]: chosen })}
            />
          )}
        </fieldset>
      ))}
    </>
  )
}

interface OffersProps {
  readonly server: string
  readonly offers: readonly GrantOffer[]
  readonly chosen: readonly GrantOffer[] | undefined
  readonly onChoose: (chosen: readonly GrantOffer[] | undefined) => void
}

function Offers({ server, offers, chosen, onChoose }: OffersProps) {
  const verbs = { read: 'Read', write: 'Read and write', connect: 'Connect to' }
  const toggle = (offer: GrantOffer) =>
    onChoose(chosen?.includes(offer) ? chosen.filter((each) => each !== offer) : [...(chosen ?? []), offer])
  return (
    <>
      <label>
        <input
          type="radio"
          name={`grants-${server}`}
          checked={chosen !== undefined}
          onChange={() => onChoose(offers.filter(({ isClaim }) => !isClaim))}
        />{' '}
        Confine it to what is checked, and to its own files
      </label>
      <ul class="offers">
        {offers.length === 0 && <li class="dim">It wanted no folder of yours, and no host.</li>}
        {offers.map((offer) => (
          <li key={`${offer.access} ${offer.value}`}>
            <label>
              <input
                type="checkbox"
                disabled={chosen === undefined}
                checked={chosen?.includes(offer) ?? false}
                onChange={() => toggle(offer)}
              />{' '}
              {verbs[offer.access]} <LongText text={offer.value} max={200} />
            </label>
            <span class="dim">
              {offer.why}
              {offer.isClaim && ': only the server itself says so'}
            </span>
          </li>
        ))}
      </ul>
      <label>
        <input
          type="radio"
          name={`grants-${server}`}
          checked={chosen === undefined}
          onChange={() => onChoose(undefined)}
        />{' '}
        Leave it unconfined: it can do what you can
      </label>
    </>
  )
}
