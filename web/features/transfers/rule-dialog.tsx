import type { AutomaticTransfers } from '#contract/api.ts';
import { money } from '#contract/money.ts';
import { FormDialog } from '#web/kit/form-dialog.tsx';
import { useFormState, type FormFields } from '#web/kit/form-state.ts';
import { useFormTask } from '#web/kit/use-form-task.ts';
import { useCompany } from '#web/lib/company.ts';
import { formatDay } from '#web/lib/format.ts';
import { MoneyField } from '#web/ui/money-field.tsx';
import { Money } from '#web/ui/money.tsx';
import { RadioChoices } from '#web/ui/radio-choices.tsx';
import { Select } from '#web/ui/select.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import {
  allotExample,
  checkRule,
  initialValues,
  moved,
  readRule,
  targetLabel,
  targetValue,
  type Rule,
  type RuleValues,
  type Target,
} from './rules.ts';
import { sendRules } from './send-rules.ts';

const KINDS = [
  { value: 'fixed', label: 'A fixed amount', detail: 'The same each time' },
  {
    value: 'percent',
    label: 'A percent of the payroll',
    detail: 'Of what the payroll brought, not of the balance',
  },
  {
    value: 'above',
    label: 'Everything above',
    detail: 'What is available over an amount you keep',
  },
] as const;

interface RuleDialogProps {
  of: AutomaticTransfers;
  targets: readonly Target[];
  /** Index of the rule that is changed; undefined for a new one. */
  index?: number | undefined;
  onClose: () => void;
}

/** Adds a rule or changes one. Open while mounted. */
export function RuleDialog({ of, targets: all, index, onClose }: RuleDialogProps) {
  const { currency } = useCompany();
  const { rules } = of;
  const rule = index === undefined ? undefined : rules[index];
  const others = rules.filter((_, at) => at !== index);
  // A destination that cannot be used now stays where it is chosen.
  const targets = [...all, ...(rule === undefined ? [] : [rule.to])].filter(
    ({ id }, at, list) => id !== of.walletId && list.findIndex((one) => one.id === id) === at,
  );
  const known = { targets, currency, others };
  const state = useFormState<RuleValues>({
    initial: initialValues(rule, index ?? placeOfNew(rules)),
    check: (values) => checkRule(values, known),
  });
  const draftOf = (values: RuleValues) => {
    const read = readRule(values, known);
    const kept =
      read !== null && read.to.id === rule?.to.id ? { ...read, refusal: rule.refusal } : read;
    const place = Number(values.place);
    return {
      read: kept,
      place,
      rules: kept === null ? rules : moved([...others, kept], others.length, place),
    };
  };
  const draft = draftOf(state.form.watch());
  const task = useFormTask(state, {
    send: (values: RuleValues, options) => sendRules(of, draftOf(values).rules, options),
    topics: ['payments'],
    done: { title: index === undefined ? 'Transfer Added' : 'Transfer Changed' },
    onDone: onClose,
  });
  const title = index === undefined ? 'Add Transfer' : 'Change Transfer';
  return (
    <FormDialog
      title={title}
      state={state}
      task={task}
      summary="Please check the transfer"
      sent={{ what: 'your change', where: 'under Automatic Transfers' }}
      submit={{ label: index === undefined ? title : 'Save Change', pending: 'Saving' }}
      onClose={onClose}
    >
      {(fields) => (
        <>
          <RadioChoices label="How much" choices={KINDS} {...fields.kind} />
          <ShareField fields={fields} walletName={of.walletName} />
          <Select
            label="To"
            isRequired
            hint="Your other wallets, and your verified banks."
            placeholder={targets.length === 0 ? 'No other account' : 'Choose an account'}
            options={targets.map((target) => ({
              value: targetValue(target),
              label: `${target.name} ••${target.last4}`,
            }))}
            {...fields.to}
          />
          <Select
            label="Place"
            isRequired
            options={[...others, undefined].map((_, at) => ({
              value: String(at),
              label: at === 0 ? 'First' : `After ${at}, ${nameOf(others[at - 1])}`,
            }))}
            {...fields.place}
          />
          <Would of={of} rule={draft.read} place={draft.place} rules={draft.rules} />
        </>
      )}
    </FormDialog>
  );
}

/** Before a last "everything above", which takes what the others leave. */
function placeOfNew(rules: readonly Rule[]): number {
  return rules.at(-1)?.kind === 'above' ? rules.length - 1 : rules.length;
}

function nameOf(rule: Rule | undefined): string {
  return rule === undefined ? '' : targetLabel(rule.to);
}

function ShareField({
  fields,
  walletName,
}: {
  fields: FormFields<RuleValues>;
  walletName: string;
}) {
  const { currency } = useCompany();
  switch (fields.kind.value) {
    case 'fixed':
      return <MoneyField label="Amount" isRequired currency={currency} {...fields.amount} />;
    case 'above':
      return (
        <MoneyField
          label={`Keep in ${walletName}`}
          isRequired
          currency={currency}
          {...fields.keep}
        />
      );
    case 'percent':
      return (
        <TextField
          label="Percent"
          isRequired
          inputMode="decimal"
          autoComplete="off"
          placeholder="5"
          {...fields.percent}
        />
      );
  }
}

interface WouldProps {
  of: AutomaticTransfers;
  rule: Rule | null;
  place: number;
  rules: readonly Rule[];
}

/** Amount that the rule would have transferred with the last payroll, and the one that the last rule would have then. */
function Would({ of: { example }, rule, place, rules }: WouldProps) {
  if (example === null) return null;
  const allotted = rule === null ? [] : allotExample(example, rules);
  const own = allotted[place];
  const last = allotted.at(-1);
  const { currency } = example.paid;
  return (
    <p className="transfers__would" aria-live="polite">
      <span>
        With your payroll of {formatDay(example.paidOn, 'short')}
        {own !== undefined && last !== undefined && last !== own && (
          <span className="meta">
            Then <Money amount={money(last.amountMinor, currency)} /> would go to{' '}
            {targetLabel(last.rule.to)}
          </span>
        )}
      </span>
      <span className="strong num">
        {own === undefined ? '–' : <Money amount={money(own.amountMinor, currency)} />}
      </span>
    </p>
  );
}
