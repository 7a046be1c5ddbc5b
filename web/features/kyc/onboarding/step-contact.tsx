import { COUNTRY_OPTIONS } from '#web/features/kyc/answer-words.ts';
import { Select } from '#web/ui/select.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { countryHint } from './country-hints.ts';
import { useAnswer, type Wizard } from './use-wizard.ts';

/** Step 3 of the wizard. The country comes first, since state and postal code depend on it. */
export function ContactStep({ wizard }: { wizard: Wizard }) {
  const country = useAnswer(wizard, 'country');
  const addressLine1 = useAnswer(wizard, 'addressLine1');
  const addressLine2 = useAnswer(wizard, 'addressLine2');
  const city = useAnswer(wizard, 'city');
  const state = useAnswer(wizard, 'state');
  const postalCode = useAnswer(wizard, 'postalCode');
  const phoneNumber = useAnswer(wizard, 'phoneNumber');
  const email = useAnswer(wizard, 'email');
  const hint = countryHint(country.value);
  return (
    <>
      <Select placeholder="Choose a country" options={COUNTRY_OPTIONS} {...country} />
      <TextField autoComplete="address-line1" hint="Street and number" {...addressLine1} />
      <TextField
        optional
        autoComplete="address-line2"
        hint="Apartment, unit or floor"
        {...addressLine2}
      />
      <TextField autoComplete="address-level2" {...city} />
      <div className="form__row">
        <TextField autoComplete="address-level1" hint={hint.state} {...state} />
        <TextField autoComplete="postal-code" hint={hint.postalCode} {...postalCode} />
      </div>
      <div className="form__row">
        <TextField
          type="tel"
          inputMode="tel"
          autoComplete="tel"
          hint="With the country code, if it is not from the United States"
          {...phoneNumber}
        />
        <TextField type="email" inputMode="email" autoComplete="email" {...email} />
      </div>
    </>
  );
}
