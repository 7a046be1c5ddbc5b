import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/** A way to a database that can be cut as a network is: without anybody being notified. */
export interface CutProxy {
  port: number;
  /** From now on nothing passes, and connections are accepted but lead nowhere. */
  cut(): void;
  /** New connections pass again. Those that were cut stay silent for ever, as after a lost route. */
  restore(): void;
  /**
   * Ends the next connection after that many messages of its client, of which the last may arrive: the database notices
   * what it notices of a client that is killed.
   */
  endAfter(messages: number): void;
  /** Resets all connections, as a database does whose process has crashed. */
  reset(): void;
  close(): Promise<void>;
}

/** Passes connections on to that port of this machine. */
export async function openCutProxy(targetPort: number): Promise<CutProxy> {
  const sockets = new Set<Socket>();
  let isCut = false;
  let mostMessages = Infinity;
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    return socket;
  };
  const server = createServer({ allowHalfOpen: true }, (outside) => {
    keep(outside);
    if (isCut) return;
    const inside = keep(connect({ port: targetPort, host: '127.0.0.1', allowHalfOpen: true }));
    passOn(outside, inside);
    passOn(inside, outside);
    endAt(mostMessages, outside, inside);
    mostMessages = Infinity;
  });
  function endAt(most: number, outside: Socket, inside: Socket): void {
    let messages = 0;
    outside.on('data', () => {
      messages += 1;
      if (messages !== most) return;
      outside.destroy();
      inside.end();
    });
  }
  /** Sockets that were there when it was cut; what they send is swallowed. */
  const dead = new WeakSet<Socket>();
  function passOn(from: Socket, to: Socket): void {
    from.on('data', (chunk) => {
      if (!dead.has(from)) to.write(chunk);
    });
    from.on('end', () => {
      if (!dead.has(from)) to.end();
    });
    from.on('close', () => {
      if (!dead.has(from)) to.destroy();
    });
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      isCut = true;
      for (const socket of sockets) dead.add(socket);
    },
    restore() {
      isCut = false;
    },
    endAfter(messages) {
      mostMessages = messages;
    },
    reset() {
      for (const socket of sockets) socket.resetAndDestroy();
    },
    async close() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
