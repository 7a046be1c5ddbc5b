import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** A mail server that can hang: it takes connections and says nothing. */
export interface HangingMailServer {
  url: string;
  hang(): void;
  /** Answers again, also those who wait. */
  answer(): void;
  close(): void;
}

export async function startMailServer(): Promise<HangingMailServer> {
  let isHanging = false;
  const waiting: (() => void)[] = [];
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    authOptional: true,
    logger: false,
    onConnect(_session, done) {
      if (isHanging) waiting.push(done);
      else done();
    },
    onData(stream, _session, done) {
      stream.resume().once('end', () => {
        if (isHanging) waiting.push(() => done());
        else done();
      });
    },
  });
  // A connection that its client gave up.
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    hang: () => {
      isHanging = true;
    },
    answer() {
      isHanging = false;
      for (const done of waiting.splice(0)) done();
    },
    close: () => server.close(),
  };
}
