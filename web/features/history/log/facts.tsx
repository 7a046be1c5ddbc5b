import { TRANSACTION_TYPE_LABELS, type RequestType } from '#contract/activity.ts';
import type { TransactionPage } from '#contract/api.ts';
import type { AuditThing } from '#contract/audit.ts';
import { AuditLink } from '#web/kit/audit-link.tsx';
import { CopyValue } from '#web/kit/copy-value.tsx';
import { formatCount } from '#web/lib/format.ts';
import { TextLink } from '#web/ui/link-button.tsx';
import { Money } from '#web/ui/money.tsx';
import type { Fact } from '#web/ui/facts.tsx';
import { Time } from '#web/ui/time.tsx';

/** Address of each kind of request. */
const REQUEST_PLACES: Record<RequestType, (id: string) => string> = {
  withdrawal: (id) => `/admin/withdrawals?request=${id}`,
  deposit: (id) => `/admin/deposits?deposit=${id}`,
  bill: (id) => `/admin/bills?bill=${id}`,
};

/** Name of each kind of request in the audit trail. */
const REQUEST_THINGS: Record<RequestType, AuditThing> = {
  withdrawal: 'withdrawals',
  deposit: 'deposits',
  bill: 'payments',
};
const PAYROLL: AuditThing = 'payroll';

/** Facts of a transaction: its type, its request or batch, and the people who acted. */
export function factsOf(transaction: TransactionPage): Fact[] {
  const { id, type, employee, account, at, entries, facts } = transaction;
  const isPosted = entries.length > 0;
  return [
    { label: 'Type', value: TRANSACTION_TYPE_LABELS[type] },
    {
      label: 'Employee',
      value: (
        <>
          <TextLink href={`/admin/employees/${employee.id}`}>{employee.name}</TextLink>{' '}
          <span className="id" translate="no">
            {employee.employeeId}
          </span>
        </>
      ),
    },
    { label: 'Account', value: `${account.name} ••${account.last4}` },
    ...batchFacts(facts),
    ...requestFacts(facts),
    ...(facts.note === null ? [] : [{ label: 'Note', value: facts.note }]),
    ...(facts.by === null ? [] : [{ label: byLabel(transaction), value: facts.by }]),
    ...(facts.rejectionReason === null ? [] : [{ label: 'Reason', value: facts.rejectionReason }]),
    { label: isPosted ? 'Posted' : 'Requested', value: <Time at={at} as="dateTime" /> },
    { label: 'Hold', value: facts.hold === null ? 'None' : <Money amount={facts.hold} /> },
    ...reversalFacts(transaction),
    ...auditFacts(transaction),
    {
      label: 'Transaction ID',
      value: <span className="transaction__id">{id}</span>,
      action: <CopyValue value={id} label="Copy transaction ID" />,
    },
  ];
}

function byLabel({ entries, type }: TransactionPage): string {
  if (entries.length === 0) return 'Rejected by';
  return type === 'payroll' || type === 'funding' ? 'Confirmed by' : 'Posted by';
}

function batchFacts({ batch }: TransactionPage['facts']): Fact[] {
  if (batch === null) return [];
  return [
    {
      label: 'Batch',
      value: (
        <>
          <TextLink href={`/admin/payroll?tab=history&batch=${batch.id}`}>{batch.name}</TextLink>,
          line {formatCount(batch.line)} of {formatCount(batch.lines)}
        </>
      ),
    },
    { label: 'Pay period', value: batch.payPeriod },
  ];
}

/** Links to the audit trail of its request or batch. */
function auditFacts({ facts: { batch, request } }: TransactionPage): Fact[] {
  const [thing, id] =
    batch === null ? [request && REQUEST_THINGS[request.type], request?.id] : [PAYROLL, batch.id];
  if (thing === null || id === undefined) return [];
  return [{ label: 'Audit', value: <AuditLink thing={thing} subject={id} /> }];
}

function requestFacts({ request }: TransactionPage['facts']): Fact[] {
  if (request === null) return [];
  const href = REQUEST_PLACES[request.type](request.id);
  return [{ label: 'Request', value: <TextLink href={href}>{request.reference}</TextLink> }];
}

function reversalFacts({ entries, facts }: TransactionPage): Fact[] {
  const { reverses, reversedBy, reversesPartOf, reversedInPart } = facts;
  if (entries.length === 0) return [];
  const linkTo = ({ id, reference }: { id: string; reference: string }) => (
    <TextLink href={`/admin/transactions/${id}`}>{reference}</TextLink>
  );
  if (reverses !== null) return [{ label: 'Reverses', value: linkTo(reverses) }];
  if (reversesPartOf !== null) {
    return [{ label: 'Reverses a part of', value: linkTo(reversesPartOf) }];
  }
  if (reversedInPart.length === 0) {
    return [
      { label: 'Reversed', value: reversedBy === null ? 'No' : <>By {linkTo(reversedBy)}</> },
    ];
  }
  return reversedInPart.map((part) => ({
    label: 'Reversed in part',
    value: (
      <>
        <Money amount={part.amount} /> by {linkTo(part)}
      </>
    ),
  }));
}
