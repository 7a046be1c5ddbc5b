import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, TEST_ORIGIN } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { createEmployee } from '#test/factories/people.ts';
import { createLogLines } from '#test/log-lines.ts';
import { listen } from './listen.ts';
import type { Listening } from './listen.ts';

/** Callers that disconnect in the middle of a request: a phone in a tunnel, a closed tab. */
const { log, lines } = createLogLines();
let purser: TestApp;
let server: Listening;
let cookie: string;
beforeAll(async () => {
  purser = await openTestApp({ log });
  const place = { port: 0, host: '127.0.0.1' };
  server = await listen(purser.app.fetch, place, (error) => log.error({ err: error }));
  cookie = await purser.cookieOf(await createEmployee(purser.db, purser.services));
});
afterAll(async () => {
  await server.close();
  await purser.close();
});

test.each([
  ['JSON', 'POST /api/bank-accounts', 'application/json', 'addBankAccount'],
  ['an image', 'POST /api/kyc/documents/id_front', 'image/png', 'uploadDocument'],
])('%s that breaks off is not logged as an error', async (_what, to, type, route) => {
  const socket = connect(server.port, '127.0.0.1');
  await once(socket, 'connect');
  socket.on('error', () => undefined);
  socket.write(
    [
      `${to} HTTP/1.1`,
      ...['Host: localhost', `Origin: ${TEST_ORIGIN}`, `Cookie: ${cookie}`],
      ...[`Content-Type: ${type}`, 'Content-Length: 5000', '', '{"bankName":'],
    ].join('\r\n'),
  );
  await sleep(300);
  socket.destroy();
  const requests = () =>
    lines.filter((line) => line['route'] === route && line['ms'] !== undefined);
  for (let tries = 0; requests().length === 0 && tries < 100; tries += 1) await sleep(50);
  expect(requests()).toMatchObject([{ level: 'info', status: 400 }]);
  expect(lines.filter(({ level }) => level === 'error' || level === 'fatal')).toEqual([]);
});
