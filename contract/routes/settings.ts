import { z } from 'zod';
import { ADMIN_ACTS } from '../duties.ts';
import { named, namedEnum, namedObject } from '../schema-names.ts';
import { capitalized } from '../things/words.ts';
import { leastAmountProblem, SETTING_NAMES, SETTINGS, topicsOfSettings } from '../settings.ts';
import type { Setting } from '../setting-kinds.ts';
import type { SettingName, SettingValues } from '../settings.ts';
import { proposed } from './common.ts';
import {
  amount,
  day,
  id,
  idParams,
  instant,
  money,
  numberOf,
  optionalTextOf,
  rowInteger,
  textOf,
} from './values.ts';
import { defineRoute } from './define.ts';

/** A setting as an admin changes it. */
function inputOf(setting: Setting): z.ZodType {
  switch (setting.kind) {
    case 'text':
      return (setting.isOptional === true ? optionalTextOf : textOf)(setting.rule);
    case 'number':
      return numberOf(setting.rule);
    case 'amount': {
      const bounded = amount.superRefine(({ minor, currency }, context) => {
        const message = leastAmountProblem(setting, BigInt(minor), currency);
        if (message !== undefined) context.addIssue({ code: 'custom', path: ['minor'], message });
      });
      return setting.isOptional === true ? amount.nullable() : bounded;
    }
    case 'list':
      return z.array(textOf(setting.rule)).max(setting.most);
    default:
      return outputOf(setting);
  }
}

/** A setting as it is: what was set otherwise than on the screen need not be within its bounds. */
function outputOf(setting: Setting): z.ZodType {
  switch (setting.kind) {
    case 'text':
      return z.string();
    case 'choice':
      return z.enum(Object.keys(setting.options));
    case 'flag':
      return z.boolean();
    case 'day':
      return z.union([z.literal(''), day]);
    case 'number':
      return z.number().int();
    case 'amount':
      return setting.isOptional === true ? money.nullable() : money;
    case 'list':
      return z.array(z.string());
  }
}

type Shape = { [Name in SettingName]: z.ZodType<SettingValues[Name], SettingValues[Name]> };

function shapeOf(schemaOf: (setting: Setting) => z.ZodType): Shape {
  const shape = SETTING_NAMES.map((name) => [name, schemaOf(SETTINGS[name])]);
  return Object.fromEntries(shape) as Shape;
}

/** Settings whose choices are named after them. */
const CHOICES = [
  'timeZone',
  'joinPolicy',
  'payrollFrequency',
  'payrollDays',
  'payrollDay',
  'paydayMoves',
  'payoutFormat',
  'payoutLineEnd',
  'bankAccountProof',
  'payoutSameDayUntil',
] as const;

const values = namedObject('Settings', shapeOf(outputOf));
for (const name of CHOICES) named(capitalized(name), values.shape[name]);
const settingName = namedEnum('SettingName', SETTING_NAMES);

/** Settings that an admin changes; those that are left out stay as they are. */
const changes = z.strictObject(shapeOf(inputOf)).partial();

const reply = namedObject('SettingsReply', {
  /** Grows with every change; a change says which it was made on. */
  version: z.number().int(),
  values,
  /** True if an account was opened in the currency, so that it can no longer be changed. */
  isCurrencyFixed: z.boolean(),
  /** Last change of each setting; nothing of a setting that nobody changed yet. */
  lastChanges: z.array(
    namedObject('SettingChange', {
      setting: settingName,
      version: z.number().int(),
      /** null: Purser itself. */
      by: z.string().nullable(),
      /** True if it was the admin who asks. */
      isMine: z.boolean(),
      at: instant,
    }),
  ),
  /** True if enough admins are active to separate duties. */
  canSeparateDuties: z.boolean(),
  /** Switched-on duties that take two people now, and the admin with whom there are enough people, from when. */
  duties: namedObject('DutiesInForce', {
    inForce: z.array(settingName),
    /** Number of admins without whom nobody could do some step of the duties that are switched on. */
    needed: z.number().int(),
    second: z.object({ name: z.string(), from: instant.nullable() }).nullable(),
  }),
  /** Number of active admins, and the names of those without two-factor. */
  admins: namedObject('AdminCounts', {
    total: z.number().int(),
    withoutTwoFactor: z.array(z.string()),
  }),
  /** True if the server can send mail at all. */
  hasMailServer: z.boolean(),
  /** The days payroll is due next, by the schedule as it is. */
  nextPaydays: z.array(
    namedObject('Payday', {
      on: day,
      /** Day of the schedule that is no banking day, so that it was moved. */
      movedFrom: day.nullable(),
    }),
  ),
  /** A change that waits for another admin. */
  proposal: namedObject('SettingsProposal', {
    id,
    settings: named('SettingsPatch', values.partial()),
    /** Their values when it was proposed. */
    before: values.partial(),
    proposedBy: z.string(),
    proposedAt: instant,
    /** True if the admin who asks proposed it, and so may only discard it. */
    isMine: z.boolean(),
    /** The sentence with which accepting would be refused to the admin who asks; null: it would not. */
    refusal: z.string().nullable(),
  }).nullable(),
  /** Acts on administrators that wait for another admin, oldest first. */
  adminProposals: z.array(
    namedObject('AdminProposal', {
      id,
      act: z.enum(ADMIN_ACTS),
      person: z.object({ id, name: z.string() }),
      ...proposed,
      /** The same of discarding. */
      discardRefusal: z.string().nullable(),
    }),
  ),
});

export const settingsRoutes = {
  adminGetSettings: defineRoute('GET /api/admin/settings', {
    summary:
      'What the company has decided, who changed what last, and what waits for another admin',
    access: 'admin',
    topics: ['people', 'settings'],
    reply,
  }),
  adminUpdateSettings: defineRoute('PUT /api/admin/settings', {
    summary:
      'Change settings; where duties are separated, what loosens the rules about money waits for another admin',
    access: 'admin',
    confirms: 'recent',
    changes: {},
    mayChange: { admins: ['settings', ...topicsOfSettings(SETTING_NAMES)] },
    body: z.object({
      /** As the settings were read that this change was made on. */
      version: rowInteger,
      settings: changes,
    }),
    reply: reply.extend({
      /** Settings whose change waits for another admin; the others are changed. */
      proposed: z.array(settingName),
    }),
    errors: [
      'settings_changed',
      'currency_stays',
      'time_zone_of_closed_months',
      'amount_invalid',
      'two_admins_needed',
      'more_admins_needed',
    ],
  }),
  adminAcceptSettingsProposal: defineRoute('POST /api/admin/settings/proposals/{id}/accept', {
    summary: 'Accept the change of settings, or the act on an admin, that another admin proposed',
    access: 'admin',
    confirms: 'recent',
    changes: { admins: ['settings'] },
    mayChange: {
      owner: ['sessions'],
      admins: [...topicsOfSettings(SETTING_NAMES), 'people'],
    },
    params: idParams,
    reply,
    errors: [
      ...(['proposal_not_found', 'second_person_needed', 'settings_changed'] as const),
      ...(['person_not_found', 'person_wrong_standing', 'own_account', 'last_admin'] as const),
      ...(['two_factor_is_off', 'person_erased', 'time_zone_of_closed_months'] as const),
    ],
  }),
  adminDiscardSettingsProposal: defineRoute('POST /api/admin/settings/proposals/{id}/discard', {
    summary: 'Discard a proposed change of settings, or a proposed act on an admin',
    access: 'admin',
    changes: { admins: ['settings'] },
    mayChange: { admins: ['people'] },
    params: idParams,
    reply,
    errors: ['proposal_not_found', 'own_account'],
  }),
};
