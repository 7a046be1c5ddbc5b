import type { PayrollBatch } from '#contract/api.ts';
import { WALLET_LABELS } from '#contract/wallets.ts';
import type { Fact } from '#web/ui/facts.tsx';
import { TextLink } from '#web/ui/link-button.tsx';

/** Links to the other batches of the same confirmation, one for each type of wallet. */
export function togetherFacts({ together }: PayrollBatch): Fact[] {
  if (together.length === 0) return [];
  const links = together.map(({ id, number, walletType }) => (
    <div key={id}>
      <TextLink href={`/admin/payroll?tab=history&batch=${id}`}>
        {`${number}, ${WALLET_LABELS[walletType]}`}
      </TextLink>
    </div>
  ));
  return [{ label: 'Sent with', value: <>{links}</> }];
}
