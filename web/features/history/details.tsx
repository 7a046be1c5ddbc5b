import { useQuery } from '@tanstack/react-query';
import { ChevronRight } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { HistoryItem, RouteInput } from '#contract/api.ts';
import { apiQuery } from '#web/api/query.ts';
import { leftBankFacts } from '#web/kit/left-bank-facts.tsx';
import { LoadedQuery } from '#web/kit/loaded-query.tsx';
import { Button } from '#web/ui/button.tsx';
import { CopyValue } from '#web/kit/copy-value.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Facts, type Fact } from '#web/ui/facts.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { LinkButton } from '#web/ui/link-button.tsx';
import { Balance, Money } from '#web/ui/money.tsx';
import { Status } from '#web/ui/status.tsx';
import { TextButton } from '#web/ui/text-button.tsx';
import { Time } from '#web/ui/time.tsx';
import { categoryOf } from './columns.tsx';
import type { ProofTarget } from './proof/proof-target.ts';
import { ProveNumber } from './proof/prove-number.tsx';
import './history.css';

type EventId = RouteInput<'getHistoryEvent'>['params']['id'];

interface TransactionDetailsProps {
  /** Id from the address. It may be malformed or belong to somebody else. */
  id: string;
  onClose: () => void;
  /** Content below the facts. */
  below?: ReactNode;
}

/** One row of a history with all its details. */
export function TransactionDetails({ id, onClose, below }: TransactionDetailsProps) {
  // A malformed id is sent as it is: the server answers "not found".
  const query = useQuery(apiQuery('getHistoryEvent', { params: { id: id as EventId } }));
  const [proven, setProven] = useState<ProofTarget>();
  const documentId = query.data?.documentId;
  if (proven !== undefined) {
    return <ProveNumber target={proven} onClose={onClose} onBack={() => setProven(undefined)} />;
  }
  return (
    <Dialog
      title="Transaction details"
      onClose={onClose}
      actions={
        <>
          {query.data !== undefined && query.data.repeatable !== null && (
            <LinkButton
              href={`/employee/dashboard?tab=payments&again=${encodeURIComponent(query.data.id)}`}
            >
              Pay Again
            </LinkButton>
          )}
          {documentId !== null && documentId !== undefined && (
            <LinkButton href={`/employee/documents/${encodeURIComponent(documentId)}`}>
              {documentId.startsWith('payslip.') ? 'Payslip' : 'Receipt'}
            </LinkButton>
          )}
          <Button slot="close" kind="solid">
            Close
          </Button>
        </>
      }
    >
      <LoadedQuery query={query} what="the transaction" lines={8}>
        {(data) => <Details item={data} onProve={setProven} />}
      </LoadedQuery>
      {query.data !== undefined && below}
    </Dialog>
  );
}

interface DetailsProps {
  item: HistoryItem;
  onProve: (target: ProofTarget) => void;
}

function Details({ item, onProve }: DetailsProps) {
  return (
    <>
      <p className="muted">Amount</p>
      <p className="history__amount">
        <Balance amount={item.amount} signs="always" />
      </p>
      <Facts isTight facts={factsOf(item)} />
      <h3 className="history__part strong">Additional Information</h3>
      <Facts isTight facts={additionalOf(item, onProve)} />
      {item.balanceAfter !== null && (
        <button
          type="button"
          className="prove-row"
          onClick={() => onProve({ kind: 'event', id: item.id })}
        >
          <span>
            <span className="strong">Prove this number</span>
            <span className="meta">
              The entries behind this number, and the seal that shows if they are changed.
            </span>
          </span>
          <Icon of={ChevronRight} size={16} />
        </button>
      )}
    </>
  );
}

function factsOf(item: HistoryItem): Fact[] {
  return [
    { label: 'Description', value: item.description },
    { label: 'Status', value: <Status status={item.status} /> },
    { label: 'Type', value: categoryOf(item) },
    { label: 'Date & Time', value: <Time at={item.at} as="dateTime" /> },
    ...optional('Processed By', item.processedBy),
    { label: 'Reference', value: item.reference, action: copying('reference', item.reference) },
    {
      label: 'Transaction ID',
      value: <span className="history__id">{item.transactionId}</span>,
      action: copying('transaction ID', item.transactionId),
    },
  ];
}

function additionalOf(item: HistoryItem, onProve: DetailsProps['onProve']): Fact[] {
  const { account, balanceAfter, entryNumber } = item;
  return [
    { label: 'Account', value: `${account.name} ••${account.last4}` },
    ...optional('Pay period', item.payPeriod),
    ...optional('Request', item.requestReference),
    ...leftBankFacts(item),
    ...optional('Reverses', item.reversedReference),
    ...optional('Reason', item.rejectionReason),
    ...optional('Note', item.note),
    ...(balanceAfter === null || entryNumber === null
      ? []
      : [
          {
            label: 'Balance after',
            value: <Money amount={balanceAfter} />,
            action: (
              <TextButton
                aria-label="Prove the balance after"
                onPress={() =>
                  onProve({ kind: 'balance', account: account.type, number: entryNumber })
                }
              >
                Prove
              </TextButton>
            ),
          },
        ]),
  ];
}

function optional(label: string, value: string | null): Fact[] {
  return value === null ? [] : [{ label, value }];
}

function copying(name: string, value: string) {
  return <CopyValue value={value} label={`Copy ${name}`} />;
}
