import { useQueryClient } from '@tanstack/react-query';
import { Check, Minus } from 'lucide-react';
import type { Session } from '#contract/api.ts';
import {
  ownWordProblem,
  PASSWORD_RULES,
  passwordStrength,
  type PasswordOwner,
} from '#contract/passwords.ts';
import { apiQuery } from '#web/api/query.ts';
import type { FormField } from '#web/kit/form-state.ts';
import { Icon } from '#web/ui/icon.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';

/** Owner of a new password, whose names it must not hold. */
type Owner = Omit<PasswordOwner, 'companyName'>;

interface NewPasswordFieldsProps {
  label: string;
  password: FormField<string>;
  /** Label of the field that repeats it. */
  again: string;
  confirmation: FormField<string>;
  /** The owner as typed, where nobody is signed in yet. */
  owner?: Owner;
}

/** Fields that choose a password and repeat it. */
export function NewPasswordFields(props: NewPasswordFieldsProps) {
  const { label, password, again, confirmation, owner } = props;
  return (
    <>
      <div className="new-password">
        <PasswordField label={label} isRequired autoComplete="new-password" {...password} />
        <PasswordStrength
          password={password.value}
          isRefused={password.error !== undefined}
          owner={owner}
        />
      </div>
      <PasswordField label={again} isRequired autoComplete="new-password" {...confirmation} />
    </>
  );
}

interface PasswordStrengthProps {
  password: string;
  owner: Owner | undefined;
  /** The server refused it. */
  isRefused: boolean;
}

const NO_OWNER = { firstName: '', lastName: '', email: '' };

/**
 * The strength meter under a new password: five marks, a word, and the rules it meets. A password that will be
 * refused because it is common or holds a name is never called strong.
 */
function PasswordStrength({ password, owner, isRefused }: PasswordStrengthProps) {
  const session = useQueryClient().getQueryData<Session>(apiQuery('getSession', {}).queryKey);
  const { score, label } = passwordStrength(password);
  const companyName = session?.company.name ?? '';
  const hasOwnWord =
    ownWordProblem(password, { ...(owner ?? session?.user ?? NO_OWNER), companyName }) !==
    undefined;
  const isGuessable = label !== 'Weak' && (isRefused || hasOwnWord);
  return (
    <div className="new-password__strength" aria-live="polite">
      <div className="strength-row">
        <span className="ticks strength" aria-hidden="true">
          {PASSWORD_RULES.map((rule, index) => (
            <i key={rule.id} className={index < score ? 'on' : undefined} />
          ))}
        </span>
        <span className="strong">
          <span className="vh">Password strength: </span>
          {password === '' ? '' : isGuessable ? 'Easy to guess' : label}
        </span>
      </div>
      <ul className="rules">
        {PASSWORD_RULES.map((rule) => {
          const isMet = rule.test(password);
          return (
            <li key={rule.id} className={isMet ? 'ok' : undefined}>
              <Icon of={isMet ? Check : Minus} size={16} />
              {rule.label}
              {isMet && <span className="vh"> (met)</span>}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
