import { randomUUID } from 'node:crypto';
import type { EmployeeImport, KycDocument, RouteReply } from '#contract/api.ts';
import { picture } from '#test/factories/images.ts';
import { createClient, RefusedError, sendUntilDone } from './client.ts';
import { note } from './journal.ts';
import type { LoadOptions } from './load-options.ts';
import { wrongClock } from './wrong-clock.ts';

const EVERY_MS = 4_000;
const PEOPLE_PER_FILE = 3;
const LATE_MOVES = 30;
const CLOSING = '/api/admin/closing';

/** Work of the office: employees from files, images of identity, and the closing of a month. */
export function officeWork(options: LoadOptions): { turn: () => Promise<void>; everyMs: number }[] {
  return [
    { turn: () => importPeople(options), everyMs: EVERY_MS },
    { turn: () => storeImage(options), everyMs: EVERY_MS },
    { turn: () => closeOrOpen(options), everyMs: EVERY_MS },
  ];
}

/** An admin: adds the people of a file. */
async function importPeople({ client, journal, company }: LoadOptions): Promise<void> {
  const { cookie } = company.admin;
  const emails = Array.from({ length: PEOPLE_PER_FILE }, () => `${randomUUID()}@purser.test`);
  const rows = emails.map((email) => `Imported Person,${email},Engineering`);
  const path = '/api/admin/employee-imports';
  const file = await client.send<EmployeeImport>({
    cookie,
    path,
    file: ['Full Name,Email,Department', ...rows].join('\n'),
    hasKey: false,
    // The former file is being imported, or its upload was cut off.
    mayMeet: ['import_in_progress', 'import_not_found', 'hourly_limit'],
  });
  const confirm = { cookie, path: `${path}/${file.id}/confirm`, body: { version: file.version } };
  await sendUntilDone(client, confirm, 'import_wrong_status');
  note(journal, 'employee_import.confirmed', { id: file.id });
  for (const email of emails) journal.imported.add(email);
}

/** An employee: stores an image, and reads it from whichever server. */
async function storeImage({ client, random, closing }: LoadOptions): Promise<void> {
  const { cookie } = closing.latecomer;
  const { id } = await client.send<KycDocument>({
    cookie,
    path: '/api/kyc/documents/id_front?fileName=id.jpg',
    hasKey: false,
    file: new Uint8Array(await picture('jpeg', { seed: random.int(1, 255) })),
    mayMeet: ['hourly_limit', 'too_many_requests'],
  });
  const { url } = await client.send<RouteReply<'createDocumentLink'>>({
    cookie,
    path: `/api/kyc/documents/${id}/link`,
    hasKey: false,
  });
  await client.send({ cookie, method: 'GET', path: url });
}

/** Two admins: close the month before the present one, and open it again. */
async function closeOrOpen({ client, journal, company, closing }: LoadOptions): Promise<void> {
  const { cookie } = company.admin;
  const path = `${CLOSING}/${closing.month}`;
  const read = { cookie, method: 'GET', path } as const;
  const seen = await client.send<RouteReply<'adminGetMonth'>>(read);
  if (seen.status === 'closed') {
    const proposed = { cookie, path: `${path}/reopen`, body: { reason: 'Booked too early' } };
    if (seen.reopening === null) await client.send({ ...proposed, hasKey: false });
    const { reopening } = await client.send<RouteReply<'adminGetMonth'>>(read);
    const accept = `${CLOSING}/reopenings/${reopening?.id}/accept`;
    await change(false, () =>
      sendUntilDone(client, { cookie: company.other.cookie, path: accept }, 'proposal_not_found'),
    );
    note(journal, 'month.reopened');
    return;
  }
  if (seen.status !== 'ready') {
    const open = seen.checks.find(({ isDone }) => !isDone);
    journal.faults.push(`${closing.month} is ${seen.status}: ${open?.title}`);
    return;
  }
  const body = { hash: seen.hash, isCompared: true };
  // Money was moved in it after it was read.
  const request = { cookie, path: `${path}/close`, body, mayMeet: ['conflict'] };
  await change(true, () => sendUntilDone(client, request, 'month_wrong_status'));
  note(journal, 'month.closed');

  async function change(isClosed: boolean, act: () => Promise<void>): Promise<void> {
    const before = closing.isClosed;
    closing.isClosed = null;
    closing.changes += 1;
    try {
      await act();
      closing.isClosed = isClosed;
    } catch (error) {
      closing.isClosed = before;
      throw error;
    }
  }
}

/**
 * Starts a server whose clock is in the month that is closed and opened again, and has it move money. It may not say that it
 * did while the month is closed.
 */
export async function moveInClosedMonth({
  company,
  journal,
  random,
  closing,
}: Pick<LoadOptions, 'company' | 'journal' | 'random' | 'closing'>): Promise<void> {
  const { userId, fromWalletId, toWalletId } = closing.latecomer;
  const cookie = await company.signIn(userId);
  const minutes = Math.round((Date.parse(`${closing.month}-15T12:00:00Z`) - Date.now()) / 60_000);
  const server = await company.startServer({
    LOG_LEVEL: 'fatal',
    NODE_OPTIONS: wrongClock(minutes),
  });
  // Nobody starts it again, and a request is repeated until there is a reply.
  const ended = new AbortController();
  server.child.once('exit', () => ended.abort(new Error('The server of a closed month ended')));
  try {
    const client = createClient({
      origins: [server.origin],
      random,
      journal,
      network: { losesReplies: false },
      signal: ended.signal,
    });
    for (let count = 0; count < LATE_MOVES; count += 1) {
      const { isClosed, changes } = closing;
      const amount = { minor: '1', currency: 'USD' };
      const body = { fromWalletId, toWalletId, amount };
      const asked = { cookie, path: '/api/wallets/moves', body, mayMeet: ['month_closed'] };
      const made = await client.send<RouteReply<'moveMoney'>>(asked).catch((error: unknown) => {
        if (!(error instanceof RefusedError)) throw error;
        return null;
      });
      if (made === null) continue;
      note(journal, 'wallet_move.made', { id: made.id });
      journal.moves.add(made.id);
      const wasClosed = isClosed === true && closing.changes === changes;
      if (wasClosed) journal.faults.push(`moved in the closed month ${closing.month}: ${made.id}`);
    }
  } finally {
    await server.kill();
  }
}
