import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { API_SCOPE_IDS } from '#contract/api-keys.ts';
import { HOURLY_LIMITS } from '#contract/hourly-limits.ts';
import { money, formatMoney } from '#contract/money.ts';
import { NOTIFICATION_KINDS } from '#contract/notification-kinds.ts';
import type { NotificationKind } from '#contract/notification-kinds.ts';
import { ROUTES } from '#contract/routes/all.ts';
import type { RouteSpec } from '#contract/routes/define.ts';
import { THINGS } from '#contract/things/all.ts';
import { packOperations, unpackOperations } from '#contract/things/operations.ts';
import { OUTCOMES } from '#server/system-tests/stories/outcomes.ts';
import type { Outcome } from '#server/system-tests/stories/outcomes.ts';

const ROOT = join(import.meta.dirname, '..');
const FILE = join(ROOT, 'contract/operations.ts');

const PAGE = join(ROOT, 'docs/security.md');

const HEADER = `/**
 * Addresses and topics of the operations in routes/, for the browser: without their schemas. Written by
 * \`npm run api:client\`; a test compares it with them.
 */
import type { RouteName } from './api.ts';
import type { EventTopic } from './live-topics.ts';
import type { Address } from './routes/define.ts';
import type { MadeOperations } from './things/operations.ts';
`;

/** Writes contract/operations.ts. */
export function writeOperations(): void {
  const operations = Object.entries<RouteSpec>(ROUTES);
  const made = THINGS.map(packOperations).filter((packed) => packed !== undefined);
  const madeNames = new Set(made.flatMap(unpackOperations).map(({ name }) => name));
  const addresses = operations
    .filter(([name]) => !madeNames.has(name))
    .map(([name, { method, path }]) => [name, `${method} ${path}`]);
  const reads = Map.groupBy(
    operations.filter(([, { topics }]) => topics !== null && topics.length > 0),
    ([, { topics }]) => topics?.toSorted().join(' ') ?? '',
  );
  const groups = [...reads]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([topics, group]) => ({
      topics: topics.split(' '),
      reads: group.map(([name]) => name).toSorted(),
    }));
  writeFileSync(
    FILE,
    `${HEADER}
export const ADDRESSES = ${JSON.stringify(Object.fromEntries(addresses), null, 1)} satisfies Record<string, Address>;

/** Operations that are made from the acts of things. */
export const MADE_OPERATIONS: readonly MadeOperations[] = ${JSON.stringify(made, null, 1)};

/** The reads that live events make stale, those with the same topics together. */
export const LIVE_READS: readonly { topics: readonly EventTopic[]; reads: readonly RouteName[] }[] =
 ${JSON.stringify(groups, null, 1)};
`,
  );
  execFileSync(join(ROOT, 'node_modules/.bin/oxfmt'), [FILE]);
}

/** Heading of the table of stories in docs/security.md. */
export const STORIES = '### At worst';

const CONFIRMATIONS = ['recent', 'password'] as const;
const ACCESSES = ['signedIn', 'employee', 'admin'] as const;

/** Rows of the tables of docs/security.md that follow from the operations, by the heading above each. */
export const SECURITY_TABLES: Readonly<Record<string, readonly string[]>> = {
  '## What a session alone cannot do': rowsOf(
    CONFIRMATIONS.flatMap((confirms) => ACCESSES.map((access) => `${confirms}, ${access}`)),
    ({ confirms, access }) => `${confirms}, ${access}`,
  ),
  '## What an API key can do': rowsOf(API_SCOPE_IDS, ({ scope }) => scope),
  '### Limits per hour': rowsOf(Object.keys(HOURLY_LIMITS), ({ hourly }) => hourly),
};

/** Rows of the table of stories in docs/security.md. */
export const STORY_ROWS: readonly string[] = Object.values<Outcome>(OUTCOMES).map((outcome) => {
  const { file, who, tries, hours } = outcome;
  const wait = hours === 0 ? '–' : `${hours} hours`;
  const test = `\`server/system-tests/stories/${file}.test.ts\``;
  return `| ${[who, tries, takenIn(outcome), wait, notifiedIn(outcome), test].join(' | ')} |`;
});

/** "nothing", or "$50,000.00 left: the limit of one payment". */
function takenIn({ leftMinor, insideMinor, remark }: Outcome): string {
  const sums = [
    ...(leftMinor > 0n ? [`${formatMoney(money(leftMinor, 'USD'))} left the company`] : []),
    ...(insideMinor > 0n
      ? [`${formatMoney(money(insideMinor, 'USD'))} in a wallet, not out of it`]
      : []),
  ];
  if (sums.length === 0) return 'nothing';
  return [sums.join(', '), ...(remark === '' ? [] : [remark])].join(': ');
}

/** "admins by mail: New administrator; owner by mail if wanted: Payment Sent" */
function notifiedIn({ notified }: Outcome): string {
  const { formerAddress, ...people } = notified;
  const groups = Object.entries(people).flatMap(([who, kinds]) =>
    [...Map.groupBy(kinds, wayOf)].map(
      ([way, those]) =>
        `${who} ${way}: ${those.map((kind) => NOTIFICATION_KINDS[kind].title).join(', ')}`,
    ),
  );
  if (formerAddress) groups.push('the former address by mail, which takes it back');
  return groups.length === 0 ? 'nobody' : groups.join('; ');
}

/** The way in which a kind of notification reaches people in addition to their inbox. */
function wayOf(kind: NotificationKind): string {
  const { mail } = NOTIFICATION_KINDS[kind];
  if (mail === 'always' || mail === 'admins') return 'by mail';
  return mail === 'never' ? 'in the inbox' : 'by mail if wanted';
}

/** A row for each of these values with the operations that have it: "| `payroll:write` | `adminSendPayroll`, ... |". */
function rowsOf(
  values: readonly string[],
  valueOf: (spec: RouteSpec) => string | null,
): readonly string[] {
  const operations = Object.entries<RouteSpec>(ROUTES);
  return values.flatMap((value) => {
    const names = operations.flatMap(([name, spec]) => (valueOf(spec) === value ? [name] : []));
    return names.length === 0
      ? []
      : [`| \`${value}\` | ${names.map((name) => `\`${name}\``).join(', ')} |`];
  });
}

/** Writes the tables of docs/security.md that follow from the operations. Their heads stay. */
export function writeSecurityPage(): void {
  const page = Object.entries({ ...SECURITY_TABLES, [STORIES]: STORY_ROWS }).reduce(
    (text, [heading, rows]) => {
      const table = new RegExp(`(\\n${heading}\\n[^|]*\\|.*\\n\\|.*\\n)(?:\\|.*\\n)*`);
      return text.replace(table, (_, above: string) => `${above}${rows.join('\n')}\n`);
    },
    readFileSync(PAGE, 'utf8'),
  );
  writeFileSync(PAGE, page);
  execFileSync(join(ROOT, 'node_modules/.bin/oxfmt'), [PAGE]);
}
