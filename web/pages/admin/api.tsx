import { ApiReference } from '#web/features/api-reference/api-reference.tsx';
import { ScreenHead } from '#web/kit/screen-head.tsx';
import { TextLink } from '#web/ui/link-button.tsx';

/** `/admin/api` */
export function ApiReferencePage() {
  return (
    <>
      <p className="mb-3">
        <TextLink href="/admin/settings?tab=integrations">Integrations</TextLink>
      </p>
      <ScreenHead subtitle="What an API key can reach" />
      <ApiReference />
    </>
  );
}
