import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { EmployeePage as Person, Wallet } from '#contract/api.ts';
import { DEPARTMENTS } from '#contract/company.ts';
import type { FurtherWalletType } from '#contract/wallets.ts';
import { apiQuery } from '#web/api/query.ts';
import { ChangePosition } from '#web/features/employees/change-position.tsx';
import { CloseWallet } from '#web/features/employees/close-wallet.tsx';
import { EmployeeLists } from '#web/features/employees/employee-lists.tsx';
import { EmployeeSide } from '#web/features/employees/employee-side.tsx';
import { EmployeeWallets } from '#web/features/employees/employee-wallets.tsx';
import { MailStopped } from '#web/features/employees/mail-stopped.tsx';
import { OpenSessions } from '#web/features/employees/open-sessions.tsx';
import { OpenWallet } from '#web/features/employees/open-wallet.tsx';
import { ResendLink } from '#web/features/employees/password-link.tsx';
import { PersonDecision, type DecisionName } from '#web/features/employees/person-decision.tsx';
import { useSession } from '#web/features/session/use-session.ts';
import { ScreenHead } from '#web/features/shell/screen-head.tsx';
import { QueryError } from '#web/kit/query-error.tsx';
import { Button } from '#web/ui/button.tsx';
import { TextLink } from '#web/ui/link-button.tsx';
import { Money } from '#web/ui/money.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { Stat, Stats } from '#web/ui/stat.tsx';
import { Time } from '#web/ui/time.tsx';
import '#web/features/employees/employees.css';

/** `/admin/employees/<id>` */
export function EmployeePage() {
  const { id } = useParams({ from: '/admin/admin/employees/$id' });
  const query = useQuery(apiQuery('adminGetEmployee', { params: { id } }));
  return (
    <>
      <p className="mb-3">
        <TextLink href="/admin/employees">Employee Management</TextLink>
      </p>
      {query.data === undefined ? (
        <>
          <ScreenHead title="Employee" />
          {query.isError ? (
            <QueryError query={query} title="Error Loading Employee" />
          ) : (
            <Skeleton lines={8} label="Loading the employee" />
          )}
        </>
      ) : (
        <Employee person={query.data} />
      )}
    </>
  );
}

type Open =
  | { what: 'decision'; decision: DecisionName }
  | { what: 'wallet'; type: FurtherWalletType }
  | { what: 'close'; wallet: Wallet }
  | { what: 'position' }
  | { what: 'link' }
  | { what: 'sessions' };

function Employee({ person }: { person: Person }) {
  const viewerId = useSession().data?.user?.id;
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const decide = (decision: DecisionName) => setOpen({ what: 'decision', decision });
  return (
    <>
      <ScreenHead
        title={person.name}
        subtitle={
          <>
            {person.position}, {DEPARTMENTS[person.department]}{' '}
            <span className="id">{person.employeeId}</span>
          </>
        }
        actions={
          <>
            {person.standing === 'applicant' && (
              <Button kind="solid" onPress={() => decide('accept')}>
                Accept
              </Button>
            )}
            <Button onPress={() => setOpen({ what: 'position' })}>Change Department</Button>
          </>
        }
      />
      <StandingNotice person={person} />
      <MailStopped person={person} />
      <Figures person={person} />
      <div className="person">
        <div className="person__main">
          <EmployeeWallets
            person={person}
            onOpen={(type) => setOpen({ what: 'wallet', type })}
            onClose={(wallet) => setOpen({ what: 'close', wallet })}
          />
          <EmployeeLists person={person} />
        </div>
        <EmployeeSide
          person={person}
          isOwn={person.id === viewerId}
          onDecide={decide}
          onLink={() => setOpen({ what: 'link' })}
          onSessions={() => setOpen({ what: 'sessions' })}
        />
      </div>
      {open?.what === 'decision' && (
        <PersonDecision decision={open.decision} person={person} onClose={close} />
      )}
      {open?.what === 'wallet' && <OpenWallet person={person} type={open.type} onClose={close} />}
      {open?.what === 'close' && (
        <CloseWallet person={person} wallet={open.wallet} onClose={close} />
      )}
      {open?.what === 'position' && <ChangePosition person={person} onClose={close} />}
      {open?.what === 'sessions' && <OpenSessions person={person} onClose={close} />}
      {open?.what === 'link' && <ResendLink person={person} onClose={close} />}
    </>
  );
}

function StandingNotice({
  person: { standing, deactivatedAt, reason, inProgress },
}: {
  person: Person;
}) {
  if (standing !== 'deactivated' || deactivatedAt === null) return null;
  return (
    <div className="mb-4">
      <Notice tone="caution">
        <span className="strong">
          Deactivated <Time at={deactivatedAt} as="dateTime" />.
        </span>{' '}
        {reason} Cannot sign in and is left out of payroll. The money stays in the wallets
        {inProgress.withdrawals > 0 && '; withdrawals still wait for a decision'}.
      </Notice>
    </div>
  );
}

function Figures({ person }: { person: Person }) {
  const { available, wallets, lastDeposit, ytdEarnings, inProgress } = person;
  return (
    <Stats>
      <Stat
        label="Available"
        value={<Money amount={available} />}
        note={wallets.length === 1 ? '1 account' : `${wallets.length} accounts`}
      />
      <Stat
        label="Last deposit"
        value={lastDeposit === null ? 'None' : <Money amount={lastDeposit.amount} />}
        note={lastDeposit !== null && <Time at={lastDeposit.at} as="shortDateTime" />}
      />
      <Stat
        label="YTD Earnings"
        value={<Money amount={ytdEarnings} />}
        note="Payroll and deposits"
      />
      <Stat
        label="Withdrawals in progress"
        value={<Money amount={inProgress.held} />}
        note={inProgress.withdrawals === 1 ? '1 request' : `${inProgress.withdrawals} requests`}
      />
    </Stats>
  );
}
