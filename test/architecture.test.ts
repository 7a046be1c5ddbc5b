import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  FOLDERS,
  ROOMS,
  TIERS,
  findCircles,
  findUnlistedFolders,
  findViolations,
} from './architecture.ts';

const ROOT = join(import.meta.dirname, '..');
const NOT_OURS = [
  'node_modules',
  'dist',
  'data',
  'coverage',
  'test-results',
  'playwright-report',
  'package-lock.json',
];

const paths = globSync('**/*', {
  cwd: ROOT,
  exclude: (entry) => NOT_OURS.includes(entry.name) || entry.name.startsWith('.'),
  withFileTypes: true,
})
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length + 1));

const check = (path: string, text: string) => findViolations({ path, text });

describe('the repository', () => {
  test('has no folder that the architecture does not name', () => {
    expect(findUnlistedFolders(paths)).toEqual([]);
  });

  const sources = paths
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));

  test('imports only in the allowed directions', () => {
    expect(sources.length).toBeGreaterThan(10);
    expect(sources.flatMap((source) => findViolations(source))).toEqual([]);
  });

  test('has no files that import each other in a circle', () => {
    expect(findCircles(sources)).toEqual([]);
  });
});

describe('the tree of docs/ARCHITECTURE.md', () => {
  const page = readFileSync(join(ROOT, 'docs/ARCHITECTURE.md'), 'utf8');
  const tree = page.split('```')[1] ?? '';

  test('has each module with its tier and its rooms', () => {
    const described = tree
      .split(/\n(?= {0,4}\S)/)
      .flatMap((entry) => [...entry.matchAll(/^ {4}([\w-]+)\/ +(\d+) ([^]*)$/g)]);
    expect(
      Object.fromEntries(described.map(([, module = '', tier]) => [module, Number(tier)])),
    ).toEqual(TIERS);
    const missing = described.flatMap(([, module = '', , words = '']) =>
      (ROOMS[module] ?? []).filter((room) => !words.includes(`${room}/`)),
    );
    expect(missing).toEqual([]);
  });

  test('has the other folders', () => {
    const others = [...FOLDERS].filter((path) => /^(?:contract|server|web)\/[\w-]+$/.test(path));
    expect(others.length).toBeGreaterThan(20);
    const names = others.map((path) => path.split('/')[1] ?? '');
    expect(names.filter((name) => !tree.includes(`\n  ${name}/ `))).toEqual([]);
    const top = [...FOLDERS].filter((path) => /^[\w-]+$/.test(path));
    expect(top.filter((name) => !tree.includes(`${name}/`))).toEqual([]);
  });
});

test('tests that replace a module are named in vitest.config.ts, which isolates them', () => {
  const replacing = paths.filter(
    (path) =>
      /\.test\.tsx?$/.test(path) &&
      path !== 'test/architecture.test.ts' &&
      /\bvi\.(?:mock|doMock)\(/.test(readFileSync(join(ROOT, path), 'utf8')),
  );
  const config = readFileSync(join(ROOT, 'vitest.config.ts'), 'utf8');
  expect(replacing.filter((path) => !config.includes(`'${path}'`))).toEqual([]);
});

describe('the checker catches', () => {
  test.each([
    ['an unknown package in contract', 'contract/money.ts', `import pg from 'pg';`],
    ['the server in contract', 'contract/money.ts', `import { x } from '#server/lib/ids.ts';`],
    ['the server in web', 'web/lib/a.ts', `import type { Db } from '#server/db/tx.ts';`],
    ['web in the server', 'server/http/a.ts', `import { x } from '../../web/lib/a.ts';`],
    ['tests in product code', 'server/lib/a.ts', `import { x } from '#test/database.ts';`],
    ['a file outside', 'server/lib/a.ts', `export * from '../../../elsewhere/a.ts';`],
    ['an absolute path', 'scripts/a.ts', `import '/etc/a.ts';`],
    ['a higher tier', 'server/modules/ledger/post.ts', `import { a } from '../payroll/index.ts';`],
    [
      'the same tier',
      'server/modules/kyc/a.ts',
      `import { a } from '#server/modules/wallets/index.ts';`,
    ],
    [
      'a side door',
      'server/modules/payroll/a.ts',
      `import {\n  a,\n} from '#server/modules/ledger/post.ts';`,
    ],
    [
      'a door inside a module',
      'server/modules/payroll/a.ts',
      `import { a } from '#server/modules/ledger/verify/index.ts';`,
    ],
    [
      'handlers of another module',
      'server/modules/payroll/a.ts',
      `import { a } from '#server/modules/ledger/routes.ts';`,
    ],
    [
      'handlers in a door',
      'server/modules/kyc/index.ts',
      `export { a } from './review/routes.ts';`,
    ],
    ['a later room', 'server/modules/kyc/documents/a.ts', `import { a } from '../review/b.ts';`],
    ['a module in db', 'server/db/a.ts', `import { a } from '#server/modules/audit/index.ts';`],
    [
      'the demo in every start',
      'server/programs/main.ts',
      `import { a } from '#scripts/demo/index.ts';`,
    ],
    ['the database in lib', 'server/lib/a.ts', `import { a } from '#server/db/pool.ts';`],
    ['the composition root', 'server/http/a.ts', `import { a } from '#server/programs/main.ts';`],
    ['one feature in another', 'web/features/kyc/a.ts', `import { a } from '../payroll/b.ts';`],
    ['a page in a feature', 'web/features/kyc/a.ts', `import { a } from '#web/pages/admin/b.tsx';`],
    ['the API in ui', 'web/ui/a.tsx', `import { a } from '#web/api/client.ts';`],
    ['a default export', 'web/ui/a.tsx', `export default function A() {}`],
    ['a table of the queue', 'server/jobs/a.ts', 'sql`SELECT FROM graphile_worker._private_jobs`'],
  ])('%s', (_what, path, text) => {
    expect(check(path, text)).toHaveLength(1);
  });

  test('a circle of three files, one of which loads another later', () => {
    const circle = [
      { path: 'server/lib/a.ts', text: `import type { B } from './b.ts';` },
      { path: 'server/lib/b.ts', text: `const c = () => import('#server/lib/c.ts');` },
      { path: 'server/lib/c.ts', text: `export { a } from './a.ts';` },
    ];
    const others = [
      { path: 'server/lib/above.ts', text: `import { a } from './a.ts';\nimport './below.ts';` },
      { path: 'server/lib/below.ts', text: '' },
    ];
    expect(findCircles([...others, ...circle])).toEqual(circle.map(({ path }) => path));
    expect(findCircles(others)).toEqual([]);
  });

  test('an unlisted folder', () => {
    expect(findUnlistedFolders(['server/utils/a.ts', 'server/lib/a.ts'])).toEqual(['server/utils']);
  });
});

describe('the checker allows', () => {
  test.each([
    [
      'the handlers of a module where they are put together',
      'server/startup/handlers.ts',
      `import { a } from '#server/modules/kyc/review/routes.ts';`,
    ],
    ['zod in contract', 'contract/money.ts', `import { z } from 'zod';`],
    [
      'a lower tier',
      'server/modules/payroll/a.ts',
      `import { a } from '#server/modules/ledger/index.ts';`,
    ],
    ['an earlier room', 'server/modules/kyc/review/a.ts', `import { a } from '../documents/b.ts';`],
    ['what rooms share', 'server/modules/kyc/documents/a.ts', `import { a } from '../b.ts';`],
    [
      'a test its fixtures',
      'server/modules/kyc/a.test.ts',
      `import { a } from '#test/database.ts';`,
    ],
    ['pages to compose', 'web/pages/admin/a.tsx', `import { a } from '#web/features/kyc/b.tsx';`],
    [
      'the demo when it is made',
      'server/programs/main.ts',
      `await import('#scripts/demo/index.ts');`,
    ],
    ['words about imports', 'contract/a.ts', `// import pg from 'pg';\nconst a = "from 'pg'";`],
    ['configuration its default export', 'vite.config.ts', `export default {};`],
  ])('%s', (_what, path, text) => {
    expect(check(path, text)).toEqual([]);
  });
});
