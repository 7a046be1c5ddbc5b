import type { Attempt } from './attempt.ts';
import type { Company } from './company.ts';
import type { ModelPerson } from './things.ts';

/** True if an amount is more than a person may still send from new browsers today. */
export function exceedsNewBrowser(
  company: Company,
  { id }: Pick<ModelPerson, 'id'>,
  minor: bigint,
): boolean {
  const { oracle, today } = company;
  const sent = oracle.sentNew.get(`${id} ${today()}`) ?? 0n;
  return minor > 0n && sent + minor > oracle.rules.newBrowserLimit;
}

/** Counts what a person sends from a new browser. What is cancelled later stays counted. */
export function countNewBrowser(
  { oracle, today }: Company,
  { id }: Pick<ModelPerson, 'id'>,
  minor: bigint,
): void {
  const key = `${id} ${today()}`;
  oracle.sentNew.set(key, (oracle.sentNew.get(key) ?? 0n) + minor);
}

/** An attempt in the usual browser of its person, or in a new one, where what leaves in a day is bounded. */
export function inSomeBrowser(company: Company, made: Attempt): Attempt {
  const { by, sends, refusals } = made;
  if (sends === undefined || !company.random.chance(0.15)) return made;
  return {
    ...made,
    cookie: by.newCookie,
    refusals: [...refusals, exceedsNewBrowser(company, by, sends) && 'new_browser_limit'],
    async done(reply, response) {
      countNewBrowser(company, by, sends);
      await made.done(reply, response);
    },
  };
}
