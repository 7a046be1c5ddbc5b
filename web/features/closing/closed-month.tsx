import { JOURNAL_ACCOUNT_WORDS, monthName } from '#contract/closing.ts';
import { call } from '#web/api/client.ts';
import { ActionButton, useAction } from '#web/kit/action.tsx';
import { CopyValue } from '#web/kit/copy-value.tsx';
import { counted, formatCount, formatDay } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { Money } from '#web/ui/money.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Time } from '#web/ui/time.tsx';
import { shortMonth } from './month-words.ts';
import type { Month } from './month-words.ts';

/** Figures of a closed month, and its way back. */
export function ClosedMonth({ month, onReopen }: { month: Month; onReopen: () => void }) {
  const { closing, journal, reopening } = month;
  if (closing === null) return null;
  const day = formatDay(month.lastDay, 'date');
  return (
    <>
      <div className="month-closed">
        <Facts
          facts={[
            {
              label: 'Closed by',
              value: (
                <>
                  {closing.closedBy}, <Time at={closing.closedAt} as="dateTime" />
                </>
              ),
            },
            {
              label: 'Journal',
              value: (
                <>
                  {`${formatCount(closing.entries)} entries of the ledger, `}
                  <Money amount={journal.total} />
                </>
              ),
            },
            {
              label: `Owed on ${day}`,
              value: (
                <>
                  <Money amount={closing.owed} />
                  {closing.bank !== null &&
                    (closing.bank.onItsWay.minor === '0' ? (
                      ', all of it at the bank'
                    ) : (
                      <>
                        , <Money amount={closing.bank.atBank} /> at the bank and{' '}
                        <Money amount={closing.bank.onItsWay} signs="always" /> on its way
                      </>
                    ))}
                </>
              ),
            },
            ...(closing.root === null
              ? []
              : [
                  {
                    label: 'Sealed root',
                    value: <span className="month-root">{grouped(closing.root.root)}</span>,
                    action: <CopyValue value={closing.root.root} label="Copy the root" />,
                  },
                ]),
            { label: 'Corrections', value: <Corrections of={closing.corrections} /> },
          ]}
        />
      </div>
      {reopening === null ? (
        <div className="month-act">
          <p className="muted">
            Nothing dated {shortMonth(month.month)} can be posted any more. Opening it again takes
            two admins and a reason.
          </p>
          <Button
            onPress={onReopen}
            why={closing.isLast ? undefined : 'A later month is closed. Open that one first.'}
          >
            Open Again
          </Button>
        </div>
      ) : (
        <Reopening reopening={reopening} month={shortMonth(month.month)} />
      )}
    </>
  );
}

/** Reversals since then, in the months in which they were posted. */
function Corrections({ of }: { of: NonNullable<Month['closing']>['corrections'] }) {
  if (of.length === 0) return <>None. A correction is posted in an open month, and named here.</>;
  return (
    <ul>
      {of.map(({ month, count, total }) => (
        <li key={month}>
          {`${counted(count, 'reversal')} in ${monthName(month)}, `}
          <Money amount={total} />
        </li>
      ))}
    </ul>
  );
}

/** Root in groups of four, as it is compared by eye. */
function grouped(root: string): string {
  return root.match(/.{1,4}/g)?.join(' ') ?? root;
}

function Reopening({
  reopening: { id, proposedBy, isMine, reason, refusal },
  month,
}: {
  reopening: NonNullable<Month['reopening']>;
  month: string;
}) {
  const accept = useAction({
    send: () => call('adminAcceptReopening', { params: { id } }),
    topics: ['closing'],
    done: { title: `${month} Opened Again`, message: 'All administrators were notified.' },
    failed: `${month} was not opened`,
  });
  const discard = useAction({
    send: () => call('adminDiscardReopening', { params: { id } }),
    topics: ['closing'],
    done: { title: 'Proposal Discarded', message: `${month} stays closed.` },
    failed: 'The proposal was not discarded',
  });
  return (
    <div className="month-reopening">
      <Notice tone="caution">
        <p className="strong">
          {isMine ? 'You propose' : `${proposedBy} proposes`} to open {month} again.
        </p>
        <p>Reason: {reason}</p>
        <div className="month-reopening__acts">
          <ActionButton action={discard} pending="Discarding">
            Discard
          </ActionButton>
          <ActionButton action={accept} kind="solid" pending="Opening" why={refusal ?? undefined}>
            {`Open ${month}`}
          </ActionButton>
        </div>
      </Notice>
    </div>
  );
}

/** Lines of the journal that are not as they were when the month was closed before. */
export function ChangedSince({ changed }: { changed: NonNullable<Month['changed']> }) {
  const { reopenedBy, proposedBy, reason, closedAt, lines } = changed;
  return (
    <Notice tone="motion">
      <p className="strong">
        Closed on <Time at={closedAt} as="date" /> and opened again by {proposedBy} and {reopenedBy}
        .
      </p>
      <p>Reason: {reason}</p>
      {lines.length === 0 ? (
        <p>The journal is as it was then.</p>
      ) : (
        <ul>
          {lines.map((line) => (
            <li key={`${line.what} ${line.account} ${line.department}`}>
              {line.what}, {JOURNAL_ACCOUNT_WORDS[line.account].name}
              {line.department !== '' && `, ${line.department}`}: debit{' '}
              <Money amount={line.debitBefore} /> is now <Money amount={line.debit} />, credit{' '}
              <Money amount={line.creditBefore} /> is now <Money amount={line.credit} />
            </li>
          ))}
        </ul>
      )}
    </Notice>
  );
}
