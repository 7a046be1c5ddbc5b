import type { RouteArguments, RouteReply, RouteName, ListDeclaration } from '#contract/api.ts';
import { dayIn } from '#contract/calendar.ts';
import type { FilterOf, QueryOf, ViewOf } from '#contract/list.ts';
import type { ListSource } from '#server/db/list.ts';
import type { Db } from '#server/db/tx.ts';
import { BYTE_ORDER_MARK } from '#server/lib/csv.ts';
import type { Clock } from '#server/lib/clock.ts';
import type { Handlers, RequestContext } from './handlers.ts';

type OperationsOf<List extends ListDeclaration> =
  | List['operations']['rows']
  | (List['operations']['count'] & RouteName)
  | (List['operations']['export'] & RouteName);

/**
 * Data that an operation of a list needs besides its query, from the request or the database; it
 * may depend on the query's owner.
 */
type ReadScope<List extends ListDeclaration, Scope> = (
  db: Db,
  context: RequestContext,
  input: Omit<RouteArguments<List['operations']['rows']>, 'query'> & { query: FilterOf<List> },
) => Promise<Scope> | Scope;

interface ExportOptions<Scope> {
  /** Beginning of the file's name: `withdrawals`. */
  name: string;
  clock: Clock;
  /** The company's time zone, for the day at the end of the file's name. */
  timeZone: (scope: Scope) => string;
}

/**
 * Begins a file as {@link BYTE_ORDER_MARK} explains. The first chunk is still created before
 * anything is sent.
 */
async function* withByteOrderMark(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let mark = BYTE_ORDER_MARK;
  for await (const chunk of chunks) {
    yield mark + chunk;
    mark = '';
  }
}

/** Rows of the list in the contract's form. */
export type ItemOf<List extends ListDeclaration> =
  RouteReply<List['operations']['rows']> extends { items: (infer Item)[] } ? Item : never;

/** Handlers of a list's operations, spread into a module's. */
export function listHandlers<List extends ListDeclaration, Scope>(
  source: ListSource<List, ItemOf<List>, Scope>,
  readScope: ReadScope<List, Scope>,
  ...[exported]: List['operations']['export'] extends null ? [] : [ExportOptions<Scope>]
): Pick<Handlers, OperationsOf<List>> {
  const { rows, count, export: csv } = source.list.operations;
  type Input = Parameters<typeof readScope>[2];
  const scopeOf = async (db: Db, context: RequestContext, input: Input) =>
    readScope(db, context, input);
  return {
    [rows]: {
      kind: 'query',
      run: async (db: Db, context: RequestContext, input: Input & { query: QueryOf<List> }) =>
        source.page(db, input.query, await scopeOf(db, context, input)),
    },
    ...(count !== null && {
      [count]: {
        kind: 'query',
        run: async (db: Db, context: RequestContext, input: Input & { query: FilterOf<List> }) =>
          source.count(db, input.query, await scopeOf(db, context, input)),
      },
    }),
    ...(csv !== null &&
      exported !== undefined && {
        [csv]: {
          kind: 'csv',
          run: async (db: Db, context: RequestContext, input: Input & { query: ViewOf<List> }) => {
            const scope = await scopeOf(db, context, input);
            const day = dayIn(exported.timeZone(scope), exported.clock.now());
            let exportedRows = 0;
            const onRows = (more: number) => {
              exportedRows += more;
            };
            return {
              name: `${exported.name}-${day}.csv`,
              chunks: withByteOrderMark(source.csv(db, input.query, scope, { onRows })),
              rows: () => exportedRows,
            };
          },
        },
      }),
  } as unknown as Pick<Handlers, OperationsOf<List>>;
}
