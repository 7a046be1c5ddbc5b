import type { Employee } from '#contract/api.ts';
import { actionsColumn } from '#web/kit/columns/actions.tsx';
import { moneyColumn } from '#web/kit/columns/money.tsx';
import { selectionColumn } from '#web/kit/columns/selection.tsx';
import { statusColumn } from '#web/kit/columns/status.tsx';
import { departmentColumn } from '#web/kit/columns/text.tsx';
import { Avatar } from '#web/ui/avatar.tsx';
import { Clipped } from '#web/ui/clipped.tsx';
import { RowLink } from '#web/ui/row-link.tsx';
import type { Column } from '#web/ui/table.tsx';
import { Tag } from '#web/ui/tag.tsx';
import { DECISIONS, type DecisionName } from './person-decision.tsx';

interface DirectoryActions {
  onOpen: (employee: Employee) => void;
  /** Called when the admin requests another link to choose a password. */
  onLink: (employee: Employee) => void;
  onDecide: (decision: DecisionName, employee: Employee) => void;
}

/** Tag next to the name of a person who is not an active employee. */
const TAGS: Partial<Record<Employee['standing'], string>> = {
  invited: 'Invited',
  applicant: 'Waiting',
  deactivated: 'Deactivated',
};

/** Columns of the directory: each person, with the step they are waiting for. */
export function directoryColumns({
  onOpen,
  onLink,
  onDecide,
}: DirectoryActions): Column<Employee>[] {
  return [
    selectionColumn(({ name }) => name),
    {
      id: 'employee',
      header: 'Employee',
      isRowHeader: true,
      narrow: 'start',
      cell: (employee) => {
        const tag = TAGS[employee.standing];
        return (
          <span className="admin-employee">
            <Avatar name={employee.name} src={employee.avatarUrl} size="row" isDecorative />
            <RowLink
              isName
              label={`Open ${employee.name}`}
              href={`/admin/employees/${employee.id}`}
            >
              {employee.name}
            </RowLink>
            <span className="id" translate="no">
              {employee.employeeId}
            </span>
            {tag !== undefined && <Tag>{tag}</Tag>}
          </span>
        );
      },
    },
    departmentColumn(),
    moneyColumn({
      id: 'balance',
      header: 'Balance',
      narrow: 'end',
      amount: ({ balance }) => balance,
      isFaded: ({ standing }) => standing === 'deactivated',
    }),
    moneyColumn({
      id: 'available',
      header: 'Available',
      narrow: 'hidden',
      amount: ({ available }) => available,
      isFaded: ({ standing }) => standing === 'deactivated',
    }),
    {
      id: 'account',
      header: 'Account',
      narrow: 'hidden',
      cell: ({ account, furtherAccounts }) =>
        account === null ? (
          <span className="faint">No open account</span>
        ) : (
          <span className="bank-cell muted">
            <Clipped>{account.name}</Clipped>
            <span className="bank-cell__digits">
              ••{account.last4}
              {furtherAccounts > 0 && (
                <span className="faint directory__more"> and {furtherAccounts} more</span>
              )}
            </span>
          </span>
        ),
    },
    statusColumn({
      id: 'kyc',
      header: 'KYC Status',
      narrow: 'end-second',
      status: ({ kycStatus }) => kycStatus ?? 'not_started',
      isFinal: ({ kycStatus }) => kycStatus === 'approved',
    }),
    actionsColumn({
      narrow: 'hidden',
      nameOf: ({ name }) => name,
      actions: (employee) => {
        if (employee.standing === 'invited') {
          return [{ label: 'Resend Link', onPress: () => onLink(employee) }];
        }
        const decision = nextDecision(employee);
        if (decision === undefined) {
          return [{ label: 'Details', isQuiet: true, onPress: () => onOpen(employee) }];
        }
        return [{ label: DECISIONS[decision].label, onPress: () => onDecide(decision, employee) }];
      },
    }),
  ];
}

function nextDecision({ standing }: Employee): DecisionName | undefined {
  if (standing === 'applicant') return 'accept';
  return standing === 'deactivated' ? 'reactivate' : undefined;
}
