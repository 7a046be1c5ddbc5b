import type { ReactNode } from 'react';
import { DecisionDialog, type Decision } from '#web/kit/decision-dialog.tsx';

const NOT_SHOWN = 'Kept for administrators, not shown to the employee';

export type DecisionName =
  | 'accept'
  | 'deactivate'
  | 'reactivate'
  | 'endSessions'
  | 'freeze'
  | 'release'
  | 'resetTwoFactor'
  | 'askForIdentity'
  | 'revokeAdmin';

type PersonDecisionWords = Decision & {
  /** Effect on the person: "Payroll pays them from now on." */
  consequence: string;
};

export const DECISIONS: Record<DecisionName, PersonDecisionWords> = {
  accept: {
    operation: 'adminAcceptApplicant',
    label: 'Accept',
    kind: 'solid',
    title: 'Accept this person?',
    pending: 'Accepting',
    done: 'Employee Accepted',
    consequence: 'They become an employee. Payroll and funding now include them.',
  },
  deactivate: {
    operation: 'adminDeactivatePerson',
    label: 'Deactivate',
    kind: 'danger',
    title: 'Deactivate employee',
    reason: {
      emptyHint: 'Enter a reason to deactivate.',
      keep: 'Keep Active',
      placeholder: NOT_SHOWN,
    },
    pending: 'Deactivating',
    done: 'Employee Deactivated',
    consequence:
      'Their money and requests stay theirs. You can pay the balance out afterwards. You can undo this at any time.',
  },
  reactivate: {
    operation: 'adminReactivatePerson',
    label: 'Reactivate',
    kind: 'solid',
    title: 'Reactivate employee',
    reason: {
      emptyHint: 'Enter a reason to reactivate.',
      keep: 'Keep Deactivated',
      placeholder: NOT_SHOWN,
      kind: 'solid',
    },
    pending: 'Reactivating',
    done: 'Employee Reactivated',
    consequence: 'They can sign in again, and payroll includes them again.',
  },
  endSessions: {
    operation: 'adminEndSessions',
    label: 'End Sessions',
    kind: 'solid',
    title: 'End all sessions?',
    pending: 'Ending sessions',
    done: 'Sessions Ended',
    consequence: 'They are signed out everywhere and can sign in again.',
  },
  freeze: {
    operation: 'adminFreezePayouts',
    label: 'Freeze Payouts',
    kind: 'danger',
    title: 'Freeze payouts',
    reason: {
      emptyHint: 'Enter a reason to freeze.',
      keep: 'Keep Payouts',
      placeholder: NOT_SHOWN,
    },
    pending: 'Freezing',
    done: 'Payouts Frozen',
    consequence: 'No money can leave their accounts until an administrator releases the freeze.',
  },
  release: {
    operation: 'adminReleasePayouts',
    label: 'Release Payouts',
    kind: 'solid',
    title: 'Release payouts',
    reason: {
      emptyHint: 'Enter a reason to release.',
      keep: 'Keep Frozen',
      placeholder: NOT_SHOWN,
      kind: 'solid',
    },
    pending: 'Releasing',
    done: 'Payouts Released',
    consequence: 'Their money can leave again. They are notified.',
  },
  resetTwoFactor: {
    operation: 'adminResetTwoFactor',
    label: 'Reset Two-Factor',
    kind: 'danger',
    title: 'Reset two-factor',
    reason: {
      emptyHint: 'Enter a reason to reset it.',
      keep: 'Keep Two-Factor',
      placeholder: 'Sent to the employee',
    },
    pending: 'Resetting',
    done: 'Two-Factor Reset',
    consequence:
      'For an employee who lost their phone and recovery codes. They are signed out and can sign in with the password alone until they set up two-factor again.',
  },
  askForIdentity: {
    operation: 'adminAskForIdentity',
    label: 'Ask for Identity Check',
    kind: 'solid',
    title: 'Ask for an identity check?',
    pending: 'Asking',
    done: 'Identity Check Requested',
    consequence: 'They get a notification and a mail that ask them to verify their identity.',
  },
  revokeAdmin: {
    operation: 'adminRevokeAdmin',
    label: 'Remove Admin Rights',
    kind: 'danger',
    title: 'Remove admin rights',
    reason: {
      emptyHint: 'Enter a reason to remove them.',
      keep: 'Keep Rights',
      placeholder: NOT_SHOWN,
    },
    pending: 'Removing',
    done: 'Admin Rights Removed',
    consequence: 'They are signed out and become an employee.',
  },
};

interface PersonDecisionProps {
  decision: DecisionName;
  person: { id: string; name: string };
  /** Further effects, one per line. */
  details?: ReactNode;
  onClose: () => void;
}

/** Confirms a decision about a person, and requires a reason for decisions that record one. */
export function PersonDecision({ decision, person, details, onClose }: PersonDecisionProps) {
  const { consequence, ...words } = DECISIONS[decision];
  return (
    <DecisionDialog
      decision={words}
      id={person.id}
      subject={`${person.name}.`}
      topic="people"
      unchanged="Nothing was changed."
      onClose={onClose}
      details={details}
    >
      <span className="strong">{person.name}</span>. {consequence}
    </DecisionDialog>
  );
}
