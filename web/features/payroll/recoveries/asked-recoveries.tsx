import type { RouteReply } from '#contract/api.ts';
import { formatDay } from '#web/lib/format.ts';
import { TextLink } from '#web/ui/link-button.tsx';
import { Money } from '#web/ui/money.tsx';
import { Notice } from '#web/ui/notice.tsx';

/** Says that the company asks the person to pay money back, with the last day to answer. */
export function AskedRecoveries({
  asked,
}: {
  asked: RouteReply<'getEmployeeDashboard'>['askedRecoveries'];
}) {
  return asked.map(({ id, amount, by, answerBy }) => (
    <div className="identity-line" key={id}>
      <Notice tone="caution">
        {by} asks you to pay back <Money amount={amount} />. Answer by{' '}
        {formatDay(answerBy, 'weekday')}.{' '}
        <TextLink href="/employee/recovery">See the request</TextLink>
      </Notice>
    </div>
  ));
}
