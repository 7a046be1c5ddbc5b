import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CompiledQuery } from 'kysely';
import type { RouteName } from '#contract/api.ts';
import { ROUTES } from '#contract/routes/all.ts';
import type { RouteSpec } from '#contract/routes/define.ts';
import type { LiveTopics } from '#contract/things/thing.ts';
import { pooled } from '#server/db/driver.ts';
import type { Tx } from '#server/db/tx.ts';
import { publishedIn } from '#server/events/outbox.ts';
import type { CommandHandler, Handler, Handlers } from '#server/http/handlers.ts';
import { topicsOfTable } from './table-owners.ts';

/** The handlers with their commands watched, and the differences that were found from their declarations. */
interface WatchedHandlers {
  handlers: Handlers;
  /** @throws Error that names each operation whose `changes` differ from its effects */
  expectDeclared(): void;
}

/** Compares the topics that each command declares with those that it publishes and with the tables that it writes. */
export function watchChanges(handlers: Handlers): WatchedHandlers {
  const problems = new Set<string>();
  const watched = Object.entries<Handler<RouteName>>(handlers).map(([name, handler]) => {
    const { changes, mayChange }: RouteSpec = ROUTES[name as RouteName];
    if (handler.kind !== 'command' || changes === null) return [name, handler];
    const run: CommandHandler<RouteName>['run'] = async (tx, context, input) => {
      const { result, tables } = await noteWrites(tx, () => handler.run(tx, context, input));
      noteCompared(name);
      for (const problem of findProblems(tx, { changes, mayChange, tables })) {
        problems.add(`${name} ${problem}`);
      }
      return result;
    };
    return [name, { ...handler, run }];
  });
  return {
    handlers: Object.fromEntries(watched) as Handlers,
    expectDeclared() {
      const found = [...problems].join('\n');
      problems.clear();
      if (found !== '')
        throw new Error(`Live topics in contract/routes/ or contract/things/:\n${found}`);
    },
  };
}

const comparedHere = new Set<string>();

/** Notes in a folder of a whole run of the tests that an operation was compared with its declaration. */
function noteCompared(name: string): void {
  const folder = process.env['PURSER_COMPARED'];
  if (folder === undefined || comparedHere.has(name)) return;
  comparedHere.add(name);
  appendFileSync(join(folder, String(process.pid)), `${name}\n`);
}

interface Effects {
  changes: LiveTopics;
  mayChange: LiveTopics;
  tables: readonly string[];
}

/** Notifications are published with each notice, which the declarations of acts and events name. */
function findProblems(tx: Tx, { changes, mayChange, tables }: Effects): string[] {
  const published = publishedIn(tx).map(({ topic, userId }) =>
    userId === null ? `${topic} of admins` : `${topic} of owner`,
  );
  const always = written(changes);
  const declared = [...always, ...written(mayChange)];
  const isDeclared = (topic: string) => declared.some((each) => each.startsWith(`${topic} of `));
  const shown = tables.map((table) => ({ table, topics: topicsOfTable(table) }));
  const isWritten = (each: string) =>
    shown.some(({ topics }) => topics.some((topic) => each.startsWith(`${topic} of `)));
  return [
    ...published
      .filter((each) => !each.startsWith('notifications') && !declared.includes(each))
      .map((each) => `publishes ${each}, which it does not declare`),
    ...shown
      .filter(({ topics }) => topics.length > 0 && !topics.some(isDeclared))
      .map(({ table, topics }) => `writes ${table} and declares none of ${topics.join(', ')}`),
    ...always
      .filter((each) => !published.includes(each) && !isWritten(each))
      .map((each) => `declares ${each}, and writes no table that shows there`),
  ];
}

function written({ owner = [], admins = [] }: LiveTopics): string[] {
  return [
    ...owner.map((topic) => `${topic} of owner`),
    ...admins.map((topic) => `${topic} of admins`),
  ];
}

const WRITES = /\b(?:insert\s+into|update|delete\s+from|merge\s+into)\s+"?(\w+)"?/gi;
/** Functions by which money is posted and held. */
const POSTINGS = /\bledger_(?:post|hold_place|hold_release)\(/i;

/** Runs `work`, and returns the tables that its statements name as those they write. */
async function noteWrites<T>(
  tx: Tx,
  work: () => Promise<T>,
): Promise<{ result: T; tables: string[] }> {
  const tables = new Set<string>();
  const connection = await tx.getExecutor().provideConnection(async (one) => pooled(one));
  const executeQuery = connection.executeQuery.bind(connection);
  connection.executeQuery = <R>(query: CompiledQuery) => {
    for (const [, table = ''] of query.sql.matchAll(WRITES)) tables.add(table.toLowerCase());
    if (POSTINGS.test(query.sql)) tables.add('ledger_entry');
    return executeQuery<R>(query);
  };
  try {
    return { result: await work(), tables: [...tables] };
  } finally {
    connection.executeQuery = executeQuery;
  }
}
