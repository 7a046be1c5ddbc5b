import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { LIMITS } from '#server/lib/limits.ts';
import { errorCode, StartError } from '#server/lib/start-error.ts';

const CLOSE_IDLE_EVERY_MS = 50;

type Fetch = Parameters<typeof getRequestListener>[0];

export interface Listening {
  port: number;
  /** Answers requests from now on, which got 503 before. */
  serve(fetch: Fetch): void;
  /**
   * Accepts no new connections, lets requests in progress finish, and closes connections that take
   * too long.
   */
  close(): Promise<void>;
}

/** Maximum time for a request's headers and for all of it, and Node's check interval. */
type Timeouts = Record<'headersTimeoutMs' | 'requestTimeoutMs' | 'timeoutCheckMs', number>;

interface Place {
  /** 0 picks a free one. */
  port: number;
  /** Null binds all interfaces. */
  host: string | null;
}

/**
 * Takes a port, and answers 503 on it until `serve` is called.
 *
 * @param onError called, once it serves, with errors of a single connection: for example one that
 *   could not be accepted because there are too many open files
 * @throws StartError when the port is taken or not allowed, or the address is not this machine's
 */
export async function listen(
  place: Place,
  onError: (error: Error) => void,
  timeouts: Timeouts = LIMITS.http,
): Promise<Listening> {
  let fetch: Fetch = () =>
    new Response('Purser is starting.\n', { status: 503, headers: { 'retry-after': '1' } });
  const handle = getRequestListener((request, bindings) => fetch(request, bindings));
  const server = createServer(
    {
      headersTimeout: timeouts.headersTimeoutMs,
      requestTimeout: timeouts.requestTimeoutMs,
      // Node checks every 30 s by default, so that a time-out of 15 s could become 45 s.
      connectionsCheckingInterval: timeouts.timeoutCheckMs,
      keepAliveTimeout: LIMITS.http.keepAliveTimeoutMs,
      maxHeaderSize: LIMITS.http.maxHeaderBytes,
    },
    (incoming, outgoing) => void handle(incoming, outgoing),
  );
  await bind(server, place);
  // Without a listener the error would end the process.
  server.on('error', onError);
  return {
    port: (server.address() as AddressInfo).port,
    serve(next) {
      fetch = next;
    },
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      // A connection whose last reply ends only now would be kept alive for a next request.
      const idle = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_EVERY_MS);
      const cutOff = setTimeout(() => server.closeAllConnections(), LIMITS.http.drainTimeoutMs);
      await closed;
      clearInterval(idle);
      clearTimeout(cutOff);
    },
  };
}

function bind(server: Server, place: Place): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(explain(error, place)));
    server.listen({ port: place.port, ...(place.host === null ? {} : { host: place.host }) }, () =>
      resolve(),
    );
  });
}

/** Codes for an address that is not this machine's, is no address, or is a name that nobody knows. */
const NO_ADDRESS = ['EADDRNOTAVAIL', 'EAFNOSUPPORT', 'EAI_AGAIN', 'EINVAL', 'ENOTFOUND'];

function explain(error: Error, { port, host }: Place): Error {
  const code = errorCode(error);
  if (code === 'EADDRINUSE') {
    return new StartError(
      `Port ${port} is in use; stop what uses it, or set PORT to another, as in "PORT=3001 npm start".`,
    );
  }
  if (code === 'EACCES') {
    return new StartError(`Port ${port} is not allowed to this user; set PORT to one above 1023.`);
  }
  if (NO_ADDRESS.includes(code ?? '')) {
    return new StartError(
      `PURSER_HOST is "${host ?? ''}", which is not an address of this machine; leave it out to listen on the usual one.`,
    );
  }
  return error;
}
