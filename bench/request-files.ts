import { randomUUID } from 'node:crypto';
import { freePort } from '#server/lib/free-port.ts';
import { AMOUNT_MINOR, unsafeHeaders, withdrawalBody } from './http.ts';
import { openInspector } from './inspector.ts';
import { runPayrollFloor } from './payroll-floor.ts';
import { makeCompany } from './people.ts';
import { serveMade } from './serve-made.ts';

/** Requests before the counted one, so that what is done once only is not counted. */
const WARM_UPS = 20;
/** Files of the relay and of other parts that work by themselves, which run at the same time. */
const IDLE_MS = 3_000;

type Say = (sentence: string) => void;

/** A script of Chrome's protocol: its functions that ran since the last look. */
interface Script {
  url: string;
  functions: { functionName: string; ranges: { count: number }[] }[];
}

/**
 * Lists the files of ours of which a function runs in the server while it answers one withdrawal request,
 * from V8's own counters, by folder. Files that also run while nobody asks anything are left out.
 */
export async function listRequestFiles(say: Say): Promise<boolean> {
  const inspector = await freePort();
  await using served = await serveMade(
    async (database, url) => {
      const company = await makeCompany(database, { people: 4, payees: 2, url });
      await runPayrollFloor(database.ownerUrl, {
        adminId: company.admin.id,
        pay: { amountMinor: AMOUNT_MINOR * 100n },
        chunkLines: 4,
      });
      return company;
    },
    { environment: { NODE_OPTIONS: `--inspect=127.0.0.1:${inspector}` } },
  );
  const { url, made } = served;
  const [payee] = made.payees;
  if (payee === undefined) throw new Error('nobody can withdraw');
  const request = async () => {
    const headers = { ...unsafeHeaders(url, payee.cookie), 'idempotency-key': randomUUID() };
    const init = { method: 'POST', headers, body: withdrawalBody(payee) };
    const response = await fetch(`${url}/api/withdrawals`, init);
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    await response.text();
  };
  await using coverage = await openCoverage(inspector);
  for (let times = 0; times < WARM_UPS; times += 1) await request();
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
  await coverage.take();
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
  const idle = new Set(await coverage.take());
  await request();
  const files = (await coverage.take()).filter((file) => !idle.has(file)).toSorted();
  const business = files.filter((file) => /^(?:contract|server\/modules)\//.test(file));
  for (const file of files) say(file);
  say(`\n${files.length} files, of them ${business.length} in contract/ and server/modules/.`);
  return true;
}

interface Coverage extends AsyncDisposable {
  /** Files of ours of which a function was called since the last time. */
  take(): Promise<string[]>;
}

async function openCoverage(port: number): Promise<Coverage> {
  const inspector = await openInspector(port);
  await inspector.ask('Profiler.enable');
  await inspector.ask('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  const root = new URL('..', import.meta.url).href;
  return {
    async take() {
      const { result } = await inspector.ask<{ result: Script[] }>('Profiler.takePreciseCoverage');
      return result
        .filter(({ url }) => url.startsWith(root) && !url.includes('/node_modules/'))
        .filter(({ functions }) => functions.some((one) => (one.ranges[0]?.count ?? 0) > 0))
        .map(({ url }) => url.slice(root.length));
    },
    [Symbol.asyncDispose]: async () => inspector.close(),
  };
}
