import type { ReactNode } from 'react';
import { ADMIN_ACTS, ALONE_AFTER_HOURS } from '#contract/duties.ts';
import type { Role } from '#contract/identity.ts';
import { person as thing } from '#contract/things/person.ts';
import type { OfferedAct } from '#contract/things/thing.ts';
import { DecisionDialog, decisionsOf } from '#web/kit/decision-dialog.tsx';

export type DecisionName = OfferedAct<typeof thing>;

export const DECISIONS = decisionsOf(thing);

const BY_ANOTHER = `Another administrator has to accept it in the security settings. Where there is no other, you can after ${ALONE_AFTER_HOURS} hours.`;

/** Further consequences where the person is an administrator. */
const ON_ADMINS: Partial<Record<DecisionName, string>> = {
  ...Object.fromEntries(ADMIN_ACTS.map((act) => [act, BY_ANOTHER])),
  deactivate: 'Another administrator has to accept it then.',
};

interface PersonDecisionProps {
  decision: DecisionName;
  person: { id: string; name: string; role: Role };
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
      {person.role === 'admin' && ON_ADMINS[decision] !== undefined && ` ${ON_ADMINS[decision]}`}
    </DecisionDialog>
  );
}
