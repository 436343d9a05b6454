import { useEffect } from 'preact/hooks'
import { isSignedOut } from '../api.ts'
import { pages } from '../pages.ts'
import { Empty } from '../parts/empty.tsx'
import { Lazy } from '../parts/lazy.tsx'
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
  if (name === '') return <Skeleton />
  if (page === undefined) {
    return (
      <Empty title="There is no such page">
        The address names the page <bdi>{name}</bdi>. <a href={toAddress('inbox')}>Go to the inbox</a>.
      </Empty>
    )
  }
  const { content: Page, load } = page
  if (Page === undefined) return <Lazy key={name} load={load!} />
  return <Page key={name} />
}
