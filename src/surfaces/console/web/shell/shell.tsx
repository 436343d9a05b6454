import { signal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'
import { isSignedOut } from '../api.ts'
import { pages } from '../pages.ts'
import { Empty } from '../parts/empty.tsx'
import { Notices } from '../parts/notice.tsx'
import { Skeleton } from '../parts/skeleton.tsx'
import { navigate, route, toAddress } from '../router.ts'
import { overview } from '../stream/stream.ts'
import { Announcer } from './announcer.tsx'
import { ConnectionNote } from './connection-note.tsx'
import { Header } from './header.tsx'
import { KeyHelp, openKeyHelp } from './key-help.tsx'
import { useKeys } from './keys.ts'
import { Navigation } from './navigation.tsx'
import { SignedOut } from './signed-out.tsx'

const loaded = signal<Readonly<Record<string, ComponentType | 'failed'>>>({})

/** What surrounds every page. */
export function Shell() {
  const { page: name } = route.value
  const page = pages.find((one) => one.name === name)
  const waiting = overview.value?.questions ?? 0
  useEffect(() => {
    if (name === '') navigate(toAddress('inbox'), { replace: true })
    const title = page === undefined ? 'Toolpact' : `${page.title} · Toolpact`
    document.title = waiting > 0 ? `(${waiting}) ${title}` : title
  }, [name, waiting])
  useKeys([
    { key: '/', about: 'search', run: () => document.querySelector<HTMLInputElement>('#search')?.focus() },
    { key: '?', about: 'list the keys', run: openKeyHelp },
  ])
  if (isSignedOut.value) return <SignedOut />
  return (
    <div class="shell">
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <Navigation />
      <Header page={page} />
      <main id="content" tabIndex={-1}>
        <ConnectionNote />
        <Content name={name} />
      </main>
      <Notices />
      <Announcer />
      <KeyHelp />
    </div>
  )
}

function Content({ name }: { readonly name: string }) {
  const page = pages.find((one) => one.name === name)
  const Loaded = page?.content ?? loaded.value[name]
  useEffect(() => {
    if (loaded.peek()[name] !== undefined) return
    page?.load?.().then(
      (module) => (loaded.value = { ...loaded.peek(), [name]: module.default }),
      () => (loaded.value = { ...loaded.peek(), [name]: 'failed' }),
    )
  }, [name])
  if (name === '') return <Skeleton />
  if (page === undefined) {
    return (
      <Empty title="There is no such page">
        The address names the page <bdi>{name}</bdi>. <a href={toAddress('inbox')}>Go to the inbox</a>.
      </Empty>
    )
  }
  if (Loaded === undefined) return <Skeleton />
  if (Loaded === 'failed') {
    return (
      <Empty title="This page could not be loaded">
        The server may have been updated.{' '}
        <button type="button" onClick={() => location.reload()}>
          Load the console again
        </button>
      </Empty>
    )
  }
  return <Loaded key={name} />
}
