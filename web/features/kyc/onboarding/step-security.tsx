import { QUESTION_OPTIONS } from '#web/features/kyc/answer-words.ts';
import { Select } from '#web/ui/select.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { useAnswer, type Wizard } from './use-wizard.ts';

interface SecurityStepProps {
  wizard: Wizard;
  /** An answer is kept already; nobody can read it back. */
  isAnswered: boolean;
}

/** Step 6 of the wizard. */
export function SecurityStep({ wizard, isAnswered }: SecurityStepProps) {
  const securityQuestion = useAnswer(wizard, 'securityQuestion');
  const securityAnswer = useAnswer(wizard, 'securityAnswer');
  const kept = 'An answer is set. It is never shown; type another to replace it.';
  const fresh = 'Capitals do not matter. It leaves this device only as a hash.';
  return (
    <>
      <Select placeholder="Choose a question" options={QUESTION_OPTIONS} {...securityQuestion} />
      <TextField
        autoComplete="off"
        hint={isAnswered && securityAnswer.value === '' ? kept : fresh}
        {...securityAnswer}
      />
    </>
  );
}
