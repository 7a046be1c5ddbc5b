import type { UseQueryOptions } from '@tanstack/react-query';
import { apiQuery } from '#web/api/query.ts';
import type { Desk, DeskRow } from './desk.ts';

/** Query that reads one thing of a desk by its id. */
export function readOne({ read }: Desk, id: string): UseQueryOptions<DeskRow> {
  // TypeScript cannot see that each operation of the union replies with a thing.
  return apiQuery(read, { params: { id } }) as unknown as UseQueryOptions<DeskRow>;
}
