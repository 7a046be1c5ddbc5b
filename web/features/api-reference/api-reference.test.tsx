import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { Operations } from './api-reference.tsx';
import { curlOf } from './curl.ts';
import { isFound, operationsOf, type OpenApiDocument } from './document.ts';
import { OperationBody } from './operation-entry.tsx';
import { schemaRows } from './schema-rows.ts';

const money = { $ref: '#/components/schemas/Money' };
/**
 * Part of the server's OpenAPI document: two operations that a key can call, and one that it
 * cannot.
 */
const DOCUMENT: OpenApiDocument = {
  servers: [{ url: 'https://pay.example.com' }],
  components: {
    schemas: {
      Currency: { type: 'string', enum: ['USD', 'EUR'] },
      Money: {
        type: 'object',
        properties: {
          minor: { type: 'string' },
          currency: { $ref: '#/components/schemas/Currency' },
        },
        required: ['minor', 'currency'],
      },
    },
  },
  paths: {
    '/api/admin/withdrawals': {
      get: {
        operationId: 'adminListWithdrawals',
        summary: 'Withdrawals of all employees',
        'x-scope': 'withdrawals:read',
        parameters: [
          {
            name: 'pageSize',
            in: 'query',
            required: false,
            schema: { type: 'integer', minimum: 1, maximum: 100, default: 15 },
          },
        ],
        responses: {
          200: {
            description: 'OK',
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  properties: {
                    items: {
                      type: 'array',
                      items: { type: 'object', properties: { amount: money } },
                    },
                    total: { type: ['integer', 'null'] },
                  },
                  required: ['items', 'total'],
                },
              },
            },
          },
          403: {
            description:
              '`api_key_refused`: This API key may not do this.\n\n`forbidden`: No access.',
          },
        },
      },
    },
    '/api/admin/funding/employees/{id}': {
      post: {
        operationId: 'adminFundEmployee',
        summary: 'Pay one employee',
        'x-scope': 'payroll:write',
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'string', format: 'uuid' } },
          { name: 'Idempotency-Key', in: 'header', required: true, schema: { type: 'string' } },
        ],
        requestBody: {
          content: {
            'application/json': {
              schema: {
                type: 'object',
                properties: {
                  amount: money,
                  note: { anyOf: [{ type: 'string' }, { type: 'null' }] },
                },
                required: ['amount'],
              },
            },
          },
        },
        responses: { 201: { description: 'Created' } },
      },
    },
    '/api/auth/sign-in': {
      post: {
        operationId: 'signIn',
        summary: 'Sign in',
        'x-scope': null,
        responses: { 200: { description: 'OK' } },
      },
    },
  },
};
const [list, fund] = operationsOf(DOCUMENT);
if (list === undefined || fund === undefined) throw new Error('two operations');

describe('the API reference', () => {
  test('lists the operations that a key can call, by scope, and no others', () => {
    const markup = renderToStaticMarkup(<Operations document={DOCUMENT} />);
    expect(markup).toContain('2 operations');
    expect(markup).toContain('Pay one employee');
    expect(markup).not.toContain('Sign in');
    expect(markup.indexOf('payroll:write')).toBeLessThan(markup.indexOf('withdrawals:read'));
  });

  test('finds an operation by all words, in any of its texts', () => {
    expect(isFound(list, 'Withdrawals  GET')).toBe(true);
    expect(isFound(list, 'funding')).toBe(false);
    expect(isFound(fund, '/funding/ pay')).toBe(true);
    expect(isFound(fund, '')).toBe(true);
  });

  test('shows each field’s type, its parents, and whether it is optional', () => {
    expect(schemaRows(list.reply ?? {}).map(({ path, type }) => `${path}: ${type}`)).toEqual([
      'items: list',
      'items[].amount: object',
      'items[].amount.minor: text',
      'items[].amount.currency: text',
      'total: whole number or null',
    ]);
    const rows = schemaRows(fund.body ?? {});
    expect(rows.find(({ path }) => path === 'note')).toEqual({
      path: 'note',
      type: 'text or null',
      isRequired: false,
      notes: '',
    });
    const markup = renderToStaticMarkup(<OperationBody operation={list} server="" />);
    expect(markup).toContain('1 to 100; if left out: 15');
    expect(markup).toContain('This API key may not do this.');
    expect(markup).toContain('No access.');
  });

  test('has an example for a shell, with the API key, an id and an idempotency key', () => {
    expect(curlOf(list, 'https://pay.example.com')).toBe(
      [
        'curl "https://pay.example.com/api/admin/withdrawals"',
        '-H "Authorization: Bearer $PURSER_KEY"',
      ].join(' \\\n  '),
    );
    expect(curlOf(fund, '').split(' \\\n  ')).toEqual([
      'curl "/api/admin/funding/employees/$ID"',
      '-X POST',
      '-H "Authorization: Bearer $PURSER_KEY"',
      '-H "Idempotency-Key: $(openssl rand -hex 16)"',
      '-H "Content-Type: application/json"',
      `-d '${JSON.stringify({ amount: { minor: '10000', currency: 'USD' } }, null, 2)}'`,
    ]);
  });
});
