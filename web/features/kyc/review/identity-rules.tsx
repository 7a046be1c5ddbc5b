import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import type { RouteReply } from '#contract/api.ts';
import { MIN_AGE_YEARS, RETENTION_DAYS } from '#contract/kyc.ts';
import { ApiError, call } from '#web/api/client.ts';
import { showProblem } from '#web/api/form-problem.ts';
import { apiQuery, errorMessage } from '#web/api/query.ts';
import { FORM_MODES, checkedBy, useField, type Problems } from '#web/lib/form.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { toast } from '#web/ui/toast-queue.ts';

type Rules = RouteReply<'getIdentityRules'>;
type Values = Record<keyof Rules, string>;

const FIELDS = ['minAgeYears', 'retentionDays'] as const;

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
  // Read anew each time it is opened, and left alone while somebody types.
  const rules = useQuery({
    ...apiQuery('getIdentityRules', {}),
    gcTime: 0,
    staleTime: Infinity,
  });
  if (rules.data !== undefined) return <RulesForm seen={rules.data} onClose={onClose} />;
  return (
    <Dialog title="Identity rules" isOpen onClose={onClose}>
      {rules.isError ? (
        <ErrorState
          title="The rules could not be loaded"
          message={errorMessage(rules.error, 'Please try again.')}
          onRetry={() => void rules.refetch()}
          isRetrying={rules.isFetching}
        />
      ) : (
        <Skeleton lines={4} label="Loading the identity rules" />
      )}
    </Dialog>
  );
}

function RulesForm({ seen, onClose }: { seen: Rules; onClose: () => void }) {
  // What the admin saw when the form was opened is what the change is made on.
  const [base] = useState(seen);
  const form = useForm<Values>({
    ...FORM_MODES,
    resolver: checkedBy(check),
    defaultValues: {
      minAgeYears: String(base.minAgeYears),
      retentionDays: String(base.retentionDays),
    },
  });
  const minAge = useField(form, 'minAgeYears');
  const retention = useField(form, 'retentionDays');
  const save = useMutation({
    mutationFn: ({ minAgeYears, retentionDays }: Values) =>
      call('updateIdentityRules', {
        body: {
          minAgeYears: Number(minAgeYears),
          retentionDays: Number(retentionDays),
          seen: base,
        },
      }),
    onSuccess: () => {
      toast({ title: 'Identity rules saved', tone: 'positive' });
      onClose();
    },
    onError: (error) => void showProblem(form, FIELDS, error),
  });
  const isNamed = save.error instanceof ApiError && save.error.fields.length > 0;

  return (
    <Dialog
      title="Identity rules"
      isOpen
      onClose={onClose}
      onSubmit={() => {
        if (!save.isPending) void form.handleSubmit((values) => save.mutate(values))();
      }}
      actions={
        <>
          <Button onPress={onClose}>Cancel</Button>
          <Button kind="solid" type="submit" isPending={save.isPending} pendingLabel="Saving">
            Save Rules
          </Button>
        </>
      }
    >
      <div className="form">
        {save.isError && !isNamed && (
          <Notice tone="critical" role="alert">
            {errorMessage(save.error, 'The rules could not be saved. Please try again.')}
          </Notice>
        )}
        <TextField
          label="Legal age in years"
          isRequired
          inputMode="numeric"
          autoComplete="off"
          hint="An applicant has to have reached it on the day of submission."
          {...minAge}
        />
        <TextField
          label="Days that material is kept"
          isRequired
          inputMode="numeric"
          autoComplete="off"
          hint="Answers and images of rejected applications and closed accounts, and replaced images, are destroyed after so many days. What was destroyed cannot be brought back."
          {...retention}
        />
      </div>
    </Dialog>
  );
}

function check({ minAgeYears, retentionDays }: Values): Problems<Values> {
  const { least: youngest, most: oldest } = MIN_AGE_YEARS;
  const { least: shortest, most: longest } = RETENTION_DAYS;
  return {
    ...(!isWithin(minAgeYears, MIN_AGE_YEARS) && {
      minAgeYears: `Enter an age from ${youngest} to ${oldest} years`,
    }),
    ...(!isWithin(retentionDays, RETENTION_DAYS) && {
      retentionDays: `Enter a number of days from ${shortest} to ${longest}`,
    }),
  };
}

function isWithin(typed: string, { least, most }: { least: number; most: number }): boolean {
  const number = Number(typed);
  return /^\s*\d+\s*$/.test(typed) && number >= least && number <= most;
}
