import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, TEST_ORIGIN } from '#test/app.ts';
import type { TestApp } from '#test/app.ts';
import { createEmployee } from '#test/factories/people.ts';
import { createLogLines } from '#test/log-lines.ts';
import { until } from '#test/until.ts';
import { listen } from './listen.ts';
import type { Listening } from './listen.ts';

/** Callers that disconnect in the middle of a request: a phone in a tunnel, a closed tab. */
const { log, lines } = createLogLines();
let purser: TestApp;
let server: Listening;
let cookie: string;
let incoming: IncomingMessage | undefined;
beforeAll(async () => {
  purser = await openTestApp({ log });
  const place = { port: 0, host: '127.0.0.1' };
  server = await listen(place, (error) => log.error({ err: error }));
  server.serve((request, bindings) => {
    incoming = bindings.incoming as IncomingMessage;
    return purser.app.fetch(request, bindings);
  });
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
  incoming = undefined;
  const socket = connect(server.port, '127.0.0.1');
  await once(socket, 'connect');
  socket.on('error', () => undefined);
  socket.write(
    [
      `${to} HTTP/1.1`,
      'Host: localhost',
      `Origin: ${TEST_ORIGIN}`,
      `Cookie: ${cookie}`,
      `Content-Type: ${type}`,
      'Content-Length: 5000',
      '',
      '{"bankName":',
    ].join('\r\n'),
  );
  await until(() => incoming?.readableDidRead === true);
  socket.destroy();
  const requests = () =>
    lines.filter((line) => line['route'] === route && line['ms'] !== undefined);
  await until(() => requests().length > 0);
  expect(requests()).toMatchObject([{ level: 'info', status: 400 }]);
  expect(lines.filter(({ level }) => level === 'error' || level === 'fatal')).toEqual([]);
});
