import type { ReactNode } from 'react';
import type { UseQueryResult } from '@tanstack/react-query';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { QueryError } from './query-error.tsx';

interface LoadedQueryProps<Data> {
  query: UseQueryResult<Data>;
  /** Name of the data in a sentence: "the withdrawal", "your payees". */
  what: string;
  /** Number of grey lines before the data is there. */
  lines?: number;
  /** Placeholder before the data is there, in place of grey lines. */
  placeholder?: ReactNode;
  /** Left out where the data is drawn elsewhere. */
  children?: (data: Data) => ReactNode;
}

/** Data of a query; grey lines before it is there, and "Failed to load ..." with Retry where it cannot be loaded. */
export function LoadedQuery<Data>({
  query,
  what,
  lines = 6,
  placeholder,
  children,
}: LoadedQueryProps<Data>) {
  return (
    <>
      {query.isPending && (placeholder ?? <Skeleton lines={lines} label={`Loading ${what}`} />)}
      {query.isError && <QueryError query={query} what={what} />}
      {query.data !== undefined && children?.(query.data)}
    </>
  );
}
