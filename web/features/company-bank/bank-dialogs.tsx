import { ACCOUNT_FORMAT_OF, ACCOUNTS, factLabel } from '#contract/account-formats.ts';
import {
  BANK_DIRECTIONS,
  companyBankRules,
  OWN_KIND_LABELS,
  OWN_KINDS,
} from '#contract/company-bank.ts';
import type { OwnKind } from '#contract/company-bank.ts';
import { AMOUNT_PROBLEM, money, readAmount } from '#contract/money.ts';
import { call } from '#web/api/client.ts';
import { checkRules } from '#web/kit/form-state.ts';
import { TaskDialog } from '#web/kit/form-dialog.tsx';
import { useCompany } from '#web/lib/company.ts';
import { MoneyField } from '#web/ui/money-field.tsx';
import { Select } from '#web/ui/select.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import type { BankLine } from './bank-words.ts';

const { bankName, label, number } = companyBankRules;

/** Adds an account of the company, whose statements can then be imported. */
export function AddAccountDialog({ onClose }: { onClose: () => void }) {
  const { currency } = useCompany();
  const routing = ACCOUNTS[ACCOUNT_FORMAT_OF[currency]].routing ?? ACCOUNTS.aba.routing;
  return (
    <TaskDialog
      title="Add bank account"
      initial={{ bankName: '', label: '', number: '', routingNumber: '' }}
      check={(values) => {
        const isIban = /^\s*[A-Za-z]/.test(values.number);
        const rules = { bankName, label, number };
        return checkRules(
          values,
          isIban || routing === null ? rules : { ...rules, routingNumber: routing.rule },
        );
      }}
      send={(body: { bankName: string; label: string; number: string; routingNumber: string }) =>
        call('adminAddCompanyAccount', { body })
      }
      topics={['company-bank']}
      done={{ title: 'Bank Account Added', message: 'Its statements can be imported now.' }}
      summary="Please check the bank account"
      submit={{ label: 'Add Account', pending: 'Adding' }}
      onClose={onClose}
    >
      {(fields) => (
        <>
          <TextField label="Bank" isRequired {...fields.bankName} />
          <TextField
            label="Name of the account"
            hint="What the company calls it, such as Employee funds."
            isRequired
            {...fields.label}
          />
          <TextField label="Account number or IBAN" isRequired {...fields.number} />
          {routing !== null && (
            <TextField
              label={factLabel(routing)}
              hint="None for an IBAN."
              {...fields.routingNumber}
            />
          )}
        </>
      )}
    </TaskDialog>
  );
}

interface RuleValues {
  text: string;
  direction: (typeof BANK_DIRECTIONS)[number];
  most: string;
  kind: OwnKind;
}

/** Adds a rule, filled in from a line where somebody begins with one. */
export function AddRuleDialog({
  line,
  onClose,
}: {
  line: BankLine | undefined;
  onClose: () => void;
}) {
  const { currency } = useCompany();
  const isOut = line?.amount.minor.startsWith('-') === true;
  const initial: RuleValues = {
    text: line?.text.slice(0, companyBankRules.ruleText.maxLength) ?? '',
    direction: isOut ? 'out' : 'in',
    most: '',
    kind: isOut ? 'fee' : 'interest',
  };
  return (
    <TaskDialog
      title="Add rule"
      initial={initial}
      check={(values: RuleValues) => ({
        ...checkRules({ text: values.text }, { text: companyBankRules.ruleText }),
        ...(values.most !== '' &&
          readAmount(values.most, currency) === null && { most: AMOUNT_PROBLEM }),
      })}
      send={({ text, direction, most, kind }: RuleValues) => {
        const minor = most === '' ? null : readAmount(most, currency);
        return call('adminAddBankRule', {
          body: { text, direction, kind, most: minor === null ? null : money(minor, currency) },
        });
      }}
      topics={['company-bank']}
      done={{ title: 'Rule Added', message: 'It proposes. A person takes it.' }}
      summary="Please check the rule"
      submit={{ label: 'Add Rule', pending: 'Adding' }}
      onClose={onClose}
    >
      {(fields) => (
        <>
          <TextField label="When the text has" isRequired {...fields.text} />
          <Select
            label="Direction"
            isRequired
            options={BANK_DIRECTIONS.map((value) => ({
              value,
              label: value === 'in' ? 'Money comes in' : 'Money goes out',
            }))}
            {...fields.direction}
          />
          <MoneyField
            label="Up to"
            optional
            size="standard"
            currency={currency}
            hint="Empty for any amount."
            {...fields.most}
          />
          <Select
            label="It is proposed as"
            isRequired
            options={OWN_KINDS.map((value) => ({ value, label: OWN_KIND_LABELS[value] }))}
            {...fields.kind}
          />
        </>
      )}
    </TaskDialog>
  );
}
