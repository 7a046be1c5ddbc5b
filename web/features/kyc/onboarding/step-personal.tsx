import { COUNTRY_OPTIONS, GENDER_OPTIONS } from '#web/features/kyc/answer-words.ts';
import { DateField } from '#web/ui/date-field.tsx';
import { Select } from '#web/ui/select.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { useAnswer, type Wizard } from './use-wizard.ts';

/** Step 2 of the wizard. */
export function PersonalStep({ wizard }: { wizard: Wizard }) {
  const fullName = useAnswer(wizard, 'fullName');
  const dateOfBirth = useAnswer(wizard, 'dateOfBirth');
  const gender = useAnswer(wizard, 'gender');
  const nationality = useAnswer(wizard, 'nationality');
  return (
    <>
      <TextField autoComplete="name" {...fullName} />
      <div className="form__row">
        <DateField autoComplete="bday" max={wizard.today} {...dateOfBirth} />
        <Select optional placeholder="Choose, if you like" options={GENDER_OPTIONS} {...gender} />
      </div>
      <Select placeholder="Choose a country" options={COUNTRY_OPTIONS} {...nationality} />
    </>
  );
}
