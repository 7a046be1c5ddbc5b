import { useCompany } from '#web/lib/company.ts';
import { useCompanyZone } from '#web/lib/zones.ts';

/** Says by whose calendar days are chosen, to a person whose clock is another; otherwise nothing. */
export function CompanyDays() {
  const { name } = useCompany();
  const zone = useCompanyZone();
  return zone === null ? null : <p className="meta">{`Days are those of ${name}, in ${zone}.`}</p>;
}
