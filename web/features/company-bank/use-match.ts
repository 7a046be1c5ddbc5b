import { useQueryClient } from '@tanstack/react-query';
import { call } from '#web/api/client.ts';
import { readAgain } from '#web/api/live.ts';
import { useAction } from '#web/kit/action.tsx';
import { offerUndo } from '#web/kit/undo.ts';
import { itemWords, lineWords } from './bank-words.ts';
import type { BankItem, BankLine } from './bank-words.ts';

/** Items that a line is matched with. */
export interface MatchOrder {
  line: BankLine;
  items: readonly BankItem[];
  ruleId?: string | null;
  isSuggestion?: boolean;
}

/** Topics of what a match changes on screen. */
const TOPICS = ['company-bank'] as const;

/** Matches a line, and offers to take the match back. */
export function useMatch() {
  const queryClient = useQueryClient();
  return useAction({
    send: ({ line, items, ruleId = null, isSuggestion = false }: MatchOrder) =>
      call('adminMatchBankLine', {
        params: { id: line.id },
        body: {
          items: items.map(({ kind, itemId, amount }) => ({ kind, itemId, minor: amount.minor })),
          ruleId,
          isSuggestion,
        },
      }),
    topics: TOPICS,
    failed: 'The line was not matched',
    onDone: (_reply, { line, items }) =>
      offerUndo({
        title: 'Line Matched',
        message: `${lineWords(line)}: ${items.map(itemWords).join(', ')}`,
        undo: async () => {
          await call('adminUnmatchBankLine', { params: { id: line.id } });
          await readAgain(queryClient, TOPICS);
        },
        failed: 'The match was not taken back',
      }),
  });
}

/** Takes the match of a line back. */
export function useUnmatch() {
  return useAction({
    send: (line: BankLine) => call('adminUnmatchBankLine', { params: { id: line.id } }),
    topics: TOPICS,
    done: { title: 'Match Taken Back', message: 'The audit trail keeps it.' },
    failed: 'The match was not taken back',
  });
}
