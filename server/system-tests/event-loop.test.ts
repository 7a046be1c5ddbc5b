import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { MAX_IMAGE_BYTES } from '#contract/kyc.ts';
import { MAX_BODY_BYTES } from '#contract/limits.ts';
import { TEST_ORIGIN } from '#test/app.ts';
import { createEmployee } from '#test/factories/people.ts';
import { IMPORT_PATH, openImportApp } from '#test/import-app.ts';
import type { ImportApp } from '#test/import-app.ts';
import { longestStop } from '#test/longest-stop.ts';

/** Longest time, of the processor, for which something that a person sends may stop other people's requests. */
const MOST_STOP_MS = 100;
const LIMIT = { limitMs: MOST_STOP_MS };

const MB = 1_000_000;
/** Lines that take several times `MOST_STOP_MS` to read. */
const MANY = MB / 5;
const HEADER = 'Name,Email,Department\n';

let app: ImportApp;
let cookie: string;
beforeAll(async () => {
  app = await openImportApp();
  cookie = await app.purser.cookieOf(await createEmployee(app.purser.db, app.purser.services));
  // The first reply is compared with a document that is built for it.
  await app.checked(`${HEADER}Ana Popescu,ana@x.test,Sales\n`);
});
afterAll(() => app.purser.close());
beforeEach(() => app.clear());

const FILES: [what: string, text: string, status: number][] = [
  ['blank lines', HEADER + '\n'.repeat(MANY), 422],
  ['more blank lines than a sheet has', HEADER + '\n'.repeat(5 * MB), 422],
  ['blank lines above the header', '\n'.repeat(MANY) + HEADER, 422],
  ['lines of a comma', HEADER + ',\n'.repeat(MANY), 422],
  ['totals', HEADER + 'Total\n'.repeat(MANY), 422],
  ['one line', 'x'.repeat(MB), 422],
  ['one line of quotes', '"'.repeat(MB + 1), 422],
  ['one line of commas', ','.repeat(20 * MB), 422],
  ['a quote that is never closed', `${HEADER}"${'\n'.repeat(MB)}`, 422],
  ['rows of one cell', HEADER + 'x\n'.repeat(5_000), 201],
  ['cells of spaces', HEADER + `a${' '.repeat(9_000)}x,b${' '.repeat(9_000)},x\n`.repeat(300), 201],
  ['departments of spaces', `${HEADER}${`a,b,${' _'.repeat(9_000)}x\n`.repeat(300)}`, 201],
  [
    'addresses of dots',
    HEADER + `a,a${'.a'.repeat(4_500)}@${'a.'.repeat(4_000)},x\n`.repeat(300),
    201,
  ],
  ['letters with marks', HEADER + `a${'\u0301'.repeat(15_000)},b,x\n`.repeat(300), 201],
];

test.each(FILES)('a CSV file: %s', async (_what, text, status) => {
  const { result, stopMs } = await longestStop(() => app.upload(text), LIMIT);
  expect(result.status).toBe(status);
  expect(stopMs).toBeLessThan(MOST_STOP_MS);
  if (status !== 201) return;
  const one = (await result.json()) as { id: string };
  const columns = { fullName: 1, lastName: null, email: 0, department: 2, position: 2 };
  const again = await longestStop(() => app.act(one, 'columns', columns), LIMIT);
  expect(again.result.status).toBe(200);
  expect(again.stopMs).toBeLessThan(MOST_STOP_MS);
});

test('a CSV file that arrives byte by byte costs no more than its bytes', async () => {
  const bytes = Buffer.from(HEADER + ','.repeat(19_000));
  const body = Readable.toWeb(Readable.from(Array.from(bytes, (byte) => new Uint8Array([byte]))));
  const { usedMs, result } = await longestStop(async () =>
    app.purser.app.request(`${TEST_ORIGIN}${IMPORT_PATH}`, {
      method: 'POST',
      body,
      duplex: 'half',
      headers: { cookie: app.cookie, origin: TEST_ORIGIN },
    } as RequestInit),
  );
  expect(await result.json()).toMatchObject({ code: 'import_empty' });
  expect(usedMs).toBeLessThan(2_000);
});

const bytesOf = (text: string) => Buffer.from(text, 'latin1');
/** A file of the greatest size whose parts are as small as they can be. */
const filled = (begin: string, part: string) => {
  const bytes = Buffer.alloc(MAX_IMAGE_BYTES, bytesOf(part));
  bytes.set(bytesOf(begin));
  return bytes;
};
const IMAGES: [what: string, bytes: Buffer][] = [
  ['nothing but zeros', Buffer.alloc(MAX_IMAGE_BYTES)],
  ['an archive of empty files', filled('', `PK\x03\x04${'\0'.repeat(22)}\x01\0\0\0a`)],
  ['a PNG of empty parts', filled('\x89PNG\r\n\x1a\n', '\0\0\0\0tEXt\0\0\0\0')],
  ['a JPEG of empty parts', filled('\xff\xd8', '\xff\xfe\0\x02')],
  ['a WebP of empty parts', filled('RIFF\xff\xff\x4f\0WEBP', 'JUNK\0\0\0\0')],
];

test.each(IMAGES)('an image: %s', async (_what, bytes) => {
  const send = () => app.purser.ask('POST', '/api/avatar', { cookie, body: bytes });
  const { result, stopMs } = await longestStop(send, LIMIT);
  expect(result.status).toBe(422);
  expect(stopMs).toBeLessThan(MOST_STOP_MS);
});

const LENGTH = MAX_BODY_BYTES - 100;
const BODIES: [what: string, body: string][] = [
  ['brackets', '['.repeat(LENGTH / 2) + ']'.repeat(LENGTH / 2)],
  ['fields', JSON.stringify(Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [n, 1])))],
  ...['a ', '.a', '@', '-', '\u0301', '\u200b', '0'].map((part): [string, string] => {
    const text = `a${part.repeat(LENGTH / Buffer.byteLength(part))}a`.slice(0, LENGTH - 40);
    return [`a text of ${JSON.stringify(part)}`, JSON.stringify({ email: text, password: text })];
  }),
];

test.each(BODIES)('JSON: %s', async (_what, body) => {
  for (const path of ['/api/auth/sign-up', '/api/auth/sign-in']) {
    const { result, stopMs } = await longestStop(
      () => app.purser.ask('POST', path, { body }),
      LIMIT,
    );
    expect([413, 422]).toContain(result.status);
    expect(stopMs).toBeLessThan(MOST_STOP_MS);
  }
});
