import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { MAX_TRANSFER_RULES } from '#contract/automatic-transfers.ts';
import { apiQuery } from '#web/api/query.ts';
import { Transfers } from '#web/features/transfers/transfers.tsx';
import { LoadedQuery } from '#web/kit/loaded-query.tsx';
import { ScreenHead } from '#web/kit/screen-head.tsx';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { TextLink } from '#web/ui/link-button.tsx';
import { FilterSelect } from '#web/ui/select.tsx';

/** `/employee/automatic`; `?from=` names the account, the first one without it. */
export function AutomaticTransfersPage() {
  const query = useQuery(apiQuery('getAutomaticTransfers', {}));
  const { from } = useSearch({ from: '/employee/employee/automatic' });
  const navigate = useNavigate({ from: '/employee/automatic' });
  const [isAdding, setIsAdding] = useState(false);
  const wallets = query.data?.wallets ?? [];
  const of = wallets.find(({ walletId }) => walletId === from) ?? wallets[0];
  const hasRules = of !== undefined && of.rules.length > 0;
  return (
    <>
      <p className="mb-3">
        <TextLink href="/employee/dashboard">Dashboard</TextLink>
      </p>
      <ScreenHead
        subtitle="Run right after each payroll, in this order."
        actions={
          hasRules && (
            <Button
              kind={of.pausedAt === null ? 'solid' : 'outline'}
              why={
                of.rules.length >= MAX_TRANSFER_RULES
                  ? `An account has at most ${MAX_TRANSFER_RULES} transfers.`
                  : undefined
              }
              onPress={() => setIsAdding(true)}
            >
              Add Transfer
            </Button>
          )
        }
      />
      <LoadedQuery query={query} what="your automatic transfers" lines={8}>
        {(all) =>
          of === undefined ? (
            <EmptyState
              title="No Accounts Available"
              hint="Your company has not opened one for you yet."
            />
          ) : (
            <Transfers
              key={of.walletId}
              of={of}
              all={all}
              isAdding={isAdding}
              onAdd={setIsAdding}
              choice={
                wallets.length < 2 ? undefined : (
                  <FilterSelect
                    label="From"
                    value={of.walletId}
                    onChange={(id) =>
                      void navigate({ search: { from: id }, replace: true, resetScroll: false })
                    }
                    options={wallets.map(({ walletId, walletName, walletLast4 }) => ({
                      value: walletId,
                      label: `${walletName} ••${walletLast4}`,
                    }))}
                  />
                )
              }
            />
          )
        }
      </LoadedQuery>
    </>
  );
}
