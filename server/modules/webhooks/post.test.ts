import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { post } from './post.ts';
import type { Network } from './post.ts';
import { isPublicAddress } from './public-address.ts';
import { signedHeaders } from './sign.ts';

const servers: Server[] = [];
const sockets: Socket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});

/** A receiver that answers with exactly the given bytes; returns its port. */
async function receiver(answer: (socket: Socket) => void): Promise<number> {
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => answer(socket));
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('It has no port');
  return address.port;
}

/** A network in which every name resolves to the receiver's address, which is public. */
function network(part: Partial<Network> = {}): Network {
  return {
    resolve: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]),
    isAllowed: () => true,
    timeoutMs: 5_000,
    ...part,
  };
}

const to = (port: number | string, how = network()) =>
  post({ url: `http://hooks.example:${port}/in`, headers: {}, body: '{}' }, how);
const ok = (socket: Socket) => socket.write('HTTP/1.1 204 No Content\r\n\r\n');
const CLOSED = { problem: 'The address is not on the public internet' };

test('signs as the specification’s own example', () => {
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const message = {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    body: '{"test": 2432232314}',
    at: new Date(1_614_265_330_000),
  };
  const expected = 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=';
  expect(signedHeaders([secret], message)).toEqual({
    'webhook-id': message.id,
    'webhook-timestamp': '1614265330',
    'webhook-signature': expected,
  });
  const both = signedHeaders(['whsec_AAAA', secret], message)['webhook-signature'];
  expect(both?.split(' ')).toEqual([expect.stringMatching(/^v1,/), expected]);
});

test('posts the body with its headers and returns the status', async () => {
  let seen = '';
  const port = await receiver((socket) => ok(socket));
  servers[0]?.on('connection', (socket) => socket.on('data', (data) => (seen += String(data))));
  const url = `http://hooks.example:${port}/in?a=b`;
  const message = { url, headers: { 'webhook-id': 'one' }, body: '{"type":"x"}' };
  expect(await post(message, network())).toEqual({ status: 204 });
  expect(seen).toContain('POST /in?a=b HTTP/1.1');
  expect(seen).toContain('webhook-id: one');
  expect(seen).toContain(`Host: hooks.example:${port}`);
  expect(seen.endsWith('\r\n\r\n{"type":"x"}')).toBe(true);
});

test('follows no redirect', async () => {
  let visits = 0;
  const port = await receiver((socket) => {
    visits += 1;
    socket.write('HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1/admin\r\n\r\n');
  });
  expect(await to(port)).toEqual({ status: 302 });
  expect(visits).toBe(1);
});

describe('a private address', () => {
  test.each([
    '0.0.0.0',
    '10.1.2.3',
    '100.64.0.1',
    '127.0.0.1',
    '169.254.169.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    'fc00::1',
    'fd12::1',
    'fe80::1',
    '64:ff9b::a00:1',
    '2002:7f00:1::',
    '2001:db8::1',
    'ff02::1',
    'localhost',
    '',
  ])('%s is not on the public internet', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });

  test.each(['1.1.1.1', '172.15.0.1', '172.32.0.1', '93.184.215.14', '2606:2800:220:1::1'])(
    '%s is public',
    (address) => {
      expect(isPublicAddress(address)).toBe(true);
    },
  );

  test.each(['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1', '017700000001'])(
    'is refused in any notation: %s',
    async (host) => {
      const url = `http://${host}:1/`;
      expect(await post({ url, headers: {}, body: '{}' })).toEqual(CLOSED);
    },
  );

  test('is refused among public ones', async () => {
    let isReached = false;
    const port = await receiver(() => (isReached = true));
    const resolve = () =>
      Promise.resolve([
        { address: '93.184.215.14', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ]);
    expect(await to(port, network({ resolve, isAllowed: isPublicAddress }))).toMatchObject(CLOSED);
    expect(isReached).toBe(false);
  });

  test('is not reached by a name that changes between the check and the connection', async () => {
    const asked: string[] = [];
    const checked: string[] = [];
    const port = await receiver(ok);
    const answer = await to(
      port,
      network({
        // Public at the first lookup, private at the second.
        resolve: (host) => {
          asked.push(host);
          const address = asked.length === 1 ? '127.0.0.1' : '10.0.0.1';
          return Promise.resolve([{ address, family: 4 }]);
        },
        isAllowed: (address) => {
          checked.push(address);
          return address === '127.0.0.1';
        },
      }),
    );
    // There was one lookup, and the checked address is the one that was connected to.
    expect(answer).toEqual({ status: 204 });
    expect(asked).toEqual(['hooks.example']);
    expect(checked).toEqual(['127.0.0.1']);
  });
});

describe('a receiver that', () => {
  const hasty = network({ timeoutMs: 300 });
  const LATE = { problem: 'No answer in time' };

  test('never answers is given up', async () => {
    const port = await receiver(() => undefined);
    expect(await to(port, hasty)).toEqual(LATE);
  });

  test('has a name that nobody resolves is given up', async () => {
    const { promise: never } = Promise.withResolvers<never>();
    expect(await to(1, { ...hasty, resolve: () => never })).toEqual(LATE);
  });

  test('sends its answer slowly is given up', async () => {
    const port = await receiver((socket) => {
      const drip = setInterval(() => socket.write('x'), 20);
      socket.write('HTTP/1.1 200 OK\r\nX-Slow: ');
      socket.on('close', () => clearInterval(drip));
    });
    expect(await to(port, hasty)).toEqual(LATE);
  });

  test('sends 5 MB or more is cut off after its status', async () => {
    const closed = Promise.withResolvers<unknown>();
    const port = await receiver((socket) => {
      // More than any buffer of the system holds, so that a client that reads none of it is
      // noticed.
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 50000000\r\n\r\n');
      socket.write(Buffer.alloc(50_000_000));
      socket.on('error', closed.resolve).on('close', () => closed.resolve('read to its end'));
    });
    expect(await to(port)).toEqual({ status: 200 });
    expect(await closed.promise).toMatchObject({ code: expect.stringMatching(/ECONNRESET|EPIPE/) });
  });

  test('sends endless headers is refused', async () => {
    const port = await receiver((socket) => {
      socket.write(`HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(100_000)}\r\n\r\n`);
    });
    expect(await to(port)).toMatchObject({ problem: expect.stringContaining('Header overflow') });
  });

  test('closes, or does not listen, is named', async () => {
    const port = await receiver((socket) => socket.destroy());
    expect(await to(port)).toMatchObject({ problem: expect.any(String) });
    const resolve = () => Promise.reject(new Error('getaddrinfo ENOTFOUND hooks.example'));
    expect(await to(1, network({ resolve }))).toMatchObject({
      problem: expect.stringContaining('ENOTFOUND'),
    });
  });
});
