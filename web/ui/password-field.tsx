import { Eye, EyeOff } from 'lucide-react';
import { useState, type Ref } from 'react';
import { FieldFrame, FieldInput, type FieldProps } from './field.tsx';
import { IconButton } from './icon-button.tsx';

interface PasswordFieldProps extends FieldProps {
  value: string;
  onChange: (value: string) => void;
  /** Lets password managers fill in or suggest a password. Pasting always works. */
  autoComplete: 'current-password' | 'new-password';
  ref?: Ref<HTMLInputElement> | undefined;
}

/**
 * Password with a button that shows the typed text. The button's name leaves out the label, so that
 * the label finds one control only.
 */
export function PasswordField({
  value,
  onChange,
  autoComplete,
  ref,
  ...field
}: PasswordFieldProps) {
  const [isShown, setIsShown] = useState(false);
  return (
    <FieldFrame field={field}>
      {(control) => (
        <div className="affix">
          <FieldInput
            control={control}
            ref={ref}
            type={isShown ? 'text' : 'password'}
            value={value}
            autoComplete={autoComplete}
            autoCapitalize="none"
            spellCheck={false}
            onChange={onChange}
          />
          <span className="affix__post affix__post--icon">
            <IconButton
              icon={isShown ? EyeOff : Eye}
              isSmall
              label={isShown ? 'Hide characters' : 'Show characters'}
              onPress={() => setIsShown(!isShown)}
            />
          </span>
        </div>
      )}
    </FieldFrame>
  );
}
