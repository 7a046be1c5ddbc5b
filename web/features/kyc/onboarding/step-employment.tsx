import {
  EMPLOYMENT_OPTIONS,
  FUNDS_OPTIONS,
  INCOME_OPTIONS,
} from '#web/features/kyc/answer-words.ts';
import { Select } from '#web/ui/select.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { useAnswer, type Wizard } from './use-wizard.ts';

/** Step 5 of the wizard. */
export function EmploymentStep({ wizard }: { wizard: Wizard }) {
  const employmentStatus = useAnswer(wizard, 'employmentStatus');
  const employerName = useAnswer(wizard, 'employerName');
  const occupation = useAnswer(wizard, 'occupation');
  const monthlyIncomeRange = useAnswer(wizard, 'monthlyIncomeRange');
  const sourceOfFunds = useAnswer(wizard, 'sourceOfFunds');
  return (
    <>
      <Select placeholder="Choose one" options={EMPLOYMENT_OPTIONS} {...employmentStatus} />
      <div className="form__row">
        <TextField optional autoComplete="organization" {...employerName} />
        <TextField autoComplete="organization-title" {...occupation} />
      </div>
      <div className="form__row">
        <Select placeholder="Choose a range" options={INCOME_OPTIONS} {...monthlyIncomeRange} />
        <Select placeholder="Choose one" options={FUNDS_OPTIONS} {...sourceOfFunds} />
      </div>
    </>
  );
}
