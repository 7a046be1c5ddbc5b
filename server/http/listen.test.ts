import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { listen } from './listen.ts';

const failOn = (error: Error) => {
  throw error;
};

test.each([
  ['headers', 'GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: '],
  ['body', 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 500\r\n\r\n{'],
])('closes a connection whose %s is not complete in time', async (_what, begun) => {
  const timeouts = { headersTimeoutMs: 200, requestTimeoutMs: 400, timeoutCheckMs: 50 };
  const place = { port: 0, host: '127.0.0.1' };
  const server = await listen(place, failOn, timeouts);
  server.serve(async (request) => new Response(await request.text()));
  const socket = connect(server.port, '127.0.0.1');
  const startedAt = Date.now();
  socket.write(begun);
  socket.resume();
  await once(socket, 'close');
  // Node's own check, every 30 s, would be much later.
  expect(Date.now() - startedAt).toBeLessThan(29_000);
  await server.close();
});
