import { createContext, useContext } from 'react';
import type { Session } from '#contract/api.ts';

/** Facts about the company that any screen may need. */
export type Company = Session['company'];

/** Given by the frame around the signed-in screens, and around the onboarding. */
export const CompanyContext = createContext<Company | null>(null);

/**
 * The company whose money and days a screen shows. @throws if no frame provides it, which is a bug
 */
export function useCompany(): Company {
  const company = useContext(CompanyContext);
  if (company === null)
    throw new Error('A component that needs the company is outside of its context');
  return company;
}
