import type { Attempt } from './attempt.ts';
import type { Company } from './company.ts';

/** Acts that a refusal may record in the audit trail. */
const OF_REFUSALS: readonly string[] = [
  ...(['access.refused', 'confirmation.needed', 'limit.reached'] as const),
  ...(['session.refused', 'invite.refused', 'password.change_refused'] as const),
];
/** Acts that follow from another one, and are recorded with it about their own thing. */
const FOLLOWING: readonly string[] = [
  ...(['payroll_draft.sent', 'payroll_draft.returned', 'payroll_line.reduced'] as const),
  ...(['bank_account.tested', 'bank_account.deposited', 'bank_account.rejected'] as const),
  ...([
    'bank_account.returned',
    'bank_account.updated',
    'payee.returned',
    'payee.confirmed',
  ] as const),
  ...(['withdrawal.processing', 'withdrawal.completed', 'withdrawal.returned'] as const),
  ...(['bill.sent', 'bill.paid', 'bill.returned', 'bill.cancelled', 'bill.scheduled'] as const),
  ...(['withdrawal.requested', 'recovery.given_back', 'standing_bill.stopped'] as const),
  ...(['settings.updated', 'settings.discarded', 'admin_change.discarded'] as const),
  ...(['admin.revoked', 'api_key.revoked', 'invite.revoked', 'month.reopened'] as const),
  ...(['payout_reversal.announced', 'payout_reversal.refused'] as const),
  ...(['payee.change_reported', 'payee.replaced', 'bank_account.corrected'] as const),
];

interface Row {
  actorId: string | null;
  actorRole: string;
  action: string;
  subjectId: string | null;
}

/** Rows of the audit trail that a request wrote. */
async function rowsOf({ app, trail }: Company, response: Response): Promise<Row[]> {
  const rows = await app.db
    .selectFrom('auditEvent')
    .select(['id', 'actorId', 'actorRole', 'action', 'subjectId', 'requestId'])
    .where('id', '>', trail.lastId)
    .orderBy('id')
    .execute();
  trail.lastId = rows.at(-1)?.id ?? trail.lastId;
  const requestId = response.headers.get('x-request-id');
  return rows.filter((row) => row.requestId === requestId);
}

/**
 * A request that was granted is recorded as one act of who did it, once for each thing, and so is what follows from it.
 * One that was refused, or changed nothing, is not.
 *
 * @throws Error where it is otherwise
 */
export async function compareTrail(
  company: Company,
  made: Pick<Attempt, 'by' | 'method' | 'path' | 'apiKey' | 'cookie' | 'isIdle'>,
  response: Response,
): Promise<void> {
  const { by, method = 'POST', path, apiKey, cookie, isIdle = false } = made;
  const rows = await rowsOf(company, response);
  const written = rows.map(
    ({ actorRole, actorId, action }) => `${action} by ${actorRole} ${actorId}`,
  );
  const refuse = (reason: string) => {
    throw new Error(`${by.name}: ${method} ${path} ${reason}: ${written.join(', ')}`);
  };
  if (!response.ok) {
    if (rows.some(({ action }) => !OF_REFUSALS.includes(action)))
      refuse('was refused and recorded');
    return;
  }
  const isVisitor = cookie === null && apiKey === undefined;
  const isOwn = ({ actorId, actorRole }: Row) =>
    actorId === by.id && (actorRole === 'apiKey') === (apiKey !== undefined);
  if (!isVisitor && !rows.every(isOwn)) refuse('was recorded as done by another');
  const acts = rows.map(({ action }) => action).filter((one) => !FOLLOWING.includes(one));
  if (isIdle ? rows.length > 0 : rows.length === 0) refuse(`was recorded ${rows.length} times`);
  if (new Set(acts).size > 1) refuse('was recorded as several acts');
  // The rule that stops payouts is written after the other settings.
  const things = rows.filter(({ action }) => action !== 'settings.updated');
  const about = new Set(things.map(({ action, subjectId }) => `${action} ${subjectId}`));
  if (about.size !== things.length) refuse('was recorded twice about one thing');
}

/** A request that was sent again with its key writes nothing further. @throws Error where it does */
export async function expectNoTrail(
  company: Company,
  path: string,
  again: Response,
): Promise<void> {
  const rows = await rowsOf(company, again);
  if (rows.length === 0) return;
  throw new Error(`sent again, ${path} wrote ${rows.map(({ action }) => action).join()}`);
}
