/**
 * A server whose commands and jobs run at another time, that of `ShiftedClock`:
 * `SHIFTED_CLOCK=<file> node test/shifted-server.ts --empty`. The clock goes on as the machine's does.
 */
import { readConfig } from '#server/config/config.ts';
import { firstStart } from '#server/startup/first-start.ts';
import { startServer } from '#server/startup/server.ts';
import { ShiftedClock } from './shifted-clock.ts';

const say = (sentence: string) => void process.stdout.write(`${sentence}\n`);
const fail = (error: unknown): never => {
  console.error(error);
  process.exit(1);
};

const config = readConfig(process.argv.slice(2), process.env);
const loadDemo = () => Promise.reject(new Error('it has no demo company'));
const { prepare, welcome } = firstStart(config, { loadDemo, say });
const clock = new ShiftedClock(process.env['SHIFTED_CLOCK'] ?? '');
const server = await startServer({ config, clock, say, prepare, onUnrecoverable: fail });
process.once('SIGTERM', () => {
  server.stop().then(() => process.exit(0), fail);
});
for (const line of welcome(server.publicUrl)) say(line);
