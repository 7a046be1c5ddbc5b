import { useState } from 'react';
import type { RouteInput } from '#contract/api.ts';
import { call } from '#web/api/client.ts';
import { useAction } from '#web/kit/action.tsx';
import { Button } from '#web/ui/button.tsx';
import { RadioChoices } from '#web/ui/radio-choices.tsx';
import type { PayrollForm } from '../payroll-form.ts';
import './drafts.css';

type Body = RouteInput<'adminCreatePayrollDraft'>['body'];
type Source = NonNullable<Body['startFrom']> | 'none';

const SOURCES = [
  { value: 'usual', label: 'Usual pay' },
  { value: 'last', label: 'Last payroll' },
  { value: 'none', label: 'No amounts yet' },
] as const;

interface StartDraftProps {
  payroll: PayrollForm;
  onDraft: (draftId: string) => void;
}

/** Begins a draft in which each person has their own amount. */
export function StartDraft({ payroll, onDraft }: StartDraftProps) {
  const [source, setSource] = useState<Source>('usual');
  const start = useAction({
    send: (body: Body, options) => call('adminCreatePayrollDraft', { body }, options),
    topics: ['payroll'],
    failed: 'The draft was not made',
    onDone: ({ id }) => {
      payroll.clear();
      onDraft(id);
    },
  });
  const { ordered } = payroll;
  return (
    <section className="sheet pv" aria-label="Each person’s own amount">
      <div className="pv__start">
        <h2 className="section-title">Each person’s own amount</h2>
        <RadioChoices
          label="Start from"
          name="startFrom"
          choices={SOURCES}
          value={source}
          onChange={setSource}
        />
        <p className="muted">
          A draft keeps the amounts as you type them. Nothing moves before you review and send it.
        </p>
        <Button
          kind="solid"
          isPending={start.isPending}
          pendingLabel="Preparing"
          why={ordered === null ? 'Choose a wallet type and a department' : undefined}
          onPress={() => {
            if (ordered === null) return;
            start.mutate({
              ...ordered,
              hasOwnAmounts: true,
              ...(source !== 'none' && { startFrom: source }),
            });
          }}
        >
          Prepare Amounts
        </Button>
      </div>
    </section>
  );
}
