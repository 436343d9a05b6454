import { Skeleton } from '../parts/skeleton.tsx'

export default function Page() {
  return <Skeleton />
}
