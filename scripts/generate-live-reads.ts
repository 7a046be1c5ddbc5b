import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROUTES } from '#contract/routes/all.ts';
import type { RouteSpec } from '#contract/routes/define.ts';

/**
 * `npm run live:reads`, after a change of `topics` in contract/routes/: writes contract/live-reads.ts, so
 * that the browser has the names alone and none of the schemas. A test compares it with the operations.
 */
const ROOT = join(import.meta.dirname, '..');
const FILE = join(ROOT, 'contract/live-reads.ts');

const HEADER = `import type { EventTopic, RouteName } from './paths.ts';

/**
 * The reads that live events make stale, those with the same topics together. Written by
 * \`npm run live:reads\` from the topics in routes/; a test compares it with them.
 */
`;

const reads = new Map<string, string[]>();
for (const [name, { topics }] of Object.entries<RouteSpec>(ROUTES)) {
  if (topics === null || topics.length === 0) continue;
  const key = topics.toSorted().join(' ');
  reads.set(key, [...(reads.get(key) ?? []), name]);
}
const groups = [...reads]
  .toSorted(([one], [other]) => (one < other ? -1 : 1))
  .map(([key, names]) => ({ topics: key.split(' '), reads: names.toSorted() }));
const type = 'readonly { topics: readonly EventTopic[]; reads: readonly RouteName[] }[]';
writeFileSync(
  FILE,
  `${HEADER}export const LIVE_READS: ${type} = ${JSON.stringify(groups, null, 1)};\n`,
);
execFileSync(join(ROOT, 'node_modules/.bin/oxfmt'), [FILE]);
