import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { RouteReply } from '#contract/api.ts';
import { depositPlaceRules } from '#contract/deposits.ts';
import { problemUnlessEmpty } from '#contract/rules.ts';
import { call } from '#web/api/client.ts';
import { apiQuery } from '#web/api/query.ts';
import { FormDialog } from '#web/kit/form-dialog.tsx';
import { useFormState } from '#web/kit/form-state.ts';
import { QueryError } from '#web/kit/query-error.tsx';
import { useFormTask } from '#web/kit/use-form-task.ts';
import type { Problems } from '#web/lib/form.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { TextArea } from '#web/ui/text-area.tsx';
import { TextButton } from '#web/ui/text-button.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { toast } from '#web/ui/toast-queue.ts';

type Places = RouteReply<'adminGetDepositPlaces'>;

const TITLE = 'Where deposits go';

/** Where money that comes in goes; the ways to deposit that employees are offered follow from it. */
export function DepositPlaces() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <TextButton onPress={() => setIsOpen(true)}>{TITLE}</TextButton>
      {isOpen && <DepositPlacesDialog onClose={() => setIsOpen(false)} />}
    </>
  );
}

function DepositPlacesDialog({ onClose }: { onClose: () => void }) {
  // Read again each time it is opened, and left alone while an admin types.
  const places = useQuery({
    ...apiQuery('adminGetDepositPlaces', {}),
    gcTime: 0,
    staleTime: Infinity,
  });
  if (places.data !== undefined) return <PlacesForm seen={places.data} onClose={onClose} />;
  return (
    <Dialog title={TITLE} isOpen onClose={onClose}>
      {places.isError ? (
        <QueryError query={places} title="The places could not be loaded" />
      ) : (
        <Skeleton lines={6} label="Loading the places" />
      )}
    </Dialog>
  );
}

function PlacesForm({ seen, onClose }: { seen: Places; onClose: () => void }) {
  // What the admin saw when the form was opened is what the change is made on.
  const [base] = useState(seen);
  const state = useFormState<Places>({ initial: base, check });
  const task = useFormTask(state, {
    send: (values) => call('adminUpdateDepositPlaces', { body: { ...values, seen: base } }),
    onDone: () => {
      toast({ title: 'Saved', message: 'New deposits go there.', tone: 'positive' });
      onClose();
    },
  });
  return (
    <FormDialog
      title={TITLE}
      state={state}
      task={task}
      summary="Please check the places"
      submit={{ label: 'Save', pending: 'Saving' }}
      onClose={onClose}
    >
      {(fields) => (
        <>
          <TextField
            label="Receiving bank"
            optional
            hint="Wires are offered once its name and address are set."
            {...fields.receivingBankName}
          />
          <TextField label="Bank's address" optional {...fields.receivingBankAddress} />
          <TextArea
            label="Mailing address"
            optional
            hint="Checks by mail are offered once it is set."
            {...fields.mailingAddress}
          />
          <TextField
            label="Card payment page"
            optional
            placeholder="https://"
            hint="Your own page. Purser never takes a card number. Cards are offered once it is set."
            {...fields.cardPaymentPage}
          />
          <TextField label="Support email" optional {...fields.supportEmail} />
        </>
      )}
    </FormDialog>
  );
}

function check(values: Places): Problems<Places> {
  const problems: Problems<Places> = {};
  for (const name of Object.keys(values) as (keyof Places)[]) {
    const problem = problemUnlessEmpty(depositPlaceRules[name], values[name]);
    if (problem !== undefined) problems[name] = problem;
  }
  const isBankNamed = values.receivingBankName.trim() !== '';
  const isBankFound = values.receivingBankAddress.trim() !== '';
  if (isBankNamed && !isBankFound) problems.receivingBankAddress ??= 'Enter the bank’s address';
  if (isBankFound && !isBankNamed) problems.receivingBankName ??= 'Enter the bank’s name';
  return problems;
}
