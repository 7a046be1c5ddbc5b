import type { AutomaticTransfers } from '#contract/api.ts';
import type { TransferRunOutcome } from '#contract/automatic-transfers.ts';
import { Money } from '#web/ui/money.tsx';
import { Section } from '#web/ui/section.tsx';
import { Time } from '#web/ui/time.tsx';
import { targetLabel } from './rules.ts';

/** Words of a run in which no rule had its turn. */
const OUTCOMES: Record<Exclude<TransferRunOutcome, 'made'>, string> = {
  skipped: 'Skipped, as you asked',
  paused: 'Paused',
  no_rules: 'There was no transfer any more',
  taken_back: 'The payroll was taken back before',
  wallet_closed: 'The account was closed',
  left: 'Your account was deactivated',
};

/** The newest runs, each with what was transferred and why less than the rule says. */
export function TransferRuns({ runs }: { runs: AutomaticTransfers['runs'] }) {
  if (runs.length === 0) return null;
  return (
    <div className="transfers__runs">
      <Section title="Last runs" isRuled>
        <ul>
          {runs.map((run) => (
            <li key={run.id} className="transfers__run">
              <p className="transfers__run-head">
                <span className="strong">
                  <Time at={run.at} as="shortDateTime" />
                </span>
                <span className="muted num">
                  Payroll <Money amount={run.paid} signs="always" />
                </span>
              </p>
              {run.outcome === 'made' ? (
                <ul>
                  {run.transfers.map((transfer) => (
                    <li key={transfer.position} className="transfers__run-line">
                      <span>
                        {targetLabel(transfer.to)}
                        {transfer.problem !== null && (
                          <span className="meta transfers__problem">
                            {' '}
                            {transfer.problem} The rule is <Money amount={transfer.wanted} />.
                          </span>
                        )}
                      </span>
                      <span className="num">
                        <Money amount={transfer.amount} />
                      </span>
                    </li>
                  ))}
                </ul>
              ) : (
                <p className="muted">{OUTCOMES[run.outcome]}</p>
              )}
            </li>
          ))}
        </ul>
      </Section>
    </div>
  );
}
