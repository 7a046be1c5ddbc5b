import { useNavigate } from '@tanstack/react-router';
import type { AccountDocuments, Statement } from '#contract/api.ts';
import { WALLET_LABELS, WALLET_TYPES, type WalletType } from '#contract/wallets.ts';
import { formatCount, formatDay } from '#web/lib/format.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { FilterSelect } from '#web/ui/select.tsx';
import { Money } from '#web/ui/money.tsx';
import { RowLink } from '#web/ui/row-link.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { documentActsColumn } from './acts.tsx';
import { useDocumentsPlace } from './place.ts';

interface StatementsProps {
  documents: AccountDocuments | undefined;
  /** Account from the address. It may not be one of theirs. */
  account: string | undefined;
  onAccount: (account: WalletType) => void;
}

/** Monthly statements of one account. */
export function Statements({ documents, account, onAccount }: StatementsProps) {
  const navigate = useNavigate();
  const place = useDocumentsPlace();
  const all = documents?.statements ?? [];
  const accounts = WALLET_TYPES.filter((type) => all.some((one) => one.account === type));
  const chosen = accounts.find((type) => type === account) ?? accounts[0];
  return (
    <>
      {accounts.length > 1 && chosen !== undefined && (
        <div className="toolbar">
          <FilterSelect
            label="Account"
            value={chosen}
            onChange={onAccount}
            options={accounts.map((type) => ({ value: type, label: WALLET_LABELS[type] }))}
          />
        </div>
      )}
      <Table
        label="Statements, newest first"
        columns={columnsOf(({ id }) => void navigate({ href: place.screen(id) }))}
        rows={all.filter((one) => one.account === chosen)}
        isLoading={documents === undefined}
        placeholder={
          documents !== undefined && all.length === 0 ? (
            <EmptyState title={`No statements in ${documents.year}`} />
          ) : undefined
        }
      />
    </>
  );
}

function columnsOf(open: (statement: Statement) => void): Column<Statement>[] {
  return [
    {
      id: 'month',
      header: 'Month',
      isRowHeader: true,
      narrow: 'start',
      cell: (statement) => {
        const month = monthWords(statement);
        const { finalOn } = statement;
        return (
          <>
            <RowLink
              label={`Open the statement of ${month}${finalOn === null ? '' : ' so far'}, ${statement.accountName}`}
              onPress={() => open(statement)}
            >
              {month}
            </RowLink>
            {finalOn !== null && (
              <>
                {' '}
                <span className="muted">Not final until {formatDay(finalOn, 'date')}</span>
              </>
            )}
          </>
        );
      },
    },
    {
      id: 'account',
      header: 'Account',
      narrow: 'start-second',
      cell: ({ accountName, accountLast4 }) => `${accountName} ••${accountLast4}`,
    },
    {
      id: 'entries',
      header: 'Entries',
      align: 'right',
      narrow: 'hidden',
      cell: ({ entries }) => formatCount(entries),
    },
    {
      id: 'closing',
      header: 'Closing balance',
      align: 'right',
      narrow: 'end',
      // The closing balance of the current month is not known yet.
      cell: ({ closing, finalOn }) => (
        <>
          <Money amount={closing} />
          {finalOn !== null && <span className="muted"> so far</span>}
        </>
      ),
    },
    documentActsColumn(({ id, month, accountName, finalOn }) => ({
      id,
      name: `statement of ${monthWords({ month })}${finalOn === null ? '' : ' so far'}, ${accountName}`,
    })),
  ];
}

/** "November 2026" */
export function monthWords({ month }: Pick<Statement, 'month'>): string {
  return formatDay(`${month}-01`, 'month');
}
