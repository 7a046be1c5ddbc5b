import { Check, Minus } from 'lucide-react';
import { PASSWORD_RULES, passwordStrength } from '#contract/passwords.ts';
import { Icon } from '#web/ui/icon.tsx';

/** The strength meter under a new password: five marks, a word, and the rules it meets. */
export function PasswordStrength({ password }: { password: string }) {
  const { score, label } = passwordStrength(password);
  return (
    <div className="grid gap-1" aria-live="polite">
      <div className="strength-row">
        <span className="strength" aria-hidden="true">
          {PASSWORD_RULES.map((rule, index) => (
            <i key={rule.id} className={index < score ? 'on' : undefined} />
          ))}
        </span>
        <span className="strong">
          <span className="vh">Password strength: </span>
          {password === '' ? '' : label}
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
