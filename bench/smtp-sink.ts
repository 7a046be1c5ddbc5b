/**
 * A mail server in a separate process, which accepts every mail, counts them by address, and
 * immediately reports those to watched addresses. Its messages are below.
 */
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

/** From the bench. */
export type SinkRequest = { watch: readonly string[] } | { report: true };
/** To the bench. Times are of the clock that all processes of a machine share, in milliseconds. */
export type SinkMessage =
  | { listening: number }
  | { watched: string; atMs: number }
  | { counted: { mails: number; addresses: number; mostToOne: number; connections: number } };

const watched = new Set<string>();
const mailsTo = new Map<string, number>();
let mails = 0;
let open = 0;
let mostOpen = 0;

function send(message: SinkMessage): void {
  process.send?.(message);
}

const server = new SMTPServer({
  disabledCommands: ['STARTTLS'],
  authOptional: true,
  logger: false,
  onConnect(_session, done) {
    open += 1;
    mostOpen = Math.max(mostOpen, open);
    done();
  },
  onClose() {
    open -= 1;
  },
  onData(stream, { envelope }, done) {
    stream.resume().once('end', () => {
      for (const { address } of envelope.rcptTo) {
        if (watched.has(address)) {
          send({ watched: address, atMs: Date.now() });
          continue;
        }
        mails += 1;
        mailsTo.set(address, (mailsTo.get(address) ?? 0) + 1);
      }
      done();
    });
  },
});

process.on('message', (request: SinkRequest) => {
  if ('watch' in request) for (const address of request.watch) watched.add(address);
  else {
    const mostToOne = Array.from(mailsTo.values()).reduce((most, one) => Math.max(most, one), 0);
    send({ counted: { mails, addresses: mailsTo.size, mostToOne, connections: mostOpen } });
  }
});
process.on('disconnect', () => process.exit());
server.listen(0, '127.0.0.1', () => {
  send({ listening: (server.server.address() as AddressInfo).port });
});
