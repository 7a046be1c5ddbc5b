import type { Withdrawal } from '#contract/api.ts';
import type { Fact } from '#web/ui/facts.tsx';
import { TextLink } from '#web/ui/link-button.tsx';

/**
 * The request that a request sends again, and the one that sends it again, each as a link.
 *
 * @param hrefOf address of a request by its id
 */
export function attemptFacts(
  { resends, resentAs }: Pick<Withdrawal, 'resends' | 'resentAs'>,
  hrefOf: (id: string) => string,
): Fact[] {
  const link = (label: string, attempt: Withdrawal['resends']): Fact[] =>
    attempt === null
      ? []
      : [{ label, value: <TextLink href={hrefOf(attempt.id)}>{attempt.reference}</TextLink> }];
  return [...link('Sends again', resends), ...link('Sent again as', resentAs)];
}
