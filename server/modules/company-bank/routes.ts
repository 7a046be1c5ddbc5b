import type { companyBankRoutes } from '#contract/routes/company-bank.ts';
import { command, query } from '#server/http/handlers.ts';
import type { Handlers } from '#server/http/handlers.ts';
import type { Services } from '#server/services.ts';
import { addCompanyAccount } from './accounts.ts';
import { checkStatement, importStatement } from './import-statement.ts';
import { addRule, removeRule } from './line-rules.ts';
import { findLineItems, listLines } from './lines.ts';
import { matchLine, unmatchLine } from './match-line.ts';
import { getBankPosition, getCompanyBank } from './position.ts';

export function companyBankHandlers(
  services: Services,
): Pick<Handlers, keyof typeof companyBankRoutes> {
  return {
    adminGetCompanyBank: query((db) => getCompanyBank(db, services)),
    adminGetBankPosition: query((db) => getBankPosition(db, services)),
    adminListBankLines: query((db, _by, { query: asked }) => listLines(db, asked)),
    adminFindBankItems: query((db, _by, { params, query: asked }) =>
      findLineItems(db, { ...params, ...asked }),
    ),
    adminAddCompanyAccount: command((tx, by, { body }) =>
      addCompanyAccount(tx, services, by, body),
    ),
    adminCheckStatement: {
      kind: 'upload',
      run: (db, _by, { params, query: asked }, body) =>
        checkStatement(db, services, { ...params, query: asked, body }),
    },
    adminImportStatement: {
      kind: 'upload',
      run: (db, by, { params, query: asked }, body) =>
        importStatement(db, services, by, { ...params, query: asked, body }),
    },
    adminMatchBankLine: command((tx, by, { params, body }) =>
      matchLine(tx, services, by, { ...params, ...body }),
    ),
    adminUnmatchBankLine: command((tx, by, { params }) => unmatchLine(tx, services, by, params.id)),
    adminAddBankRule: command((tx, by, { body }) => addRule(tx, services, by, body)),
    adminRemoveBankRule: command((tx, by, { params }) => removeRule(tx, services, by, params.id)),
  };
}
