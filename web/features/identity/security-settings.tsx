import type { Role } from '#contract/identity.ts';
import { Section } from '#web/ui/section.tsx';
import { ChangePasswordForm } from './change-password-form.tsx';
import { NotMe } from './not-me.tsx';
import { SignedInPlaces } from './signed-in-places.tsx';
import { TwoFactor } from './two-factor.tsx';
import './security.css';

/** How a user signs in, and where they are signed in: the same for both areas. */
export function SecuritySettings({ role }: { role: Role }) {
  return (
    <div className="security">
      <Section title="Change Password">
        <ChangePasswordForm />
      </Section>
      <div className="security__more">
        <TwoFactor />
        <SignedInPlaces />
        {role === 'employee' && <NotMe />}
      </div>
    </div>
  );
}
