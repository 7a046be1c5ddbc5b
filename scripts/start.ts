import { join } from 'node:path';
import { NODE_FLAGS } from '#server/lib/node-flags.ts';
import { buildWeb } from './build-web.ts';

/**
 * `npm start` and `npm run serve`: brings the web build up to date and becomes the server, with a demo
 * company unless `--empty` or `--production` is given. Further arguments go to the server.
 */
const args = process.argv.slice(2);
if (!args.includes('--empty') && !args.includes('--production')) args.unshift('--demo');

const building = setTimeout(() => console.log('Building the web app ...'), 300);
await buildWeb();
clearTimeout(building);

// The server takes this process over: signals, exit code and memory are its own, with no parent
// in between that could be killed alone.
const server = join(import.meta.dirname, '../server/programs/main.ts');
if (!process.execve) {
  console.error('Purser runs on Linux and macOS; on Windows, start it inside WSL.');
  process.exit(1);
}
process.execve(process.execPath, [
  process.execPath,
  ...process.execArgv,
  ...NODE_FLAGS,
  server,
  ...args,
]);
