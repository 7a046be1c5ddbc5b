import type { Handlers } from '#server/http/handlers.ts';
import { query } from '#server/http/handlers.ts';
import { listHandlers } from '#server/http/list-handlers.ts';
import { readSettings } from '#server/modules/settings/index.ts';
import type { Reader } from '#server/db/tx.ts';
import type { Services } from '#server/services.ts';
import { getAccountSpan } from './account-span.ts';
import { ownHistory } from './own-history.ts';
import { getHistoryEvent } from './recent.ts';
import { findRepeatable } from './repeatable.ts';
import { historyScope } from './scope.ts';
import { getHistoryTotals } from './totals.ts';
import { getLoggedTransaction } from './log/details.ts';
import { transactionLog } from './log/list.ts';
import { logScope } from './log/scope.ts';
import { transactionStats } from './log/stats.ts';
import {
  getLedgerRoots,
  getSealedBlocks,
  proveBalance,
  proveEvent,
  proveTotal,
} from './proof/prove.ts';

type Names =
  | 'listHistory'
  | 'countHistory'
  | 'exportHistory'
  | 'getHistoryEvent'
  | 'getHistoryTotals'
  | 'getAccountSpan'
  | 'proveEvent'
  | 'proveBalance'
  | 'proveTotal'
  | 'getSealedBlocks'
  | 'getLedgerRoots'
  | 'adminListTransactions'
  | 'adminExportTransactions'
  | 'adminTransactionStats'
  | 'adminGetTransaction';

export function historyHandlers(services: Services): Pick<Handlers, Names> {
  const scopeOf = async (reader: Reader, ownerId: string) =>
    historyScope(reader, ownerId, await readSettings(reader));
  return {
    ...listHandlers(ownHistory, (db, { actor }) => scopeOf(db, actor.id), {
      name: 'transactions',
      clock: services.clock,
      timeZone: ({ settings }) => settings.timeZone,
    }),
    getHistoryEvent: query(async (db, { actor }, { params }) => {
      const event = await getHistoryEvent(db, await scopeOf(db, actor.id), params.id);
      return { ...event, repeatable: await findRepeatable(db, actor.id, event.transactionId) };
    }),
    getHistoryTotals: query(async (db, { actor }) =>
      getHistoryTotals(db, await scopeOf(db, actor.id)),
    ),
    getAccountSpan: query(async (db, { actor }, { query: span }) =>
      getAccountSpan(db, await scopeOf(db, actor.id), span),
    ),
    proveEvent: query(async (db, { actor }, { params }) =>
      proveEvent(db, await scopeOf(db, actor.id), params.id),
    ),
    proveBalance: query(async (db, { actor }, { query: asked }) =>
      proveBalance(db, await scopeOf(db, actor.id), asked),
    ),
    proveTotal: query(async (db, { actor }) => proveTotal(db, await scopeOf(db, actor.id))),
    getSealedBlocks: query((db, _context, { query: { after } }) => getSealedBlocks(db, after)),
    getLedgerRoots: query((db) => getLedgerRoots(db)),
    ...listHandlers(transactionLog, (db, _context, { query: filter }) => logScope(db, filter), {
      name: 'transactions',
      clock: services.clock,
      timeZone: ({ settings }) => settings.timeZone,
    }),
    adminTransactionStats: query((db, _context, { query: filter }) => transactionStats(db, filter)),
    adminGetTransaction: query((db, _context, { params }) => getLoggedTransaction(db, params.id)),
  };
}
