import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { LIMITS } from '#server/lib/limits.ts';
import { errorCode, StartError } from '#server/lib/start-error.ts';

const CLOSE_IDLE_EVERY_MS = 50;

export interface Listening {
  port: number;
  /** Takes no new connections, lets requests in hand finish, and cuts off what takes too long. */
  close(): Promise<void>;
}

/**
 * Serves `fetch` on a port; 0 picks a free one.
 *
 * @throws StartError when the port is taken or not allowed
 */
export async function listen(
  fetch: Parameters<typeof getRequestListener>[0],
  port: number,
): Promise<Listening> {
  const handle = getRequestListener(fetch);
  const server = createServer(
    {
      headersTimeout: LIMITS.http.headersTimeoutMs,
      requestTimeout: LIMITS.http.requestTimeoutMs,
      keepAliveTimeout: LIMITS.http.keepAliveTimeoutMs,
      maxHeaderSize: LIMITS.http.maxHeaderBytes,
    },
    (incoming, outgoing) => void handle(incoming, outgoing),
  );
  await bind(server, port);
  return {
    port: (server.address() as AddressInfo).port,
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

function bind(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(explain(error, port)));
    server.listen(port, () => resolve());
  });
}

function explain(error: Error, port: number): Error {
  const code = errorCode(error);
  if (code === 'EADDRINUSE') {
    return new StartError(
      `Port ${port} is in use; stop what uses it, or set PORT to another, as in "PORT=3001 npm start".`,
    );
  }
  if (code === 'EACCES') {
    return new StartError(`Port ${port} is not allowed to this user; set PORT to one above 1023.`);
  }
  return error;
}
