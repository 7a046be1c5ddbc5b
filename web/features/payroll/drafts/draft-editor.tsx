import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { PayrollBatch, PayrollDraft } from '#contract/api.ts';
import { DESCRIPTION_MAX_LENGTH } from '#contract/limits.ts';
import { decimalAmount, money } from '#contract/money.ts';
import { readAmount } from '#contract/rules.ts';
import { parseTypedDate } from '#contract/typed-day.ts';
import { apiQuery } from '#web/api/query.ts';
import { LoadedQuery } from '#web/kit/loaded-query.tsx';
import { useCompany } from '#web/lib/company.ts';
import { formatDay } from '#web/lib/format.ts';
import { groupAmount } from '#web/lib/typed-amount.ts';
import { typedDate, typedDateProblem } from '#web/lib/typed-date.ts';
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx';
import { DateField } from '#web/ui/date-field.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { LinkButton } from '#web/ui/link-button.tsx';
import { MoneyField } from '#web/ui/money-field.tsx';
import { RadioChoices } from '#web/ui/radio-choices.tsx';
import { Select } from '#web/ui/select.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { DEPARTMENT_LABELS, DEPARTMENT_OPTIONS, WALLET_OPTIONS } from '../words.ts';
import { DraftSheetView } from './draft-sheet.tsx';
import { useDraft } from './use-draft.ts';
import type { DraftState } from './use-draft.ts';
import '../payroll.css';
import './drafts.css';

interface DraftEditorProps {
  id: string;
  onSent: (batch: PayrollBatch) => void;
  /** Leaves the draft, which is kept. */
  onClose: () => void;
}

/** A payroll that is prepared: what it pays at the left, whom and how much at the right. */
export function DraftEditor({ id, onSent, onClose }: DraftEditorProps) {
  const state = useDraft(id);
  return (
    <LoadedQuery query={state.draft} what="the draft" lines={8}>
      {(draft) =>
        draft.status === 'open' ? (
          <div className="columns run">
            <DraftForm draft={draft} state={state} />
            <DraftSheetView draft={draft} state={state} onSent={onSent} onClose={onClose} />
          </div>
        ) : (
          <EmptyState
            title={`This draft was ${draft.status}`}
            hint={
              draft.status === 'sent' ? 'Its payroll is under History.' : 'Nobody was paid by it.'
            }
            action={
              draft.sentBatchId !== null && (
                <LinkButton href={`/admin/payroll?tab=history&batch=${draft.sentBatchId}`}>
                  Open Payroll
                </LinkButton>
              )
            }
          />
        )
      }
    </LoadedQuery>
  );
}

type Source = 'usual' | 'last';

/** A change that replaces amounts that were edited. */
interface Replacing {
  apply: () => void;
}

function DraftForm({ draft, state }: { draft: PayrollDraft; state: DraftState }) {
  const name = useId();
  const { currency } = useCompany();
  const { fields, set } = state;
  const stats = useQuery(apiQuery('adminGetPayrollStats', {}));
  const [payOn, setPayOn] = useState(draft.payOn === null ? '' : typedDate(draft.payOn));
  const [amount, setAmount] = useState(
    draft.amount === null ? '' : groupAmount(decimalAmount(BigInt(draft.amount.minor))),
  );
  const [replacing, setReplacing] = useState<Replacing>();
  const hasAmounts = draft.hasOwnAmounts && draft.employees > 0;
  const payDay = parseTypedDate(payOn) ?? null;
  const nextPayday = stats.data?.nextPayroll ?? null;

  /** Asks first where amounts would be replaced. */
  function replace(apply: () => void): void {
    if (hasAmounts) setReplacing({ apply });
    else apply();
  }

  return (
    <form className="form" onSubmit={(event) => event.preventDefault()} noValidate>
      <DateField
        label="Pay date"
        name={`${name}-on`}
        value={payOn}
        hint={payDateHint(payDay, nextPayday)}
        error={payOn === '' ? undefined : typedDateProblem(payOn)}
        onChange={(typed) => {
          setPayOn(typed);
          const day = parseTypedDate(typed);
          if (typed === '' || day !== undefined) set({ payOn: day ?? null });
        }}
      />
      <Select
        label="Wallet Type"
        name={`${name}-wallet`}
        isRequired
        placeholder="Choose a wallet type"
        options={WALLET_OPTIONS}
        value={fields.walletType ?? draft.walletType}
        onChange={(walletType) => {
          if (walletType === draft.walletType) return;
          const startFrom = sourceOf(draft);
          replace(() => set({ walletType, ...(draft.hasOwnAmounts && { startFrom }) }));
        }}
      />
      {draft.department === 'chosen' ? (
        <p className="muted">{DEPARTMENT_LABELS.chosen}</p>
      ) : (
        <Select
          label="Department"
          name={`${name}-department`}
          isRequired
          placeholder="Choose a department"
          options={DEPARTMENT_OPTIONS}
          value={departmentOf(fields.department ?? draft.department)}
          onChange={(department) => {
            if (department === draft.department) return;
            const startFrom = sourceOf(draft);
            replace(() => set({ department, ...(draft.hasOwnAmounts && { startFrom }) }));
          }}
        />
      )}
      <TextField
        label="Description"
        name={`${name}-description`}
        isRequired
        maxLength={DESCRIPTION_MAX_LENGTH}
        hint="Shown to each employee with the transaction."
        value={fields.description ?? draft.description}
        onChange={(description) => set({ description })}
      />
      {draft.hasOwnAmounts ? (
        <RadioChoices<Source>
          label="Start from"
          name={`${name}-from`}
          value={draft.startedFrom === 'file' ? '' : (draft.startedFrom ?? '')}
          choices={[
            { value: 'usual', label: 'Usual pay' },
            { value: 'last', label: 'Last payroll' },
          ]}
          onChange={(startFrom) => replace(() => set({ startFrom }))}
        />
      ) : (
        <MoneyField
          label="Amount"
          name={`${name}-amount`}
          currency={currency}
          isRequired
          hint="Per employee"
          value={amount}
          onChange={(typed) => {
            setAmount(typed);
            const minor = readAmount(typed, currency);
            if (minor !== null) set({ amount: money(minor, currency) });
          }}
        />
      )}
      {replacing !== undefined && (
        <ConfirmDialog
          isOpen
          title={`${draft.employees} amounts are replaced`}
          kind="solid"
          keepLabel="Keep Amounts"
          confirmLabel="Replace"
          onClose={() => setReplacing(undefined)}
          onConfirm={() => {
            replacing.apply();
            setReplacing(undefined);
          }}
        >
          The amounts of this draft are filled in again. What was typed is gone.
        </ConfirmDialog>
      )}
    </form>
  );
}

function sourceOf({ startedFrom }: PayrollDraft): Source {
  return startedFrom === 'usual' ? 'usual' : 'last';
}

function departmentOf(department: PayrollDraft['department']) {
  return department === 'chosen' ? 'all' : department;
}

function payDateHint(day: string | null, nextPayday: string | null): string {
  if (day === null) return 'Left empty, it is paid as soon as it can no longer be stopped.';
  if (day === nextPayday) return 'The next payday. Paid from 6:00 AM.';
  return nextPayday === null
    ? 'Paid from 6:00 AM.'
    : `Not a payday: the next is ${formatDay(nextPayday, 'weekday')}.`;
}
