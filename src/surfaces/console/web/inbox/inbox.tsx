import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { QuestionList } from '../../api/questions.ts'
import { mayApprove } from '../api.ts'
import { Empty } from '../parts/empty.tsx'
import { ErrorNote } from '../parts/error-note.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { navigate, route, toAddress } from '../router.ts'
import { useKeys } from '../shell/keys.ts'
import { questions, questionsError, reloadQuestions } from '../stream/questions.ts'
import { findNext } from './find-next.ts'
import { Question } from './question.tsx'
import { Ended, Questions } from './questions.tsx'
import { Several } from './several.tsx'

/** Every question that waits for a person: the list above, the selected one below. On a phone, one or the other. */
export default function Inbox() {
  const data = questions.value
  const error = questionsError.value
  const chosen = useSignal<ReadonlySet<string>>(new Set())
  const place = useRef(0)
  const { item } = route.value
  const pending = data?.pending ?? []
  const ids = pending.map((question) => question.id)
  if (item !== null && ids.includes(item)) place.current = ids.indexOf(item)
  const several = pending.filter((question) => chosen.value.has(question.id))

  const open = (id: string | null) => id !== null && navigate(toAddress('inbox', id), { replace: item !== null })
  const choose = (id: string) => {
    const next = new Set(chosen.value)
    if (!next.delete(id)) next.add(id)
    chosen.value = next
  }
  function endSeveral(): void {
    chosen.value = new Set()
    navigate(toAddress('inbox'), { replace: true })
  }
  const first = ids[0]
  useEffect(() => {
    if (item === null && first !== undefined && !isPhone()) navigate(toAddress('inbox', first), { replace: true })
  }, [item, first])
  useKeys([
    { key: 'j', about: 'next question', run: () => open(findNext(ids, item, 1, place.current)) },
    { key: 'k', about: 'previous question', run: () => open(findNext(ids, item, -1, place.current)) },
    { key: 'Enter', about: 'open the question', run: () => open(item ?? first ?? null) },
    {
      key: 'x',
      about: 'select for answering several at once',
      run: () => item !== null && ids.includes(item) && choose(item),
    },
  ])

  if (error && !data) return <ErrorNote error={error} retry={reloadQuestions} />
  if (!data) return <Skeleton />
  if (pending.length === 0 && item === null) return <NothingToAnswer list={data} />
  return (
    <div class={`inbox ${item === null ? '' : 'has-item'}`}>
      {error && <ErrorNote error={error} retry={reloadQuestions} />}
      <Questions list={data} selected={item} chosen={chosen.value} onChoose={mayApprove() ? choose : undefined} />
      {several.length > 0 ? (
        <Several questions={several} onDone={endSeveral} />
      ) : (
        item !== null && (
          <Question key={item} id={item} list={data} onNext={() => open(findNext(ids, item, 1, place.current))} />
        )
      )}
    </div>
  )
}

function NothingToAnswer({ list }: { readonly list: QuestionList }) {
  return (
    <div class="page">
      <Empty title="Nothing to answer" command="toolpact connect">
        When a call needs a person's yes, its question appears here by itself. No agent connected yet? List the clients
        that can be:
      </Empty>
      <Ended list={list} />
    </div>
  )
}

function isPhone(): boolean {
  return matchMedia('(max-width: 720px)').matches
}
