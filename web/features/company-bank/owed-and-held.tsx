import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '#web/api/query.ts';
import { LoadedQuery } from '#web/kit/loaded-query.tsx';
import { TextLink } from '#web/ui/link-button.tsx';
import { Section } from '#web/ui/section.tsx';
import { Position } from './position.tsx';

/** Amount owed to employees, and where it is, as Company Bank says it. */
export function OwedAndHeld() {
  const query = useQuery(apiQuery('adminGetBankPosition', {}));
  return (
    <div className="bank-held">
      <Section
        title="Owed and held"
        end={<TextLink href="/admin/company-bank">Open Company Bank</TextLink>}
      >
        <LoadedQuery query={query} what="what is owed and held" lines={3}>
          {(position) => <Position position={position} />}
        </LoadedQuery>
      </Section>
    </div>
  );
}
