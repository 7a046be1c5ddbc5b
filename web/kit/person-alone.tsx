import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '#web/api/query.ts';
import { Button } from '#web/ui/button.tsx';
import { TextLink } from '#web/ui/link-button.tsx';

/** Over a list that a link has narrowed to one person: whose it is, and the way to all. */
export function PersonAlone({ id, onAll }: { id: string; onAll: () => void }) {
  const { data: person } = useQuery(apiQuery('adminGetEmployee', { params: { id } }));
  return (
    <p className="mb-3 muted">
      {person === undefined ? (
        'Filtered to one person.'
      ) : (
        <>
          Of <TextLink href={`/admin/employees/${id}`}>{person.name}</TextLink> alone.
        </>
      )}{' '}
      <Button shape="text" onPress={onAll}>
        Show All
      </Button>
    </p>
  );
}
