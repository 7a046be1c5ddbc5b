import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { codeWords } from '#contract/ach-codes.ts';
import { formatMoney } from '#contract/money.ts';
import { RETURN_CAUSES, RETURNED_PAYMENTS_FOUND } from '#contract/returns.ts';
import { call } from '#web/api/client.ts';
import { apiQuery } from '#web/api/query.ts';
import { ConfirmAction, useAction } from '#web/kit/action.tsx';
import { LoadedQuery } from '#web/kit/loaded-query.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { TextLink } from '#web/ui/link-button.tsx';
import { Money } from '#web/ui/money.tsx';
import { Section } from '#web/ui/section.tsx';
import { Status } from '#web/ui/status.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { accountWords, traceWords, type Payment, type ReturnEntry } from './return-words.ts';
import './returns.css';

const TOPICS = ['payouts'] as const;

/** A return, and what was chosen to do about it. */
interface Asked {
  what: 'find' | 'aside';
  entry: ReturnEntry;
}

/** Returns whose payment is not known: nothing is booked for them. */
export function UnknownReturns({ entries }: { entries: readonly ReturnEntry[] }) {
  const [asked, setAsked] = useState<Asked>();
  const close = () => setAsked(undefined);
  return (
    <>
      {entries.map((entry) => (
        <UnknownReturn key={entry.id} entry={entry} onAsk={(what) => setAsked({ what, entry })} />
      ))}
      {asked?.what === 'find' && <FindPayout entry={asked.entry} onClose={close} />}
      {asked?.what === 'aside' && <SetAside entry={asked.entry} onClose={close} />}
    </>
  );
}

interface UnknownReturnProps {
  entry: ReturnEntry;
  onAsk: (what: Asked['what']) => void;
}

function UnknownReturn({ entry, onAsk }: UnknownReturnProps) {
  const isReturn = entry.kind === 'return';
  return (
    <div className="section">
      <Section
        title={entry.cause === 'trace' ? 'Unknown trace number' : 'Unknown entry'}
        end={<Status status="pending" label="Needs you" />}
      >
        <div className="sheet">
          <div className="sheet__body unknown-return">
            <Facts
              isTight
              facts={[
                {
                  label: 'Trace number',
                  value: (
                    <>
                      <span className="num" translate="no">
                        {traceWords(entry.traceNumber)}
                      </span>{' '}
                      <span className="meta">{RETURN_CAUSES[entry.cause ?? 'trace']}</span>
                    </>
                  ),
                },
                { label: 'Amount', value: <Money amount={entry.amount} /> },
                { label: 'Code', value: `${entry.code}, ${codeWords(entry.code)}` },
                {
                  label: 'In the file',
                  value: (
                    <>
                      {entry.code.length === 4 ? 'Entry' : 'Record'} {entry.record}
                      {entry.receiver !== '' && (
                        <>
                          , receiver “<span translate="no">{entry.receiver}</span>”
                        </>
                      )}
                    </>
                  ),
                },
              ]}
            />
            <div className="unknown-return__acts">
              {isReturn && (
                <Button kind="solid" onPress={() => onAsk('find')}>
                  Find the Payout
                </Button>
              )}
              <Button onPress={() => onAsk('aside')}>Not Ours</Button>
            </div>
          </div>
          <p className="sheet__foot meta">
            Nothing is booked for it. Until you decide, its {formatMoney(entry.amount)} is
            unexplained in <TextLink href="/admin/company-bank">Company Bank</TextLink>.
          </p>
        </div>
      </Section>
    </div>
  );
}

interface QuestionProps {
  entry: ReturnEntry;
  onClose: () => void;
}

function SetAside({ entry, onClose }: QuestionProps) {
  return (
    <ConfirmAction
      title="Set this entry aside?"
      keep="Keep It"
      confirm="Not Ours"
      pending="Setting aside"
      kind="danger"
      send={(_input, options) => call('adminSetReturnAside', { params: { id: entry.id } }, options)}
      topics={TOPICS}
      done={{ title: 'Entry Set Aside', message: 'Nothing was booked for it.' }}
      failed="Entry not set aside"
      onClose={onClose}
    >
      {formatMoney(entry.amount)} is not of this company. Nothing is booked for it, and nobody is
      notified. Ask your bank to correct it.
    </ConfirmAction>
  );
}

function FindPayout({ entry, onClose }: QuestionProps) {
  const [search, setSearch] = useState('');
  const query = useQuery(
    apiQuery('adminFindReturnedPayments', { params: { id: entry.id }, query: { search } }),
  );
  const book = useAction<unknown, Payment>({
    send: ({ itemId }, options) =>
      call('adminBookReturnTo', { params: { id: entry.id }, body: { itemId } }, options),
    topics: TOPICS,
    done: (_reply, { kind, payTo }) => ({
      title: 'Return Booked',
      message:
        kind === 'prenote'
          ? `The prenote of ${payTo} came back.`
          : kind === 'micro_deposit'
            ? `The micro-deposit to ${payTo} came back.`
            : `${formatMoney(entry.amount)} of ${payTo} is back in the wallet.`,
    }),
    failed: 'Return not booked',
    onSettled: onClose,
  });
  return (
    <Dialog
      title="Find the payout"
      onClose={onClose}
      actions={<Button slot="close">Cancel</Button>}
    >
      <div className="returns-dialog">
        <p>
          Payouts of {formatMoney(entry.amount)} that were sent in a file and have not come back.
          Booking the return gives the money back to the wallet and notifies its owner.
        </p>
        <TextField label="Search" name="search" value={search} onChange={setSearch} />
        <LoadedQuery query={query} what="the payouts">
          {({ payments }) =>
            payments.length === 0 ? (
              <EmptyState
                title="No such payout"
                hint="A return is booked to the same amount alone."
              />
            ) : (
              <>
                <ul className="found-payouts">
                  {payments.map((payment) => (
                    <li key={payment.itemId}>
                      <div>
                        <p className="strong">{payment.payTo}</p>
                        <p className="meta num">
                          <span translate="no">
                            {payment.reference}, {accountWords(payment)}
                          </span>
                          , file {payment.fileNumber}, entry {payment.position}
                        </p>
                      </div>
                      <Button
                        aria-label={`Book to ${payment.reference}`}
                        why={payment.refusal ?? undefined}
                        isPending={book.isPending}
                        pendingLabel="Booking"
                        onPress={() => book.mutate(payment)}
                      >
                        Book Return
                      </Button>
                    </li>
                  ))}
                </ul>
                {payments.length === RETURNED_PAYMENTS_FOUND && (
                  <p className="meta">
                    The newest {RETURNED_PAYMENTS_FOUND} are shown. Search to find others.
                  </p>
                )}
              </>
            )
          }
        </LoadedQuery>
      </div>
    </Dialog>
  );
}
