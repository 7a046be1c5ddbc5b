import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { RouteInput } from '#contract/api.ts';
import { AMOUNT_PROBLEM, money, readAmount } from '#contract/money.ts';
import { Button } from '#web/ui/button.tsx';
import { RadioChoices } from '#web/ui/radio-choices.tsx';
import type { PayrollForm } from '../payroll-form.ts';
import { ChoosePeople } from './choose-people.tsx';
import { useNewDraft } from './use-new-draft.ts';
import './drafts.css';

type Body = RouteInput<'adminCreatePayrollDraft'>['body'];
type Source = NonNullable<Body['startFrom']> | 'file' | 'none';

const SOURCES = [
  { value: 'usual', label: 'Usual pay' },
  { value: 'last', label: 'Last payroll' },
  { value: 'file', label: 'From a file' },
  { value: 'none', label: 'No amounts yet' },
] as const;

const NOT_CHOSEN = 'Choose a wallet type and a department';

interface StartDraftProps {
  payroll: PayrollForm;
  /** Takes the draft that was made. */
  onDraft: (draftId: string) => void;
}

/** Keeps the same amount for each as a draft, also while it or the description is missing. */
export function SaveDraft({ payroll, onDraft }: StartDraftProps) {
  const save = useNewDraft((id) => {
    payroll.clear();
    onDraft(id);
  });
  const { ordered, state, currency } = payroll;
  const typed = state.form.watch('amount').trim();
  const minor = typed === '' ? null : readAmount(typed, currency);
  const isWrong = typed !== '' && minor === null;

  function whyNot(): string | undefined {
    if (ordered === null) return NOT_CHOSEN;
    return isWrong ? AMOUNT_PROBLEM : undefined;
  }

  return (
    <Button
      isPending={save.isPending}
      pendingLabel="Saving"
      why={whyNot()}
      onPress={() => {
        if (ordered === null || isWrong) return;
        const amount = minor === null ? null : money(minor, currency);
        save.mutate({ ...ordered, hasOwnAmounts: false, amount });
      }}
    >
      Save Draft
    </Button>
  );
}

/** Begins a draft: of each person's own amount, or of people who are chosen by name. */
export function StartDraft({ payroll, onDraft }: StartDraftProps) {
  const [source, setSource] = useState<Source>('usual');
  const [isChoosing, setChoosing] = useState(false);
  const navigate = useNavigate();
  const start = useNewDraft((id) => {
    payroll.clear();
    if (isOwn && source === 'file') {
      // The typed text is in the draft now, which the question about unsaved work learns with the next render.
      void navigate({
        to: '/admin/payroll/file',
        search: { draft: id },
        ignoreBlocker: true,
      });
    } else onDraft(id);
  });
  const { ordered, isOwn, isChosen, amountMinor, currency } = payroll;
  const title = isOwn ? 'Each person’s own amount' : 'Chosen people';

  function whyNot(): string | undefined {
    if (ordered === null) return NOT_CHOSEN;
    return !isOwn && amountMinor === null ? AMOUNT_PROBLEM : undefined;
  }

  function make(people?: string[]): void {
    if (ordered === null) return;
    start.mutate({
      ...ordered,
      hasOwnAmounts: true,
      people,
      ...(isOwn && (source === 'usual' || source === 'last') && { startFrom: source }),
      ...(!isOwn && amountMinor !== null && { amount: money(amountMinor, currency) }),
    });
  }

  return (
    <section className="sheet pv" aria-label={title}>
      <div className="pv__start">
        <h2 className="section-title">{title}</h2>
        {isOwn && (
          <RadioChoices
            label="Start from"
            name="startFrom"
            choices={SOURCES}
            value={source}
            onChange={setSource}
          />
        )}
        <p className="muted">
          A draft keeps the amounts as you type them. Nothing moves before you review and send it.
        </p>
        <Button
          kind="solid"
          isPending={start.isPending}
          pendingLabel="Preparing"
          why={whyNot()}
          onPress={() => (isChosen ? setChoosing(true) : make())}
        >
          {isChosen ? 'Choose People' : 'Prepare Amounts'}
        </Button>
        {isChoosing && (
          <ChoosePeople
            taken={NOBODY}
            isPending={start.isPending}
            onClose={() => setChoosing(false)}
            onChosen={make}
          />
        )}
      </div>
    </section>
  );
}

const NOBODY: ReadonlySet<string> = new Set();
