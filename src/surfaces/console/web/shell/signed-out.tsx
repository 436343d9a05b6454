import { Empty } from '../parts/empty.tsx'

export function SignedOut() {
  return (
    <main class="page">
      <Empty title="You are not signed in" command="toolpact open">
        A link that works once signs you in. Run this command on the machine where Toolpact runs:
      </Empty>
    </main>
  )
}
