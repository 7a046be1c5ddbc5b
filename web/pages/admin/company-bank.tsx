import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Upload } from 'lucide-react';
import { useState } from 'react';
import { SEARCH_MAX_LENGTH } from '#contract/limits.ts';
import { apiQuery } from '#web/api/query.ts';
import { ActDialog } from '#web/desk/act-dialog.tsx';
import { DecideOne } from '#web/desk/decide-one.tsx';
import type { Deciding } from '#web/desk/desk.ts';
import { AddAccountDialog, AddRuleDialog } from '#web/features/company-bank/bank-dialogs.tsx';
import { ALL_OPEN, BankLines } from '#web/features/company-bank/bank-lines.tsx';
import { OnItsWay, Rules, Statements } from '#web/features/company-bank/bank-tables.tsx';
import { inScreenOrder } from '#web/features/company-bank/bank-words.ts';
import type { BankLine, CompanyBank } from '#web/features/company-bank/bank-words.ts';
import { ImportStatement, StatementDrop } from '#web/features/company-bank/import-statement.tsx';
import { LinePanel } from '#web/features/company-bank/line-panel.tsx';
import { Position } from '#web/features/company-bank/position.tsx';
import { DEPOSIT_DESK } from '#web/features/deposits/desk.tsx';
import { LoadedQuery } from '#web/kit/loaded-query.tsx';
import { pageOf } from '#web/kit/numbered-pager.tsx';
import { ScreenHead } from '#web/kit/screen-head.tsx';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { Icon } from '#web/ui/icon.tsx';

/** Open dialog of the screen. */
type Task =
  | { name: 'import'; file?: File }
  | { name: 'account' }
  | { name: 'rule'; line?: BankLine };

/** `/admin/company-bank`; `?statement=` shows one, `?search=` and `?page=` choose among its lines, `?line=` opens one. */
export function CompanyBankPage() {
  const query = useQuery(apiQuery('adminGetCompanyBank', {}));
  const [task, setTask] = useState<Task>();
  const [deciding, setDeciding] = useState<Deciding>();
  const [account] = query.data?.accounts ?? [];
  const close = () => setTask(undefined);
  return (
    <>
      <ScreenHead
        subtitle={account && `${account.bankName}, ${account.label} ••${account.last4}`}
        actions={
          account === undefined ? undefined : (
            <>
              <Button onPress={() => setTask({ name: 'account' })}>Add Account</Button>
              <Button kind="solid" onPress={() => setTask({ name: 'import' })}>
                <Icon of={Upload} size={16} />
                Import Statement
              </Button>
            </>
          )
        }
      />
      <LoadedQuery query={query} what="the company’s bank">
        {(bank) => (
          <>
            <Position {...summaryOf(bank.position)} />
            <Body bank={bank} onTask={setTask} onDecide={setDeciding} />
            {task?.name === 'import' && (
              <ImportStatement
                accounts={bank.accounts}
                file={task.file}
                onClose={close}
                onImported={close}
              />
            )}
          </>
        )}
      </LoadedQuery>
      {task?.name === 'account' && <AddAccountDialog onClose={close} />}
      {task?.name === 'rule' && <AddRuleDialog line={task.line} onClose={close} />}
      {deciding !== undefined && (
        <ActDialog desk={DEPOSIT_DESK} {...deciding} onClose={() => setDeciding(undefined)} />
      )}
    </>
  );
}

function summaryOf({ onItsWay, ...position }: CompanyBank['position']) {
  const items = onItsWay?.groups.reduce((sum, { count }) => sum + count, 0) ?? 0;
  return { position: { ...position, onItsWay: onItsWay?.amount ?? null }, items };
}

interface BodyProps {
  bank: CompanyBank;
  onTask: (task: Task) => void;
  /** Opens the question about a deposit that a line is matched with. */
  onDecide: (deciding: Deciding) => void;
}

function Body({ bank, onTask, onDecide }: BodyProps) {
  if (bank.accounts.length === 0) {
    return (
      <EmptyState
        title="No bank account yet"
        hint="Add the account that employee money is on. Then import its statements."
        action={
          <Button kind="solid" onPress={() => onTask({ name: 'account' })}>
            Add Account
          </Button>
        }
      />
    );
  }
  if (bank.statements.length === 0) {
    return (
      <div className="bank-desk">
        <StatementDrop onChoose={(file) => onTask({ name: 'import', file })} />
      </div>
    );
  }
  return <Desk bank={bank} onTask={onTask} onDecide={onDecide} />;
}

function Desk({ bank, onTask, onDecide }: BodyProps) {
  const search = useSearch({ from: '/admin/admin/company-bank' });
  const navigate = useNavigate({ from: '/admin/company-bank' });
  const shown = search.statement ?? bank.statements[0]?.id ?? ALL_OPEN;
  const [words, page] = [(search.search ?? '').slice(0, SEARCH_MAX_LENGTH), pageOf(search.page)];
  const query = useQuery({
    ...apiQuery('adminListBankLines', {
      query: {
        ...(shown !== ALL_OPEN && { statementId: shown }),
        search: words,
        page,
      },
    }),
    placeholderData: keepPreviousData,
  });
  const show = (statement: string) => void navigate({ search: { statement } });
  const { statement } = search;
  const find = (typed: string) =>
    void navigate({
      search: {
        ...(statement !== undefined && { statement }),
        ...(typed !== '' && { search: typed }),
      },
      replace: true,
    });
  const goTo = (to: number) =>
    void navigate({ search: ({ line: _, ...rest }) => ({ ...rest, page: String(to) }) });
  const open = (line: string | undefined) =>
    void navigate({ search: { ...search, line }, replace: search.line !== undefined });
  const lines = inScreenOrder(query.data?.lines ?? []);
  const index = lines.findIndex(({ id }) => id === search.line);
  const line = lines[index];
  return (
    <>
      <div className={line === undefined ? 'bank-desk' : 'bank-desk bank-desk--open'}>
        <LoadedQuery query={query} what="the lines">
          {({ total }) => (
            <BankLines
              {...{ lines, page, total, search: words, onSearch: find, onGoTo: goTo }}
              statements={bank.statements}
              shown={shown}
              onShow={show}
              openId={line?.id}
              onOpen={open}
            />
          )}
        </LoadedQuery>
        {line !== undefined && (
          <LinePanel
            line={line}
            statement={bank.statements.find(({ id }) => id === line.statementId)}
            previous={lines[index - 1]?.id}
            next={lines[index + 1]?.id}
            onOpen={open}
            onMakeRule={(of) => onTask({ name: 'rule', line: of })}
            drawDeposit={(id) => <DecideOne desk={DEPOSIT_DESK} id={id} onDecide={onDecide} />}
          />
        )}
      </div>
      {/* Below the lines, and so not before them: nothing moves. */}
      {!query.isPending && (
        <>
          <div className="bank-columns">
            <OnItsWay onItsWay={bank.position.onItsWay} />
            <Rules rules={bank.rules} onAdd={() => onTask({ name: 'rule' })} />
          </div>
          <Statements statements={bank.statements} onShow={show} />
        </>
      )}
    </>
  );
}
