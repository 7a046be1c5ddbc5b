import { createContext, useContext } from 'react';
import type { Session } from '#contract/api.ts';

/** What every screen may have to know of the company. */
export type Company = Session['company'];

/** Given by the frame around the signed-in screens, and around the onboarding. */
export const CompanyContext = createContext<Company | null>(null);

/** The company whose money and days a screen shows. @throws where no frame gives it: a mistake */
export function useCompany(): Company {
  const company = useContext(CompanyContext);
  if (company === null)
    throw new Error('A component that needs the company is outside of its context');
  return company;
}
