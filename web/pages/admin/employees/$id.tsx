import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { EmployeePage as Person, Wallet } from '#contract/api.ts';
import { DEPARTMENTS } from '#contract/company.ts';
import type { FurtherWalletType } from '#contract/wallets.ts';
import { apiQuery } from '#web/api/query.ts';
import { ChangePosition } from '#web/features/employees/change-position.tsx';
import { EmployeeLists } from '#web/features/employees/employee-lists.tsx';
import { balanceOf, LeavingFacts } from '#web/features/employees/leaving.tsx';
import { EmployeeSide } from '#web/features/employees/employee-side.tsx';
import { EmployeeWallets } from '#web/features/employees/employee-wallets.tsx';
import { MailStopped } from '#web/features/employees/mail-stopped.tsx';
import { OpenSessions } from '#web/features/employees/open-sessions.tsx';
import { CloseWallet, OpenWallet } from '#web/features/employees/wallet-questions.tsx';
import { DocumentsLink, ResendLink } from '#web/features/employees/person-links.tsx';
import { PersonDecision, type DecisionName } from '#web/features/employees/person-decision.tsx';
import { EmployeeRecoveries } from '#web/features/payroll/recoveries/employee-recoveries.tsx';
import { UsualPayOf } from '#web/features/usual-pay/usual-pay.tsx';
import { useSession } from '#web/features/session/use-session.ts';
import { ScreenHead } from '#web/kit/screen-head.tsx';
import { loadedDialog } from '#web/kit/loaded-dialog.tsx';
import { LoadedQuery } from '#web/kit/loaded-query.tsx';
import { counted } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { LinkButton, TextLink } from '#web/ui/link-button.tsx';
import { Money } from '#web/ui/money.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Stat, Stats } from '#web/ui/stat.tsx';
import { Time } from '#web/ui/time.tsx';
import '#web/features/employees/employees.css';

const PayOutBalance = loadedDialog(
  async () => (await import('#web/features/employees/pay-out-balance.tsx')).PayOutBalance,
);
const EnterBankAccount = loadedDialog(
  async () => (await import('#web/features/bank-accounts/enter-bank-account.tsx')).EnterBankAccount,
);
const CorrectName = loadedDialog(
  async () => (await import('#web/features/employees/correct-name.tsx')).CorrectName,
);
const ChangeEmail = loadedDialog(
  async () => (await import('#web/features/employees/change-email.tsx')).ChangeEmail,
);
const CorrectAddress = loadedDialog(
  async () => (await import('#web/features/kyc/review/correct-address.tsx')).CorrectAddress,
);
const FundDialog = loadedDialog(
  async () => (await import('#web/features/payroll/funding/fund-dialog.tsx')).FundDialog,
);

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
          <LoadedQuery query={query} what="the employee" lines={8} />
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
  | { what: 'sessions' }
  | { what: 'payout' }
  | { what: 'account' }
  | { what: 'fund' }
  | { what: 'name' }
  | { what: 'address' }
  | { what: 'email' }
  | { what: 'documents' };

function Employee({ person }: { person: Person }) {
  const viewerId = useSession().data?.user?.id;
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const isGone = person.standing === 'deactivated';
  const isFundable = person.standing === 'active' && person.isEmployee && person.id !== viewerId;
  const enterAccount = () => setOpen({ what: 'account' });
  const decide = (decision: DecisionName) => setOpen({ what: 'decision', decision });
  return (
    <>
      <ScreenHead
        title={person.name}
        subtitle={
          <>
            {person.position}, {DEPARTMENTS[person.department]}{' '}
            <span className="id" translate="no">
              {person.employeeId}
            </span>
          </>
        }
        actions={
          <>
            {person.standing === 'applicant' && (
              <Button kind="solid" onPress={() => decide('accept')}>
                Accept
              </Button>
            )}
            {person.isEmployee && (
              <LinkButton href={`/admin/employees/${person.id}/documents`}>Documents</LinkButton>
            )}
            <Button onPress={() => setOpen({ what: 'position' })}>Change Department</Button>
            {isFundable && (
              <Button kind="solid" onPress={() => setOpen({ what: 'fund' })}>
                Fund Employee
              </Button>
            )}
            {isGone && person.available.minor !== '0' && (
              <Button kind="solid" onPress={() => setOpen({ what: 'payout' })}>
                Pay Out Balance
              </Button>
            )}
          </>
        }
      />
      <StandingNotice person={person} />
      <MailStopped person={person} />
      <Figures person={person} />
      <div className="columns person">
        <div className="person__main">
          {person.isEmployee && <UsualPayOf person={person} isOwn={person.id === viewerId} />}
          <EmployeeRecoveries person={person} />
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
          onCorrectName={() => setOpen({ what: 'name' })}
          onChangeEmail={() => setOpen({ what: 'email' })}
          onCorrectAddress={() => setOpen({ what: 'address' })}
          onEnterAccount={isGone ? enterAccount : undefined}
          onLink={() => setOpen({ what: 'link' })}
          onDocumentsLink={() => setOpen({ what: 'documents' })}
          onSessions={() => setOpen({ what: 'sessions' })}
        />
      </div>
      {open?.what === 'decision' && (
        <PersonDecision
          decision={open.decision}
          person={person}
          onClose={close}
          details={open.decision === 'deactivate' && <LeavingFacts person={person} />}
        />
      )}
      {open?.what === 'wallet' && <OpenWallet person={person} type={open.type} onClose={close} />}
      {open?.what === 'close' && (
        <CloseWallet person={person} wallet={open.wallet} onClose={close} />
      )}
      {open?.what === 'position' && <ChangePosition person={person} onClose={close} />}
      {open?.what === 'name' && <CorrectName person={person} onClose={close} />}
      {open?.what === 'email' && <ChangeEmail person={person} onClose={close} />}
      {open?.what === 'address' && person.identity !== null && (
        <CorrectAddress
          applicationId={person.identity.applicationId}
          name={person.name}
          onClose={close}
        />
      )}
      {open?.what === 'sessions' && <OpenSessions person={person} onClose={close} />}
      {open?.what === 'payout' && (
        <PayOutBalance person={person} onClose={close} onEnterAccount={enterAccount} />
      )}
      {open?.what === 'account' && <EnterBankAccount person={person} onClose={close} />}
      {open?.what === 'documents' && <DocumentsLink person={person} onClose={close} />}
      {open?.what === 'fund' && <FundDialog employeeId={person.id} onClose={close} />}
      {open?.what === 'link' && <ResendLink person={person} onClose={close} />}
    </>
  );
}

function StandingNotice({ person }: { person: Person }) {
  const { standing, deactivatedAt, reason, inProgress } = person;
  if (standing !== 'deactivated' || deactivatedAt === null) return null;
  const { withdrawals } = inProgress;
  return (
    <div className="mb-4">
      <Notice tone="caution">
        <span className="strong">
          Deactivated <Time at={deactivatedAt} as="dateTime" />.
        </span>{' '}
        Cannot sign in and is left out of payroll. <Money amount={balanceOf(person)} /> is in the
        wallets
        {withdrawals > 0 &&
          `; ${counted(withdrawals, 'withdrawal')} ${withdrawals === 1 ? 'is' : 'are'} on the way`}
        .{reason !== null && ` Reason: ${reason}`}
      </Notice>
    </div>
  );
}

function Figures({ person }: { person: Person }) {
  const { available, wallets, lastDeposit, ytdEarnings, ytdPayroll, ytdDeposits, inProgress } =
    person;
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
        note={
          <>
            Payroll <Money amount={ytdPayroll} />, deposits <Money amount={ytdDeposits} />
          </>
        }
      />
      <Stat
        label="Withdrawals in progress"
        value={<Money amount={inProgress.held} />}
        note={inProgress.withdrawals === 1 ? '1 request' : `${inProgress.withdrawals} requests`}
      />
    </Stats>
  );
}
