import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { domainRule, emailRule } from './email.ts';
import { checkImportRow } from './employee-import.ts';
import { ROUTES } from './routes/all.ts';
import type { RouteSpec } from './routes/define.ts';
import { problemOf } from './rules.ts';

const ADDRESSES = [
  'jo.zw\u200b@purser.test',
  'jo..b@purser.test',
  '.jo@purser.test',
  'jo.b@purser.test.',
  'mailto:jo.b@purser.test',
  "j.o'b+c_d-e@mail.purser.test",
  'jo@purser-payroll.co.uk',
  '  Jo@Purser.TEST ',
  'jo@b\u00fccher.test',
  'jo@B\u00dcCHER.test',
  'jo@bu\u0308cher.test',
  'jo@xn--bcher-kva.test',
  'jo@\u4f8b\u3048\u3002test',
  '\uff4ao\uff20purser.test',
  'j\u00f6@purser.test',
  'jo@\u043f\u043e\u0447\u0442\u0430.\u0440\u0444',
  'jo@purser',
  'jo@b\u00fccher.test:80',
  'jo@b\u00fccher.test/page',
  'jo@@b\u00fccher.test',
  `${'x'.repeat(250)}@purser.test`,
  '',
];

describe('an address', () => {
  test.each(ADDRESSES)('is taken once it is cleaned as sign-in takes it: %s', (typed) => {
    const text = emailRule.clean(typed);
    const isTaken = z.email().max(emailRule.maxLength).safeParse(text).success;
    expect(emailRule.problem(text) === undefined).toBe(isTaken);
    expect(emailRule.clean(text)).toBe(text);
  });

  test.each([
    ['jo@b\u00fccher.test', 'jo@xn--bcher-kva.test'],
    ['jo@bu\u0308cher.test', 'jo@xn--bcher-kva.test'],
    ['jo@\u4f8b\u3048\u3002test', 'jo@xn--r8jz45g.test'],
    ['\uff2ao\uff20Purser.test', 'jo@purser.test'],
  ])('at an international domain has its ASCII form: %s is %s', (typed, ascii) => {
    expect(emailRule.clean(typed)).toBe(ascii);
    expect(problemOf(emailRule, typed)).toBeUndefined();
  });

  test.each([
    [
      'j\u00f6@purser.test',
      'Mail cannot be sent to an address with “\u00f6” before the @. Use another address.',
    ],
    [
      'jo@\u043f\u043e\u0447\u0442\u0430.\u0440\u0444',
      'Addresses whose last part is not in Latin letters, such as .com, are not supported. Use another address.',
    ],
    ['jo@purser', 'Enter a valid email address'],
  ])('that is refused says why: %s', (typed, problem) => {
    expect(problemOf(emailRule, typed)).toBe(problem);
  });
});

test('a domain is kept in the form that addresses have it in', () => {
  expect(domainRule.clean('@B\u00fccher.test')).toBe('xn--bcher-kva.test');
});

type Place = readonly [where: string, schema: z.ZodType];

/** Fields of a schema that are typed addresses, in objects and lists at any depth. */
function addressesIn(schema: z.ZodType, where: string): Place[] {
  if (schema instanceof z.ZodObject) {
    return Object.entries(schema.shape as Record<string, z.ZodType>).flatMap(([name, field]) =>
      isText(field) && /e-?mail/i.test(name)
        ? [[`${where} ${name}`, field] as const]
        : addressesIn(field, `${where} ${name}`),
    );
  }
  if (schema instanceof z.ZodArray) return addressesIn(schema.element as z.ZodType, where);
  const inner = innerOf(schema);
  return inner === undefined ? [] : addressesIn(inner, where);
}

function innerOf(schema: z.ZodType): z.ZodType | undefined {
  const wraps =
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodDefault;
  return wraps ? (schema.unwrap() as z.ZodType) : undefined;
}

function isText(schema: z.ZodType): boolean {
  const inner = innerOf(schema);
  return inner === undefined ? schema instanceof z.ZodString : isText(inner);
}

const PLACES = Object.entries(ROUTES).flatMap(([name, route]) => {
  const { body, query }: RouteSpec = route;
  return [body, query].flatMap((schema) => (schema === undefined ? [] : addressesIn(schema, name)));
});

test('operations that take an address are found', () => {
  const found = new Set(PLACES.map(([where]) => where));
  for (const where of [
    'signUp email',
    'signIn email',
    'requestEmailChange email',
    'adminCreateInvite email',
    'adminAddEmployee email',
    'findRecipient email',
    'saveMyApplication answers email',
    'adminUpdateSettings settings supportEmail',
  ]) {
    expect(found).toContain(where);
  }
});

test.each(PLACES)('%s holds an address to the one rule', (_where, schema) => {
  for (const typed of ADDRESSES.filter((address) => address !== '')) {
    const parsed = schema.safeParse(typed);
    const problem = problemOf(emailRule, typed);
    if (problem === undefined) {
      expect(parsed).toMatchObject({ success: true, data: emailRule.clean(typed) });
    } else {
      expect(
        parsed.error?.issues.map(({ message }) => message),
        typed,
      ).toContain(problem);
    }
  }
});

test.each(ADDRESSES.filter((address) => address !== ''))(
  'a row of an import does, too: %s',
  (typed) => {
    const { person, problems } = checkImportRow(['Jo Berg', typed, 'Sales'], {
      columnCount: 3,
      mapping: { fullName: 0, lastName: null, email: 1, department: 2, position: null },
    });
    expect(person.email).toBe(emailRule.clean(typed));
    const message = problemOf(emailRule, typed);
    expect(problems).toEqual(message === undefined ? [] : [{ column: 'email', message }]);
  },
);
