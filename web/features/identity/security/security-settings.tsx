import type { Role } from '#contract/identity.ts';
import { Section } from '#web/ui/section.tsx';
import { ChangeEmail } from './change-email-form.tsx';
import { ChangePasswordForm } from './change-password-form.tsx';
import { NotMe } from './not-me.tsx';
import { Passkeys } from './passkeys.tsx';
import { SignedInPlaces } from './signed-in-places.tsx';
import { TwoFactor } from './two-factor.tsx';
import './security.css';

/** Means of signing in of a user, and their sessions: the same for both areas. */
export function SecuritySettings({ role }: { role: Role }) {
  return (
    <div className="columns security">
      <div className="security__more">
        <Section title="Change Password">
          <ChangePasswordForm />
        </Section>
        <Section title="Email Address">
          <ChangeEmail />
        </Section>
      </div>
      <div className="security__more">
        <TwoFactor />
        <Passkeys />
        <SignedInPlaces />
        {role === 'employee' && <NotMe />}
      </div>
    </div>
  );
}
