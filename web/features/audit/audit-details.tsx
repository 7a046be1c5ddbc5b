import { useQuery } from '@tanstack/react-query';
import type { AuditEventDetails } from '#contract/api.ts';
import type { Currency } from '#contract/money.ts';
import { apiQuery } from '#web/api/query.ts';
import { CopyValue } from '#web/kit/copy-value.tsx';
import { LoadedQuery } from '#web/kit/loaded-query.tsx';
import { browserOf } from '#contract/browser-of.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Facts, type Fact } from '#web/ui/facts.tsx';
import { LinkButton, TextLink } from '#web/ui/link-button.tsx';
import { Status } from '#web/ui/status.tsx';
import { Table } from '#web/ui/table.tsx';
import { Time } from '#web/ui/time.tsx';
import { Who } from './audit-columns.tsx';
import { useCompany } from '#web/lib/company.ts';
import { auditWords, changesOf, factLabel, factWords, subjectWords } from '#web/kit/audit-words.ts';

/** One record in full: the changes, the address it came from, its seal, and the raw data. */
export function AuditDetails({ id, onClose }: { id: string; onClose: () => void }) {
  const query = useQuery(apiQuery('adminGetAuditEvent', { params: { id } }));
  const { currency } = useCompany();
  const event = query.data;
  const place = event && placeOf(event);
  return (
    <Dialog
      title={event === undefined ? 'Record' : auditWords(event.action)}
      onClose={onClose}
      actions={
        <>
          <Button slot="close">Close</Button>
          {place !== undefined && <LinkButton href={place.href}>{place.label}</LinkButton>}
        </>
      }
    >
      <LoadedQuery query={query} what="the record" lines={8} />
      {event !== undefined && (
        <>
          <Changes event={event} />
          <Facts isTight facts={factsOf(event, currency)} />
          <p className="mt-4">
            <CopyValue
              value={JSON.stringify(event, null, 2)}
              label="Copy as Data"
              words="Copy as Data"
            />
          </p>
        </>
      )}
    </Dialog>
  );
}

function Changes({ event: { details } }: { event: AuditEventDetails }) {
  const { currency } = useCompany();
  const changes = changesOf(details, currency);
  if (changes.length === 0) return null;
  return (
    <Table
      label="What changed"
      isDense
      rows={changes}
      rowKey={({ label }) => label}
      columns={[
        { id: 'field', header: 'Field', isRowHeader: true, cell: ({ label }) => label },
        {
          id: 'before',
          header: 'Before',
          cell: ({ before }) => <span className="muted">{before}</span>,
        },
        { id: 'after', header: 'After', cell: ({ after }) => after },
      ]}
    />
  );
}

/** Keys that the table of changes already shows, and hashes, which say nothing to a reader: the data to copy has both. */
const isLeftOut = (name: string) => /^(fields|before|after)$|Hash$/.test(name);

function factsOf(event: AuditEventDetails, currency: Currency): Fact[] {
  const own = Object.entries(event.details).filter(([name]) => !isLeftOut(name));
  return [
    {
      label: 'Who',
      value: <Who event={event} />,
      ...(event.by !== null && {
        action: <TextLink href={`/admin/audit?by=${event.by.id}`}>All their actions</TextLink>,
      }),
    },
    { label: 'On', value: subjectWords(event, currency) },
    ...own.map(([name, value]) => ({
      label: factLabel(name, currency),
      value: factWords(name, value),
    })),
    { label: 'Time', value: <Time at={event.at} as="dateTime" /> },
    { label: 'Address', value: event.ipAddress ?? 'None kept' },
    {
      label: 'Browser',
      value: event.userAgent === null ? 'None kept' : browserOf(event.userAgent),
    },
    { label: 'Request', value: event.requestId ?? 'None' },
    { label: 'Record', value: event.id },
    {
      label: 'Sealed',
      value:
        event.block === null ? (
          <Status status="pending" label="Not yet" />
        ) : (
          <Status status="completed" label={`In block ${event.block}`} />
        ),
    },
  ];
}

/** Link to the thing that was acted on. */
function placeOf(event: AuditEventDetails): { href: string; label: string } | undefined {
  const { subjectType, subjectId, person } = event;
  if (subjectType === 'deposit' && subjectId !== null) {
    return { href: `/admin/deposits?deposit=${subjectId}`, label: 'Open Deposit' };
  }
  if (subjectType === 'withdrawal' && subjectId !== null) {
    return { href: `/admin/withdrawals?request=${subjectId}`, label: 'Open Withdrawal' };
  }
  if (subjectType === 'payroll_batch' && subjectId !== null) {
    return { href: `/admin/payroll?tab=history&batch=${subjectId}`, label: 'Open Payroll' };
  }
  if (subjectType === 'bank_account' && subjectId !== null) {
    return {
      href: `/admin/bank-accounts?status=all&account=${subjectId}`,
      label: 'Open Bank Account',
    };
  }
  if (subjectType === 'bill' && subjectId !== null) {
    return { href: `/admin/bills?status=all&bill=${subjectId}`, label: 'Open Bill' };
  }
  if (subjectType === 'kyc_application' && subjectId !== null) {
    return {
      href: `/admin/kyc-review?status=all&application=${subjectId}`,
      label: 'Open Application',
    };
  }
  if (subjectType === 'company_settings' || subjectType === 'security_proposal') {
    return { href: '/admin/settings', label: 'Open Settings' };
  }
  return person === null
    ? undefined
    : { href: `/admin/employees/${person.id}`, label: 'Open Employee' };
}
