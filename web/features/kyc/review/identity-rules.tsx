import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { RouteReply } from '#contract/api.ts';
import { MIN_AGE_YEARS, RETENTION_DAYS } from '#contract/kyc.ts';
import { readNumber } from '#contract/rules.ts';
import { call } from '#web/api/client.ts';
import { apiQuery } from '#web/api/query.ts';
import { FormDialog } from '#web/kit/form-dialog.tsx';
import { useFormState } from '#web/kit/form-state.ts';
import { QueryError } from '#web/kit/query-error.tsx';
import { useFormTask } from '#web/kit/use-form-task.ts';
import type { Problems } from '#web/lib/form.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { toast } from '#web/ui/toast-queue.ts';

type Rules = RouteReply<'adminGetIdentityRules'>;
type Values = Record<keyof Rules, string>;

/** What the company asks of applicants, and how long it keeps what they handed over. */
export function IdentityRules() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button onPress={() => setIsOpen(true)}>Identity rules</Button>
      {isOpen && <IdentityRulesDialog onClose={() => setIsOpen(false)} />}
    </>
  );
}

function IdentityRulesDialog({ onClose }: { onClose: () => void }) {
  // Read again each time it is opened, and left alone while an admin types.
  const rules = useQuery({
    ...apiQuery('adminGetIdentityRules', {}),
    gcTime: 0,
    staleTime: Infinity,
  });
  if (rules.data !== undefined) return <RulesForm seen={rules.data} onClose={onClose} />;
  return (
    <Dialog title="Identity rules" isOpen onClose={onClose}>
      {rules.isError ? (
        <QueryError query={rules} title="The rules could not be loaded" />
      ) : (
        <Skeleton lines={4} label="Loading the identity rules" />
      )}
    </Dialog>
  );
}

function RulesForm({ seen, onClose }: { seen: Rules; onClose: () => void }) {
  // What the admin saw when the form was opened is what the change is made on.
  const [base] = useState(seen);
  const state = useFormState<Values>({
    initial: {
      minAgeYears: String(base.minAgeYears),
      retentionDays: String(base.retentionDays),
    },
    check,
  });
  const task = useFormTask(state, {
    send: ({ minAgeYears, retentionDays }: Values) =>
      call('adminUpdateIdentityRules', {
        body: {
          minAgeYears: Number(minAgeYears),
          retentionDays: Number(retentionDays),
          seen: base,
        },
      }),
    onDone: () => {
      toast({ title: 'Identity rules saved', tone: 'positive' });
      onClose();
    },
  });

  return (
    <FormDialog
      title="Identity rules"
      state={state}
      task={task}
      summary="Please check the rules"
      submit={{ label: 'Save Rules', pending: 'Saving' }}
      onClose={onClose}
    >
      {({ minAgeYears, retentionDays }) => (
        <>
          <TextField
            label="Legal age in years"
            isRequired
            inputMode="numeric"
            autoComplete="off"
            hint="An applicant has to have reached it on the day of submission."
            {...minAgeYears}
          />
          <TextField
            label="Days that material is kept"
            isRequired
            inputMode="numeric"
            autoComplete="off"
            hint="Answers and images of rejected applications and closed accounts, and replaced images, are destroyed after so many days. What was destroyed cannot be brought back."
            {...retentionDays}
          />
        </>
      )}
    </FormDialog>
  );
}

function check({ minAgeYears, retentionDays }: Values): Problems<Values> {
  return {
    ...(readNumber(MIN_AGE_YEARS, minAgeYears) === null && { minAgeYears: MIN_AGE_YEARS.problem }),
    ...(readNumber(RETENTION_DAYS, retentionDays) === null && {
      retentionDays: RETENTION_DAYS.problem,
    }),
  };
}
