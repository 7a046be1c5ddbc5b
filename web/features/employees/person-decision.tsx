import type { ReactNode } from 'react';
import { person as thing } from '#contract/things/person.ts';
import type { OfferedAct } from '#contract/things/thing.ts';
import { DecisionDialog, decisionsOf } from '#web/kit/decision-dialog.tsx';

export type DecisionName = OfferedAct<typeof thing>;

export const DECISIONS = decisionsOf(thing);

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
