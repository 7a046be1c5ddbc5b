import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { EVENTS } from '#contract/events/all.ts';
import * as lists from '#contract/lists.ts';
import type { RouteName } from '#contract/api.ts';
import { ROUTES } from '#contract/routes/all.ts';
import { THINGS } from '#contract/things/all.ts';
import { operationOf } from '#contract/things/operations.ts';

/** Operations whose address the server gives in another reply; the browser loads it from there. */
const GIVEN_BY_THE_SERVER = ['adminGetCheckImage', 'getAvatar', 'getCheckImage', 'getDocument'];

/** The declarations of lists, by each of their operations: a screen or a desk of a thing names the list alone. */
const LIST_OF = new Map(
  Object.entries(lists).flatMap(([list, { operations }]) =>
    Object.values(operations).map((operation) => [operation as string | null, list] as const),
  ),
);

/** Files of things that have another name than in the audit trail. */
const FILES: Readonly<Partial<Record<string, string>>> = {
  user: 'person',
  usual_pay_change: 'usual-pay-change',
};

/** Operations of acts that the back office offers, by the file of their thing: a screen names the thing alone. */
const THING_OF = new Map<string, string>(
  THINGS.flatMap((thing) =>
    Object.entries(thing.acts).flatMap(([act, { offer }]) => {
      const operation = operationOf(thing, act);
      return operation === undefined || offer === undefined
        ? []
        : [
            [
              operation,
              `#contract/things/${FILES[thing.name] ?? thing.name.replace('_', '-')}.ts`,
            ] as const,
          ];
    }),
  ),
);

test('a screen or an API key reaches every operation', () => {
  const code = globSync('web/**/*.{ts,tsx}')
    .filter((file) => !/\.test\.tsx?$/.test(file) && file !== 'web/api/live.ts')
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  const isReached = (name: RouteName) => {
    const list = LIST_OF.get(name);
    const thing = THING_OF.get(name);
    return (
      code.includes(`'${name}'`) ||
      (list !== undefined && new RegExp(`\\((?:\\w+, )?${list}\\b`).test(code)) ||
      (thing !== undefined && code.includes(thing))
    );
  };
  const unreached = (Object.keys(ROUTES) as RouteName[]).filter(
    (name) =>
      ROUTES[name].scope === null && !isReached(name) && !GIVEN_BY_THE_SERVER.includes(name),
  );
  expect(unreached).toEqual([]);
});

test('the server records every event that is declared', () => {
  const code = globSync('server/**/*.ts')
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  const unrecorded = Object.keys(EVENTS).filter((event) => {
    const [begin = ''] = event.split('.');
    return !code.includes(`'${event}'`) && !code.includes(`\`${begin}.\${`);
  });
  expect(unrecorded).toEqual([]);
});
