import type { PayrollBatch, PayrollPreview, RouteReply } from '#contract/api.ts';
import { freePort } from '#server/lib/free-port.ts';
import { PAYSLIPS_IN_ARCHIVE } from '#contract/account-documents.ts';
import { diskBytes, timeVerification } from './books.ts';
import { openBenchDatabase } from './database.ts';
import { acknowledgeAll, ask } from './http.ts';
import { makeDraft, OWN, payFloor, payLastMonth } from './own-company.ts';
import { makeCompany } from './people.ts';
import { untilPaid } from './payroll.ts';
import type { Company } from './people.ts';
import { measured } from './processor-time.ts';
import { atMost, Figures, mean, milliseconds, percentile, seconds, times } from './report.ts';
import { startBenchServer } from './server.ts';

const MOST_RATIO = 1.2;
const MOST_RESIDENT_MB = 400;
/** Maximum with a million people. */
const MOST_RESIDENT_MB_OF_MILLION = 600;
/** Maximum for a payroll of 1,000,000 people, on two quiet cores; of fewer people in proportion. */
const MOST_SECONDS_A_MILLION = 180;
const MILLION = 1_000_000;
/** Maximum for the database and its log, whatever the number of people up to a million. */
const MOST_DISK_GB = 32;
const DRAFTS = '/api/admin/payroll/drafts';

/**
 * `npm run bench -- --own`: a payroll with each person's own amount, from a draft: read by its sheet, previewed with the
 * differences to the last payroll, acknowledged, sent and paid. Bare SQL writes the same rows before and after. Then its
 * payslips are drawn, and all books verified.
 *
 * @returns true if the targets were met and the books are sound
 */
export async function benchOwnAmounts(
  people: number,
  say: (sentence: string) => void,
): Promise<boolean> {
  await using closing = new AsyncDisposableStack();
  const database = await openBenchDatabase(() => undefined);
  closing.defer(() => database.close());
  const port = await freePort();
  const url = `http://localhost:${port}`;
  say(`Hiring ${people} people.`);
  const company = await makeCompany(database, { people, payees: 0, url });
  await payLastMonth(database, company);

  const roots = [database.pid];
  const draftId = await makeDraft(database, company, OWN);
  const payBare = async () => {
    await database.settle();
    say('Paying everybody by bare SQL.');
    return measured(roots, () => payFloor(database, company, { draftId }));
  };
  const before = await payBare();
  say(`It took ${seconds(before.tookMs)}.`);
  await database.settle();
  const server = await startBenchServer(database.dataDir, port);
  closing.defer(() => server.stop());
  const residentMb = () => (server.peakResidentBytes() ?? 0) / 1e6;
  const figures = new Figures(say);
  say('Reading the sheet, previewing, acknowledging, sending and paying by Purser.');
  const sheet = await readSheet(url, company, draftId);
  const own = await payByPurser({ url, company, draftId, roots: [...roots, server.pid] });
  figures.add(
    { what: `Reading the sheet of ${people} people`, measured: seconds(sheet.tookMs) },
    { what: 'A page of it, p95', measured: milliseconds(sheet.p95Ms) },
    { what: 'Previewing with differences', measured: seconds(own.preview.tookMs) },
    { what: 'Acknowledging each group', measured: seconds(own.acknowledging.tookMs) },
    { what: 'Sending', measured: seconds(own.sending.tookMs) },
    { what: 'Paying', measured: seconds(own.paying.tookMs) },
    atMost(
      'From preview to completed',
      own.allMs / 1_000,
      (MOST_SECONDS_A_MILLION * people) / MILLION,
      ' s',
    ),
    atMost(
      'Server, resident at most',
      residentMb(),
      people < MILLION ? MOST_RESIDENT_MB : MOST_RESIDENT_MB_OF_MILLION,
      ' MB',
    ),
  );
  say('Drawing its payslips.');
  const payslips = await drawPayslips(url, company, own.sending.result.id);
  const drawn = Math.min(people, PAYSLIPS_IN_ARCHIVE);
  figures.add(
    { what: `Payslips as PDF: ${drawn}`, measured: seconds(payslips.tookMs) },
    { what: 'One of them', measured: milliseconds(payslips.tookMs / drawn) },
    { what: 'Their archive', measured: `${(payslips.bytes / 1e6).toFixed(1)} MB` },
    atMost('Server with them, resident at most', residentMb(), MOST_RESIDENT_MB_OF_MILLION, ' MB'),
  );
  await server.stop();
  const after = await payBare();

  const bareMs = mean([before.tookMs, after.tookMs]);
  const barePart = mean([before.processorMs, after.processorMs]);
  figures.add(
    { what: 'By bare SQL', measured: seconds(bareMs) },
    atMost('From sent to completed / bare SQL', own.sentMs / bareMs, MOST_RATIO, ' x'),
    { what: 'With preview and acknowledgements', measured: times(own.allMs / bareMs) },
    { what: 'Processor time of it', measured: times(own.processorMs / barePart) },
  );
  say('Sealing and verifying all books.');
  const problems = await timeVerification(database, people, figures);
  figures.add(
    atMost('Disk of the database', (await diskBytes(database)) / 1e9, MOST_DISK_GB, ' GB'),
  );
  const isMet = figures.end();
  for (const problem of problems) say(problem);
  return problems.length === 0 && isMet;
}

/** Reads the first archive of payslips of a payroll. */
async function drawPayslips(url: string, { admin }: Company, batchId: string) {
  const startedAt = performance.now();
  const path = `/api/admin/payroll/batches/${batchId}/payslips`;
  const response = await fetch(url + path, { headers: { cookie: admin.cookie } });
  if (!response.ok || response.body === null) {
    throw new Error(`${path}: ${response.status} ${await response.text()}`);
  }
  let bytes = 0;
  for await (const chunk of response.body) bytes += chunk.length;
  return { bytes, tookMs: performance.now() - startedAt };
}

type People = RouteReply<'adminGetDraftPeople'>;

/** Reads everybody of a draft, as its sheet does. */
async function readSheet(url: string, { admin }: Company, draftId: string) {
  const startedAt = performance.now();
  const tookMs: number[] = [];
  let after: string | null = null;
  do {
    const pageAt = performance.now();
    const query: string = after === null ? '' : `?after=${after}`;
    const page: People = await ask<People>(
      url,
      `${DRAFTS}/${draftId}/people${query}`,
      admin.cookie,
    );
    tookMs.push(performance.now() - pageAt);
    after = page.next;
  } while (after !== null);
  return { tookMs: performance.now() - startedAt, p95Ms: percentile(tookMs, 0.95) };
}

/** Previews a draft, acknowledges its differences, sends it and waits until everybody is paid. */
export async function payByPurser({
  url,
  company,
  draftId,
  roots,
}: {
  url: string;
  company: Pick<Company, 'admin'>;
  draftId: string;
  roots: readonly number[];
}) {
  const { cookie } = company.admin;
  const draft = `${DRAFTS}/${draftId}`;
  const preview = await measured(roots, () =>
    ask<PayrollPreview>(url, `${draft}/preview`, cookie, '{}'),
  );
  const { hash, alreadyPaid, differences } = preview.result;
  if (differences?.groups.length !== 4) throw new Error('the draft differs in every way');
  const acknowledging = await measured(roots, () => acknowledgeAll(url, company, preview.result));
  const body = JSON.stringify({ previewHash: hash, alreadyPaidHash: alreadyPaid?.hash });
  const sending = await measured(roots, () =>
    ask<PayrollBatch>(url, `${draft}/send`, cookie, body),
  );
  const paying = await measured(roots, () => untilPaid(url, company, sending.result.id));
  const parts = [preview, acknowledging, sending, paying];
  const sum = (values: readonly number[]) => values.reduce((all, value) => all + value, 0);
  return {
    preview,
    acknowledging,
    sending,
    paying,
    sentMs: sending.tookMs + paying.tookMs,
    allMs: sum(parts.map(({ tookMs }) => tookMs)),
    processorMs: sum(parts.map((part) => part.processorMs)),
  };
}
