import type { UseQueryOptions } from '@tanstack/react-query';
import { apiQuery } from '#web/api/query.ts';
import type { Desk, DeskRow } from './desk.ts';

/** Query that reads one thing of a desk by its id. */
export function readOne({ read }: Desk, id: string): UseQueryOptions<DeskRow> {
  // Of a union of operations TypeScript cannot see that each replies a thing.
  return apiQuery(read, { params: { id } }) as unknown as UseQueryOptions<DeskRow>;
}
