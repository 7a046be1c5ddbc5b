import { VOLUME_OPTIONS } from '#web/features/kyc/answer-words.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { Select } from '#web/ui/select.tsx';
import { TextArea } from '#web/ui/text-area.tsx';
import { useAnswer, useFlag, type Wizard } from './use-wizard.ts';

/** Step 7 of the wizard. */
export function ComplianceStep({ wizard }: { wizard: Wizard }) {
  const pep = useFlag(wizard, 'pep');
  const dualCitizenship = useFlag(wizard, 'dualCitizenship');
  const foreignTaxObligations = useFlag(wizard, 'foreignTaxObligations');
  const accountPurpose = useAnswer(wizard, 'accountPurpose');
  const expectedMonthlyTxVolume = useAnswer(wizard, 'expectedMonthlyTxVolume');
  return (
    <>
      <fieldset className="form">
        <legend className="field__label">Check what applies to you</legend>
        <Checkbox
          label="I am a politically exposed person, or was in the last 12 months"
          hint="A person with a prominent public office, or close to one."
          {...pep}
        />
        <Checkbox label="I have dual citizenship" {...dualCitizenship} />
        <Checkbox label="I have tax obligations in another country" {...foreignTaxObligations} />
      </fieldset>
      <TextArea
        rows={2}
        placeholder="Receive my salary and save for retirement"
        {...accountPurpose}
      />
      <Select
        placeholder="Choose an amount"
        options={VOLUME_OPTIONS}
        hint="About how much will pass through your account each month."
        {...expectedMonthlyTxVolume}
      />
    </>
  );
}
