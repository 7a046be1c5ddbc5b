import { INVITE_LIFE_HOURS } from '#contract/limits.ts';
import type { Config } from '#server/config.ts';
import { withTx } from '#server/db/tx.ts';
import type { Db } from '#server/db/tx.ts';
import { createInvite } from '#server/modules/identity/index.ts';
import type { Services } from '#server/services.ts';

export interface FirstStart {
  /** Gives an empty database what its first start needs. */
  prepare(company: { db: Db; services: Services }): Promise<void>;
  /** What is printed once Purser serves on `port`. */
  welcome(port: number): string[];
}

/** A company that nobody can sign in to yet gets one invite that makes its first admin. */
export function firstStart(config: Config): FirstStart {
  let lines: readonly string[] = [];
  return {
    async prepare({ db, services }) {
      const token = await inviteFirstAdmin(db, services);
      if (token !== null) {
        lines = [
          `This company has no admin yet. Sign up, then open /admin/setup and enter this token`,
          `(it works once, for ${INVITE_LIFE_HOURS} hours):`,
          '',
          `  ${token}`,
          '',
        ];
      }
    },
    welcome(port) {
      const address = config.mode === 'production' ? config.publicUrl : `http://localhost:${port}`;
      return ['', `Purser is ready at ${address}`, '', ...lines];
    },
  };
}

/** Answers null when there is an admin, or an invite was made before. */
async function inviteFirstAdmin(db: Db, services: Services): Promise<string | null> {
  return withTx(db, async (tx) => {
    const { isNeeded } = await tx
      .selectNoFrom((is) =>
        is
          .not(
            is.or([
              is.exists(is.selectFrom('appUser').select('id').where('role', '=', 'admin')),
              is.exists(is.selectFrom('adminInvite').select('id')),
            ]),
          )
          .as('isNeeded'),
      )
      .executeTakeFirstOrThrow();
    if (!isNeeded) return null;
    const { token } = await createInvite(tx, services, { actor: 'system' });
    return token;
  });
}
