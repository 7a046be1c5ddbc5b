import type { ReactNode } from 'react';
import { DecisionDialog, type Decision } from '#web/kit/decision-dialog.tsx';

const KEPT_IN_AUDIT = 'Kept in the audit, not shown to the employee';

export type DecisionName = 'accept' | 'reactivate';

type PersonDecisionWords = Decision & {
  /** What follows for the person: "Payroll pays them from now on." */
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
    consequence: 'They become an employee: payroll and funding include them from now on.',
  },
  reactivate: {
    operation: 'adminReactivatePerson',
    label: 'Reactivate',
    kind: 'solid',
    title: 'Reactivate employee',
    reason: {
      emptyHint: 'Enter a reason to reactivate.',
      keep: 'Keep Deactivated',
      placeholder: KEPT_IN_AUDIT,
      kind: 'solid',
    },
    pending: 'Reactivating',
    done: 'Employee Reactivated',
    consequence: 'They can sign in again, and payroll includes them from now on.',
  },
};

interface PersonDecisionProps {
  decision: DecisionName;
  person: { id: string; name: string };
  /** What follows, point by point. */
  details?: ReactNode;
  onClose: () => void;
}

/** Asks before something is decided about a person, for a reason where it is kept. */
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
