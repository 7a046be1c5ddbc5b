import type { RouteReply } from '#contract/api.ts';
import { KYC_DOCUMENT_TYPES } from '#contract/kyc.ts';
import type { PageRequest } from '#server/db/paging.ts';
import type { Reader } from '#server/db/tx.ts';
import { invariant } from '#server/lib/errors.ts';
import { readTrail } from '#server/modules/audit/index.ts';

type AccessLogEntry = RouteReply<'listMyAccessLog'>['items'][number];

/**
 * Type of thing that each audited action opened; null for a document, whose type is in the row's
 * details.
 */
const ACCESSED: Readonly<Record<string, AccessLogEntry['what'] | null>> = {
  'kyc.application_opened': 'application',
  'kyc.verification_opened': 'verification',
  'kyc.document_opened': null,
  'bank_account.revealed': 'bank_account',
  'payee.revealed': 'payee',
  'deposit.image_opened': 'check',
  'account_document.opened': null,
};

const KINDS = [...KYC_DOCUMENT_TYPES, 'payslip', 'statement'] as const;

/** Accesses by admins to the person's information, newest first. */
export async function listAccessLog(
  reader: Reader,
  { userId, page }: { userId: string; page: PageRequest },
): Promise<RouteReply<'listMyAccessLog'>> {
  const trail = await readTrail(reader, {
    personId: userId,
    actions: Object.keys(ACCESSED),
    page,
  });
  return {
    ...trail,
    items: trail.items.map(({ action, details, by, at }) => ({
      what: ACCESSED[action] ?? documentTypeIn(details),
      which: action === 'account_document.opened' ? textIn(details, 'reference') : null,
      by,
      at: at.toISOString(),
    })),
  };
}

function documentTypeIn(details: unknown): AccessLogEntry['what'] {
  const type = textIn(details, 'type');
  return invariant(
    KINDS.find((one) => one === type),
    'an opened document is recorded with its type',
  );
}

function textIn(details: unknown, name: 'type' | 'reference'): string | null {
  const known: { type?: unknown; reference?: unknown } =
    typeof details === 'object' && details !== null ? details : {};
  const text = known[name];
  return typeof text === 'string' ? text : null;
}
