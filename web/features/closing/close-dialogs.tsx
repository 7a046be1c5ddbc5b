import { useState } from 'react';
import { chartRules, JOURNAL_ACCOUNT_WORDS, monthName } from '#contract/closing.ts';
import { reasonRule } from '#contract/reasons.ts';
import { call } from '#web/api/client.ts';
import { useAction } from '#web/kit/action.tsx';
import { TaskDialog } from '#web/kit/form-dialog.tsx';
import { checkRules } from '#web/kit/form-state.ts';
import { counted, formatDay } from '#web/lib/format.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { Money } from '#web/ui/money.tsx';
import { TextArea } from '#web/ui/text-area.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { shortMonth } from './month-words.ts';
import type { Month } from './month-words.ts';

/** Asks once before a month is closed, with what it has. Open while mounted. */
export function CloseMonthDialog({ month, onClose }: { month: Month; onClose: () => void }) {
  // It counts for the figures that were shown: those of a month can change until it is closed.
  const [compared, setCompared] = useState<string>();
  const isCompared = compared === month.hash;
  const name = shortMonth(month.month);
  const day = formatDay(month.lastDay, 'date');
  const close = useAction({
    send: () =>
      call('adminCloseMonth', {
        params: { month: month.month },
        body: { hash: month.hash, isCompared: true },
      }),
    topics: ['closing'],
    done: { title: `${name} Closed`, message: 'Nothing can be posted in it any more.' },
    failed: `${name} was not closed`,
    onSettled: onClose,
  });
  const { position, bankName, journal } = month;
  return (
    <ConfirmDialog
      title={`Close ${monthName(month.month)}`}
      onClose={onClose}
      onConfirm={() => close.mutate()}
      keepLabel="Keep Open"
      confirmLabel={`Close ${name}`}
      kind="solid"
      isPending={close.isPending}
      pendingLabel="Closing"
      why={isCompared ? undefined : 'Confirm the comparison first.'}
    >
      <div className="form">
        <p>After this, nothing dated {name} can be posted. A correction is posted later.</p>
        <Facts
          isTight
          facts={[
            {
              label: 'Journal',
              value: (
                <>
                  {counted(journal.entries.length, 'kind')} of entries,{' '}
                  <Money amount={journal.total} /> on both sides
                </>
              ),
            },
            ...(position === null
              ? []
              : [
                  {
                    label: 'Owed',
                    value: (
                      <>
                        <Money amount={position.owed} /> on {day}
                      </>
                    ),
                  },
                ]),
            ...(position?.difference
              ? [{ label: 'Difference', value: <Money amount={position.difference} /> }]
              : []),
          ]}
        />
        <Checkbox
          name="isCompared"
          label={
            bankName === null
              ? `I have compared the closing balance with what the bank has on ${day}.`
              : `I have compared the closing balance with ${bankName}’s statement of ${day}.`
          }
          isChecked={isCompared}
          onChange={(isTicked) => setCompared(isTicked ? month.hash : undefined)}
        />
      </div>
    </ConfirmDialog>
  );
}

/** Proposes to open a closed month again, with a reason. */
export function ReopenDialog({ month, onClose }: { month: string; onClose: () => void }) {
  return (
    <TaskDialog
      title={`Open ${monthName(month)} again`}
      size="reject"
      initial={{ reason: '' }}
      check={(values) =>
        values.reason.trim() === ''
          ? { reason: 'Enter a reason' }
          : checkRules(values, { reason: reasonRule })
      }
      send={(body: { reason: string }) =>
        call('adminProposeReopening', { params: { month }, body })
      }
      topics={['closing']}
      done={{ title: 'Opening Proposed', message: 'All administrators were notified.' }}
      submit={{ label: 'Propose', pending: 'Proposing' }}
      cancel="Keep Closed"
      onClose={onClose}
    >
      {(fields) => (
        <>
          <p>
            Another administrator must accept it. Then postings can be dated {shortMonth(month)}{' '}
            again, and its journal can change.
          </p>
          <TextArea label="Reason" hint="Kept in the audit trail." isRequired {...fields.reason} />
        </>
      )}
    </TaskDialog>
  );
}

type Account = Month['accounts'][number];

/** Maps an account of the journal to one of the company's chart. */
export function MapAccountDialog({
  account: { account, code, name },
  onClose,
}: {
  account: Account;
  onClose: () => void;
}) {
  const words = JOURNAL_ACCOUNT_WORDS[account];
  return (
    <TaskDialog
      title={`Account of ${words.name}`}
      initial={{ code: code ?? '', name: name ?? '' }}
      check={(values) => checkRules(values, chartRules)}
      send={(body: { code: string; name: string }) =>
        call('adminMapChartAccount', { params: { account }, body })
      }
      topics={['closing']}
      done={{ title: 'Account Mapped', message: 'Months that were exported keep their accounts.' }}
      summary="Please check the account"
      submit={{ label: 'Save Account', pending: 'Saving' }}
      onClose={onClose}
    >
      {(fields) => (
        <>
          <p>{words.holds}</p>
          <TextField
            label="Code"
            hint="Xero finds the account by it."
            isRequired
            {...fields.code}
          />
          <TextField
            label="Name"
            hint="QuickBooks finds the account by it, exactly as it is there."
            isRequired
            {...fields.name}
          />
        </>
      )}
    </TaskDialog>
  );
}
