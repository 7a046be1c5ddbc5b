import type { EmployeePage } from '#contract/api.ts';
import { accountTypeLabel } from '#contract/account-formats.ts';
import { can } from '#contract/can.ts';
import { kycCan, type KycEvent } from '#contract/kyc.ts';
import { personCan } from '#contract/people.ts';
import { formatCount } from '#web/lib/format.ts';
import { Button } from '#web/ui/button.tsx';
import { Facts } from '#web/ui/facts.tsx';
import { TextLink } from '#web/ui/link-button.tsx';
import { Section } from '#web/ui/section.tsx';
import { Status } from '#web/ui/status.tsx';
import { Time } from '#web/ui/time.tsx';
import { ProposedOn } from '#web/kit/proposed-on.tsx';
import { NextPayroll } from './next-payroll.tsx';
import { DECISIONS, type DecisionName } from './person-decision.tsx';

const STEP_LABELS: Record<KycEvent, string> = {
  submitted: 'Submitted',
  moved_to_review: 'In review',
  approved: 'Approved',
  rejected: 'Rejected',
  resubmission_requested: 'Resubmission requested',
  name_changed: 'Name changed',
  address_corrected: 'Address corrected',
};

interface EmployeeSideProps {
  person: EmployeePage;
  /** True on the admin's own page, where only other admins may decide. */
  isOwn: boolean;
  onDecide: (decision: DecisionName) => void;
  onCorrectName: () => void;
  onCorrectAddress: () => void;
  onChangeEmail: () => void;
  onLink: () => void;
  /** Sends a person who left a link to their documents. */
  onDocumentsLink: () => void;
  /** Enters a bank account for the person. Undefined while they are active and do it themselves. */
  onEnterAccount: (() => void) | undefined;
  onSessions: () => void;
}

/** The person's details, status and access. */
export function EmployeeSide({
  person,
  isOwn,
  onEnterAccount,
  onCorrectName,
  onCorrectAddress,
  onChangeEmail,
  ...acts
}: EmployeeSideProps) {
  const hasAddress =
    person.identity !== null && can(kycCan, 'correctAddress', person.identity.status);
  return (
    <div className="person__side">
      {person.isEmployee && person.standing === 'active' && <NextPayroll personId={person.id} />}
      <Section title="Profile">
        <Facts
          isTight
          facts={[
            { label: 'Email', value: person.email },
            { label: 'Joined', value: <Time at={person.joinedAt} as="date" /> },
            {
              label: 'Last sign-in',
              value:
                person.lastSignInAt === null ? (
                  <span className="faint">Never</span>
                ) : (
                  <Time at={person.lastSignInAt} as="dateTime" />
                ),
            },
          ]}
        />
        {!isOwn && (
          <p className="person__acts mt-3">
            <Button shape="text" onPress={onCorrectName}>
              Correct Name
            </Button>
            {hasAddress && (
              <Button shape="text" onPress={onCorrectAddress}>
                Correct Address
              </Button>
            )}
            <Button shape="text" onPress={onChangeEmail}>
              Change Email
            </Button>
          </p>
        )}
      </Section>
      <Identity person={person} />
      <BankAccounts person={person} onEnter={onEnterAccount} />
      {!isOwn && <Access person={person} {...acts} />}
    </div>
  );
}

function Identity({ person: { identity, isInvited } }: { person: EmployeePage }) {
  // Adding a person starts an application for them, so in_progress does not mean they did anything.
  const isUntouched = isInvited && identity?.status === 'in_progress';
  return (
    <Section
      title="Identity"
      end={
        identity !== null &&
        identity.status !== 'in_progress' && (
          <TextLink href={`/admin/kyc-review?application=${identity.applicationId}`}>
            Open application
          </TextLink>
        )
      }
    >
      <ul className="person__list">
        <li>
          <Status
            status={isUntouched ? 'not_started' : (identity?.status ?? 'not_started')}
            isFinal={identity?.status === 'approved'}
          />
        </li>
        {identity?.steps.map(({ action, by, at }) => (
          <li key={`${action} ${at}`}>
            <span>{STEP_LABELS[action]}</span>
            <span className="meta">
              {by}, <Time at={at} as="shortDateTime" />
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function BankAccounts({
  person: { id, bankAccounts },
  onEnter,
}: {
  person: EmployeePage;
  onEnter: EmployeeSideProps['onEnterAccount'];
}) {
  return (
    <Section
      title="Bank accounts"
      end={
        <TextLink href={`/admin/bank-accounts?status=all&person=${id}`}>All bank accounts</TextLink>
      }
    >
      <ul className="person__list">
        {bankAccounts.length === 0 && <li className="faint">None yet</li>}
        {bankAccounts.map((account) => (
          <li key={account.id}>
            <span>
              <TextLink href={`/admin/bank-accounts?status=all&account=${account.id}`}>
                {account.bankName}
              </TextLink>
              <span className="muted person__line num">
                {accountTypeLabel(account)} •••• {account.accountNumberLast4}
              </span>
            </span>
            <span className="person__end">
              <Status status={account.status} />
              <span className="meta person__line">
                {account.isPrimary && 'Primary, '}
                <Time at={account.addedAt} as="short" />
              </span>
            </span>
          </li>
        ))}
        {onEnter !== undefined && (
          <li>
            <span className="muted">For a final payout</span>
            <Button shape="text" onPress={onEnter}>
              Enter Bank Account
            </Button>
          </li>
        )}
      </ul>
    </Section>
  );
}

type AccessProps = Omit<
  EmployeeSideProps,
  'isOwn' | 'onEnterAccount' | 'onCorrectName' | 'onCorrectAddress' | 'onChangeEmail'
>;

/** The person's status, with the acts that change it. */
function Access({ person, onDecide, onLink, onDocumentsLink, onSessions }: AccessProps) {
  const { standing, sessions, payoutsFrozenAt, payoutsFrozen, role, isInvited, identity } = person;
  const isFrozen = payoutsFrozenAt !== null;
  const act = (decision: DecisionName) => (
    <Button shape="text" onPress={() => onDecide(decision)}>
      {DECISIONS[decision].label}
    </Button>
  );
  return (
    <Section title="Access">
      <ul className="person__list">
        {isInvited && (
          <li>
            <span>No password chosen yet</span>
            <Button shape="text" onPress={onLink}>
              Resend Link
            </Button>
          </li>
        )}
        <li>
          <span>
            {sessions === 1 ? '1 open session' : `${formatCount(sessions)} open sessions`}
          </span>
          {sessions > 0 && (
            <span className="person__acts">
              <Button shape="text" onPress={onSessions}>
                Show Sessions
              </Button>
              {can(personCan, 'endSessions', standing) && act('endSessions')}
            </span>
          )}
        </li>
        <li>
          <span>
            {isFrozen ? 'Payouts are frozen' : 'Payouts are not frozen'}
            {isFrozen && (
              <span className="meta person__line">
                Since <Time at={payoutsFrozenAt} as="shortDateTime" />
                {payoutsFrozen?.by != null && `, by ${payoutsFrozen.by}`}
                {payoutsFrozen?.reason != null && `: ${payoutsFrozen.reason}`}
              </span>
            )}
          </span>
          {act(isFrozen ? 'release' : 'freeze')}
        </li>
        {role === 'admin' && (
          <li>
            <span>
              Administrator
              <ProposedOn personId={person.id} isLinked />
            </span>
            {can(personCan, 'revokeAdmin', standing) && act('revokeAdmin')}
          </li>
        )}
        <li>
          <span>{person.hasTwoFactor ? 'Two-factor is on' : 'Two-factor is off'}</span>
          {person.hasTwoFactor &&
            can(personCan, 'resetTwoFactor', standing) &&
            act('resetTwoFactor')}
        </li>
        {isIdentityAwaited(identity) && standing === 'active' && (
          <li>
            <span>Identity not verified</span>
            {act('askForIdentity')}
          </li>
        )}
        {standing === 'deactivated' && (
          <li>
            <span>Reads payslips by a link</span>
            <Button shape="text" onPress={onDocumentsLink}>
              Send Documents Link
            </Button>
          </li>
        )}
        <li>
          <span>{STANDING_WORDS[standing]}</span>
          <span className="person__acts">
            {can(personCan, 'accept', standing) && act('accept')}
            {can(personCan, 'deactivate', standing) && act('deactivate')}
            {can(personCan, 'reactivate', standing) && act('reactivate')}
          </span>
        </li>
      </ul>
    </Section>
  );
}

const STANDING_WORDS: Record<EmployeePage['standing'], string> = {
  active: 'Signs in, is paid',
  applicant: 'Signs in, is not paid',
  deactivated: 'Cannot sign in, is not paid',
};

/** True if the next step of verifying the identity is the person's own. */
function isIdentityAwaited(identity: EmployeePage['identity']): boolean {
  return identity === null || ['in_progress', 'rejected'].includes(identity.status);
}
