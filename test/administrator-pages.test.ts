import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { STATEMENT_MAX_BYTES } from '#contract/company-bank.ts';
import { IMPORT_MAX_BYTES } from '#contract/employee-import.ts';
import { ADDRESSES } from '#contract/operations.ts';
import { RETURN_FILE_MAX_BYTES } from '#contract/returns.ts';
import { unknownNameWarnings } from '#server/config/names.ts';
import { LIMITS } from '#server/lib/limits.ts';
import { NODE_FLAGS } from '#server/lib/node-flags.ts';

const ROOT = join(import.meta.dirname, '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const PAGES = [
  'README.md',
  ...globSync('{docs/*.md,deploy/*}', { cwd: ROOT }).filter((path) => !path.includes('schema')),
];
/** Matches of a pattern in all pages, each with its page. */
const named = (pattern: RegExp) =>
  PAGES.flatMap((page) =>
    Array.from(read(page).matchAll(pattern), ([, word = '']) => ({ page, word })),
  );

test('every command that the pages name is one of package.json', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const commands = named(/\bnpm run (?:-s )?([a-z][\w:-]*)/g);
  expect(commands.length).toBeGreaterThan(50);
  expect(commands.filter(({ word }) => scripts[word] === undefined)).toEqual([]);
});

test('every command of an installation that the pages name is one of deploy/purser', () => {
  const [, known = ''] = /usage: purser (.+)' >&2/.exec(read('deploy/purser')) ?? [];
  const commands = named(/(?:\bpurser-admin|\bbin\/purser) ([a-z]+)\b/g);
  expect(commands.length).toBeGreaterThan(5);
  expect(commands.filter(({ word }) => !known.split(' | ').includes(word))).toEqual([]);
});

test('every file that a page links is there', () => {
  const links = named(/\]\((?!https?:)([^)#]+)\)/g);
  expect(links.length).toBeGreaterThan(50);
  expect(links.filter(({ page, word }) => !existsSync(join(ROOT, page, '..', word)))).toEqual([]);
});

test('every page that is named is there, and so is every section that is named with it', () => {
  const texts = [
    ...PAGES,
    ...globSync('{server,scripts,contract}/**/*.ts', { cwd: ROOT }).filter(
      (path) => !path.endsWith('.test.ts'),
    ),
  ].map((page) => ({ page, text: read(page).replaceAll(/\s*\n[ #*]*/g, ' ') }));
  const page = String.raw`(?:\[[\w./-]+\]\((?:docs/)?|docs/)([\w-]+\.md)\)?`;
  const section = String.raw`"([A-Z][^"\n]{2,60})"`;
  const references = texts.flatMap(({ page: from, text }) => [
    ...Array.from(text.matchAll(new RegExp(page, 'g')), ([, to = '']) => ({
      from,
      to,
      heading: '',
    })),
    ...Array.from(
      text.matchAll(new RegExp(`${page},? \\(?${section}`, 'g')),
      ([, to = '', heading = '']) => ({ from, to, heading }),
    ),
    ...Array.from(
      text.matchAll(new RegExp(`${section} in ${page}`, 'g')),
      ([, heading = '', to = '']) => ({ from, to, heading }),
    ),
  ]);
  expect(references.filter(({ heading }) => heading !== '').length).toBeGreaterThan(15);
  const isThere = (to: string, heading: string) => {
    const path = join('docs', to);
    if (!existsSync(join(ROOT, path))) return false;
    return (
      heading === '' || `\n${read(path)}`.replaceAll(/\n#+ /g, '\n# ').includes(`\n# ${heading}\n`)
    );
  };
  expect(references.filter(({ to, heading }) => !isThere(to, heading))).toEqual([]);
});

/** Programs of an operator, whose options are named behind their name in the pages. */
const PROGRAMS = {
  backup: ['server/programs/backup.ts'],
  keys: ['server/programs/keys.ts'],
  restore: ['server/programs/restore.ts'],
  verify: ['server/programs/verify-arguments.ts'],
};

test.each(Object.entries(PROGRAMS))(
  'every option of %s that the pages name is one',
  (name, files) => {
    const source = files.map(read).join('\n');
    const lines = named(new RegExp(`\\b(?:npm run|purser-admin) ${name} (.*)`, 'g'));
    const options = lines.flatMap(({ page, word }) =>
      Array.from(word.split('`')[0]?.matchAll(/ --([a-z][\w-]+)/g) ?? [], ([, option = '']) => ({
        page,
        option,
      })),
    );
    expect(
      options.filter(({ option }) => !new RegExp(`\\b${option}'?: \\{ type`).test(source)),
    ).toEqual([]);
  },
);

/** Variables of examples: a key of a customer's own program. */
const EXAMPLES = ['PURSER_KEY'];

test('every variable that the pages name is a setting', () => {
  const variables = named(/\b(PURSER_[A-Z_]*[A-Z])\b(?!_)/g).filter(
    ({ word }) => !EXAMPLES.includes(word),
  );
  expect(variables.length).toBeGreaterThan(50);
  expect(
    variables.filter(({ word }) => unknownNameWarnings({ [word]: 'some' }).length > 0),
  ).toEqual([]);
});

/** True for a metric of the server. */
function isMetric(name: string): boolean {
  const sources = globSync('server/**/*.ts', { cwd: ROOT })
    .filter((path) => !path.endsWith('.test.ts'))
    .map(read)
    .join('\n');
  const [, of] = /^purser_pool_requests_(open|idle|waiting)$/.exec(name) ?? [];
  return sources.includes(of === undefined ? `'${name}'` : `\`purser_pool_\${name}_${of}\``);
}

test('every metric that the page and the alerts name is one of the server, and each alert is in both', () => {
  const page = read('docs/watching.md');
  const [, worth = ''] = /Worth an alert: (.*?)\n\n/s.exec(page) ?? [];
  const metricsIn = (text: string) => new Set(text.match(/\bpurser_[a-z]+_[a-z_]+/g));
  const alerts = metricsIn(read('deploy/alerts.yml').replaceAll(/#.*$/gm, ''));
  expect(alerts.size).toBeGreaterThan(10);
  expect([...metricsIn(worth)].filter((name) => !alerts.has(name))).toEqual([]);
  const metrics = new Set([...alerts, ...metricsIn(page)]);
  expect([...metrics].filter((name) => !isMetric(name))).toEqual([]);
});

test('each alert has a condition and one sentence', () => {
  const { groups } = parse(read('deploy/alerts.yml')) as AlertFile;
  const rules = groups.flatMap((group) => group.rules);
  expect(rules.length).toBeGreaterThan(10);
  for (const { alert, expr, annotations } of rules) {
    expect(expr, alert).toMatch(/purser/);
    // A comma in a sentence that is not quoted would begin another annotation, which Prometheus refuses.
    expect(Object.keys(annotations), alert).toEqual(['summary']);
  }
});

interface AlertFile {
  groups: { rules: { alert: string; expr: string; annotations: Record<string, string> }[] }[];
}

test('deploy/nginx.conf lets the largest file of each kind through', () => {
  const text = read('deploy/nginx.conf');
  const [, everywhere] = /^ {2}client_max_body_size (\d+)m;$/m.exec(text) ?? [];
  const [, prefix = '', forReturns] =
    /location (\/api\S+) \{\s+client_max_body_size (\d+)m;/.exec(text) ?? [];
  const mebibytes = (bytes: number) => bytes / 2 ** 20;
  expect(Number(everywhere)).toBeGreaterThan(
    mebibytes(Math.max(IMPORT_MAX_BYTES, STATEMENT_MAX_BYTES)),
  );
  expect(Number(forReturns)).toBeGreaterThan(mebibytes(RETURN_FILE_MAX_BYTES));
  for (const name of ['adminCheckReturns', 'adminBookReturns'] as const)
    expect(ADDRESSES[name]).toMatch(new RegExp(`^POST ${prefix}\\b`));
});

test('the command of an installation gives Node the flags of the server', () => {
  expect(read('deploy/purser')).toContain(`\${PURSER_NODE_FLAGS:-${NODE_FLAGS.join(' ')}}`);
});

test('a mail that cannot be sent is tried for three days, as the pages say', () => {
  const { maxAttempts } = LIMITS.jobs;
  const queue = read('node_modules/graphile-worker/dist/sql/failJobs.js');
  expect(queue).toContain("exp(least(attempts, 10)) * interval '1 second'");
  const waitsS = Array.from({ length: maxAttempts - 1 }, (_, index) =>
    Math.exp(Math.min(index + 1, 10)),
  );
  const hours = waitsS.reduce((sum, seconds) => sum + seconds, 0) / 3_600;
  expect(Math.round(hours / 24)).toBe(3);
  const pages = read('docs/watching.md') + read('docs/upkeep.md');
  expect(pages.match(/tried (\d+) times/g)).toEqual(Array(2).fill(`tried ${maxAttempts} times`));
});
