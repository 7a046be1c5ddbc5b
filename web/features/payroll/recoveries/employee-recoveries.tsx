import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Recovery } from '#contract/api.ts';
import { formatMoney } from '#contract/money.ts';
import { recovery as thing } from '#contract/things/recovery.ts';
import { apiQuery } from '#web/api/query.ts';
import { DecisionDialog, decisionsOf } from '#web/kit/decision-dialog.tsx';
import { Button } from '#web/ui/button.tsx';
import { RecoveryView } from './recovery-view.tsx';

const DECISIONS = decisionsOf(thing);

/** Recoveries of an employee, for administrators. Nothing where none was proposed. */
export function EmployeeRecoveries({ person }: { person: { id: string; name: string } }) {
  const query = useQuery(apiQuery('adminGetRecoveries', { params: { id: person.id } }));
  const [ending, setEnding] = useState<Recovery>();
  const { consequence, ...words } = DECISIONS.end;
  return (
    <>
      {query.data?.recoveries.map((recovery) => {
        const end = recovery.acts.find(({ act }) => act === 'end');
        return (
          <RecoveryView
            key={recovery.id}
            recovery={recovery}
            title={`Recovery of ${formatMoney(recovery.amount)}`}
            actions={
              end !== undefined && (
                <Button why={end.refusal ?? undefined} onPress={() => setEnding(recovery)}>
                  {words.label}
                </Button>
              )
            }
          />
        );
      })}
      {ending !== undefined && (
        <DecisionDialog
          decision={words}
          id={ending.id}
          subject={`${formatMoney(ending.left)} of ${person.name}.`}
          topic="payroll"
          unchanged="The recovery was not changed."
          onClose={() => setEnding(undefined)}
        >
          {formatMoney(ending.left)} of <span className="strong">{person.name}</span>. {consequence}
        </DecisionDialog>
      )}
    </>
  );
}
