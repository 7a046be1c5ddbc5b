import { useState } from 'react';
import { codeWords } from '#contract/ach-codes.ts';
import { call } from '#web/api/client.ts';
import { ConfirmAction, useAction } from '#web/kit/action.tsx';
import { counted, formatDay } from '#web/lib/format.ts';
import { BeforeAfter } from '#web/ui/before-after.tsx';
import { Button } from '#web/ui/button.tsx';
import { Facts, type Fact } from '#web/ui/facts.tsx';
import { Section } from '#web/ui/section.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { BANK_CODE, PAID_PERSON } from './returned-payouts.tsx';
import type { ReturnEntry } from './return-words.ts';
import './returns.css';

const TOPICS = ['payouts', 'bank-accounts'] as const;

/** Bank details that banks ask to change. */
export function BankChanges({ entries }: { entries: readonly ReturnEntry[] }) {
  const [asked, setAsked] = useState<ReturnEntry>();
  const days = entries.flatMap(({ status, change }) =>
    status === 'proposed' && change ? [change.dueOn] : [],
  );
  const [due] = days.toSorted();
  return (
    <>
      {entries.length > 0 && (
        <div className="section returns">
          <Section
            title="Changes of bank details"
            end={
              <span className="meta">
                The payout arrived. The bank asks for new details next time.
              </span>
            }
          >
            <Table label="Changes of bank details" columns={columnsOf(setAsked)} rows={entries} />
            {due !== undefined && (
              <p className="meta mt-2">
                Update within 6 banking days, by {formatDay(due, 'short')}. Until then payouts to
                these accounts are held.
              </p>
            )}
          </Section>
        </div>
      )}
      {asked !== undefined && <Update entry={asked} onClose={() => setAsked(undefined)} />}
    </>
  );
}

const DECIDED = { accepted: 'Updated', declined: 'Kept as it was' } as const;

function columnsOf(onUpdate: (entry: ReturnEntry) => void): readonly Column<ReturnEntry>[] {
  return [
    PAID_PERSON,
    BANK_CODE,
    {
      id: 'account',
      header: 'Account',
      narrow: 'hidden',
      cell: ({ payment }) => <span translate="no">{payment?.bankName}</span>,
    },
    {
      id: 'change',
      header: 'What changes',
      narrow: 'labelled',
      cell: (entry) => (
        <>
          <Changed entry={entry} />
          {entry.held > 0 && (
            <span className="meta"> {`${counted(entry.held, 'payout')} held`}</span>
          )}
        </>
      ),
    },
    {
      id: 'acts',
      header: 'Actions',
      isHeaderHidden: true,
      align: 'right',
      narrow: 'end',
      cell: (entry) =>
        entry.status === 'accepted' || entry.status === 'declined' ? (
          <span className="meta">{DECIDED[entry.status]}</span>
        ) : (
          <Button
            shape="text"
            aria-label={`Update Bank Account of ${entry.payment?.employee.name ?? ''}`}
            onPress={() => onUpdate(entry)}
          >
            Update Bank Account
          </Button>
        ),
    },
  ];
}

/** Old details faded, new ones in ink, masked. */
function Changed({ entry: { change } }: { entry: ReturnEntry }) {
  if (change === null) return null;
  const { before, after } = change;
  return (
    <span className="bank-change num" translate="no">
      {before.last4 !== after.last4 && (
        <BeforeAfter before={`•••• ${before.last4}`} after={`•••• ${after.last4}`} />
      )}
      {before.routingNumber !== after.routingNumber && (
        <BeforeAfter before={masked(before.routingNumber)} after={masked(after.routingNumber)} />
      )}
      {before.accountType !== after.accountType && (
        <BeforeAfter before={before.accountType} after={after.accountType} />
      )}
      {JSON.stringify(before) === JSON.stringify(after) &&
        `•••• ${after.last4}, other first digits`}
    </span>
  );
}

/** Details before and after, those that stay among them. */
function factsOf({ before, after }: NonNullable<ReturnEntry['change']>, code: string): Fact[] {
  const isSame = JSON.stringify(before) === JSON.stringify(after);
  const pair = (old: string, now: string) =>
    old === now ? `${now}, unchanged` : <BeforeAfter before={old} after={now} />;
  return [
    {
      label: 'Account',
      value: isSame
        ? `•••• ${after.last4}, other first digits`
        : pair(`•••• ${before.last4}`, `•••• ${after.last4}`),
    },
    { label: 'Routing', value: pair(masked(before.routingNumber), masked(after.routingNumber)) },
    ...(before.accountType === after.accountType
      ? []
      : [{ label: 'Type', value: pair(before.accountType, after.accountType) }]),
    { label: 'Code', value: `${code}, ${codeWords(code).toLowerCase()}` },
  ];
}

/** `062 ••• 406` */
function masked(routingNumber: string): string {
  return `${routingNumber.slice(0, 3)} ••• ${routingNumber.slice(6)}`;
}

function Update({ entry, onClose }: { entry: ReturnEntry; onClose: () => void }) {
  const decline = useAction({
    send: (_input: void, options) =>
      call('adminDeclineChange', { params: { id: entry.id } }, options),
    topics: TOPICS,
    done: { title: 'Bank Account Kept', message: 'Its details stay as they are.' },
    failed: 'Change not declined',
    onSettled: onClose,
  });
  const { payment, code, change } = entry;
  return (
    <ConfirmAction
      title="Update bank account"
      keep="Not Now"
      confirm="Update Bank Account"
      pending="Updating"
      kind="solid"
      send={(_input, options) => call('adminAcceptChange', { params: { id: entry.id } }, options)}
      topics={TOPICS}
      done={{
        title: 'Bank Account Updated',
        message: `${payment?.employee.name ?? 'Its owner'} was notified.`,
      }}
      failed="Bank account not updated"
      why={change?.refusal ?? undefined}
      onClose={onClose}
    >
      <div className="returns-dialog">
        <p>
          {payment?.bankName} corrected the account of{' '}
          <span className="strong">{payment?.employee.name}</span>. The old number stays in the
          record of what was paid.
        </p>
        {change !== null && <Facts isTight facts={factsOf(change, code)} />}
        <p className="meta">
          The owner is notified and can answer “This was not me”. Payouts to it wait, as for each
          changed account.{' '}
          {entry.held > 0 &&
            `${counted(entry.held, 'payout')} ${entry.held === 1 ? 'is' : 'are'} held now and ${
              entry.held === 1 ? 'has' : 'have'
            } to be stopped first, because ${
              entry.held === 1 ? 'it was' : 'they were'
            } requested to the old number.`}
        </p>
        <p>
          <Button
            isPending={decline.isPending}
            pendingLabel="Keeping"
            onPress={() => decline.mutate()}
          >
            Keep Old Number
          </Button>
        </p>
      </div>
    </ConfirmAction>
  );
}
