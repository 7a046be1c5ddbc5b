import type { Auth } from './auth.ts';
import { listen } from './auth-callbacks.ts';

/** Makes the tokens of links when their mail is written; null when there is nothing to link to. */
export interface MailLinks {
  /** Good once, for RESET_LINK_LIFE_MINUTES; only its hash is kept. */
  resetToken(email: string): Promise<string | null>;
  /** Good for CONFIRMATION_LINK_LIFE_HOURS; null when the address is confirmed already. */
  confirmationToken(email: string): Promise<string | null>;
}

export function mailLinks(auth: Auth): MailLinks {
  return {
    async resetToken(email) {
      const { reported } = await listen(() => auth.api.requestPasswordReset({ body: { email } }));
      return reported.linkToken ?? null;
    },
    async confirmationToken(email) {
      const { reported } = await listen(() => auth.api.sendVerificationEmail({ body: { email } }));
      return reported.linkToken ?? null;
    },
  };
}
