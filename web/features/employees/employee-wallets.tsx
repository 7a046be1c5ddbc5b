import type { EmployeePage, Wallet } from '#contract/api.ts';
import { FURTHER_WALLET_TYPES, WALLET_LABELS, type FurtherWalletType } from '#contract/wallets.ts';
import { AuditLink } from '#web/kit/audit-link.tsx';
import { ACTIONS_COLUMN } from '#web/kit/columns/actions.tsx';
import { Button } from '#web/ui/button.tsx';
import { Clipped } from '#web/ui/clipped.tsx';
import { Money } from '#web/ui/money.tsx';
import { Section } from '#web/ui/section.tsx';
import { Table, type Column } from '#web/ui/table.tsx';
import { Tag } from '#web/ui/tag.tsx';

interface EmployeeWalletsProps {
  person: EmployeePage;
  onOpen: (type: FurtherWalletType) => void;
  onClose: (wallet: Wallet) => void;
}

type Row = { wallet: Wallet } | { wallet?: undefined; type: FurtherWalletType };

/** The accounts a person has, and the types that can still be opened. */
export function EmployeeWallets({ person, onOpen, onClose }: EmployeeWalletsProps) {
  const missing = FURTHER_WALLET_TYPES.filter(
    (type) => !person.wallets.some((wallet) => wallet.type === type),
  );
  const rows: Row[] = [
    ...person.wallets.map((wallet) => ({ wallet })),
    ...missing.map((type) => ({ type })),
  ];
  const canOpen = person.standing === 'active' && person.isEmployee;
  return (
    <Section
      title="Wallet accounts"
      end={<AuditLink thing="wallets" person={person.id} label="Wallet records" />}
    >
      <Table
        label="Wallet accounts"
        isDense
        rows={rows}
        rowKey={(row) => row.wallet?.id ?? ('type' in row ? row.type : '')}
        columns={columns(canOpen ? onOpen : undefined, onClose)}
      />
    </Section>
  );
}

function columns(
  onOpen: EmployeeWalletsProps['onOpen'] | undefined,
  onClose: EmployeeWalletsProps['onClose'],
): readonly Column<Row>[] {
  return [
    {
      id: 'account',
      header: 'Account',
      isRowHeader: true,
      narrow: 'start',
      cell: (row) =>
        row.wallet === undefined ? (
          <span className="faint">{WALLET_LABELS[row.type]}</span>
        ) : (
          <span className="admin-employee">
            <Clipped>{row.wallet.name}</Clipped>
            {row.wallet.isPrimary && <Tag>Primary</Tag>}
          </span>
        ),
    },
    {
      id: 'number',
      header: 'Number',
      narrow: 'start-second',
      cell: ({ wallet }) =>
        wallet === undefined ? (
          <span className="faint">Not open</span>
        ) : (
          <span className="id" translate="no">
            •••• {wallet.accountNumberLast4}
          </span>
        ),
    },
    {
      id: 'balance',
      header: 'Balance',
      align: 'right',
      narrow: 'hidden',
      cell: ({ wallet }) => wallet && <Money amount={wallet.balance} />,
    },
    {
      id: 'held',
      header: 'Held',
      align: 'right',
      narrow: 'hidden',
      cell: ({ wallet }) => wallet && <Money amount={wallet.held} isFaded />,
    },
    {
      id: 'available',
      header: 'Available',
      align: 'right',
      narrow: 'end',
      cell: ({ wallet }) => wallet && <Money amount={wallet.available} />,
    },
    {
      ...ACTIONS_COLUMN,
      narrow: 'end-second',
      cell: (row) => {
        if (row.wallet !== undefined)
          return <CloseWalletAct wallet={row.wallet} onClose={onClose} />;
        return (
          onOpen !== undefined && (
            <Button
              shape="text"
              aria-label={`Open ${WALLET_LABELS[row.type]}`}
              onPress={() => onOpen(row.type)}
            >
              Open
            </Button>
          )
        );
      },
    },
  ];
}

interface CloseWalletActProps {
  wallet: Wallet;
  onClose: EmployeeWalletsProps['onClose'];
}

/** Button that closes an empty account. The primary account cannot be closed. */
function CloseWalletAct({ wallet, onClose }: CloseWalletActProps) {
  if (wallet.isPrimary) return null;
  if (wallet.balance.minor !== '0' || wallet.held.minor !== '0') {
    return <span className="faint">Empty to close</span>;
  }
  return (
    <Button shape="text" aria-label={`Close ${wallet.name}`} onPress={() => onClose(wallet)}>
      Close
    </Button>
  );
}
