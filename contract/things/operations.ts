/**
 * Operations of acts. An act without a form has one that is made from its declaration: "approve" of a withdrawal is
 * `adminApproveWithdrawal` at `/api/admin/withdrawals/{id}/approve`.
 */
import type { Address } from '../routes/define.ts';
import { specOf, wordOf } from './thing.ts';
import { capitalized } from './words.ts';
import type { ActOf, ActRoute, Thing, WordOf } from './thing.ts';

/** Name of the operation of an act; `never` if it has none. */
export type OperationOf<T extends Thing, Act extends ActOf<T>> = Act extends unknown
  ? NameOf<T, T['acts'][Act], Act>
  : never;
type NameOf<T extends Thing, Spec, Act extends string> = Spec extends {
  operation: infer Name extends string;
}
  ? Name
  : Spec extends { by: infer By; route: infer Route }
    ? OperationName<By, Route extends { verb: infer Verb extends string } ? Verb : Act, T>
    : never;

type OperationName<By, Verb extends string, T extends Thing> = By extends 'owner'
  ? `${Verb}${Noun<WordOf<T>>}`
  : `admin${Capitalize<Verb>}${Noun<WordOf<T>>}`;
type Noun<Word extends string> = Word extends `${infer First}_${infer Rest}`
  ? `${Capitalize<First>}${Noun<Rest>}`
  : Capitalize<Word>;

/** Acts of a thing whose operations are made from its declaration. */
export type MadeAct<T extends Thing> = {
  [Act in ActOf<T>]: T['acts'][Act] extends { route: ActRoute } ? Act : never;
}[ActOf<T>];

/** Name of the operation of an act; undefined if it has none. */
export function operationOf<T extends Thing>(thing: T, act: ActOf<T>): string | undefined {
  return specOf(thing, act).operation ?? madeOperation(thing, act)?.name;
}

interface MadeOperation {
  readonly name: string;
  readonly address: Address;
}

/** The operation that is made from the declaration of an act; undefined if it is not. */
export function madeOperation(thing: Thing, act: string): MadeOperation | undefined {
  const { route, by } = specOf(thing, act);
  if (route === undefined) return undefined;
  const { verb = act, step = kebab(verb) } = route;
  return operationAt(placeOf(thing), by === 'owner', verb, step);
}

/** The made operations of a thing, as the browser loads them. */
export interface MadeOperations {
  /** `Withdrawal` of `adminApproveWithdrawal`. */
  readonly noun: string;
  /** `withdrawals` of `/api/admin/withdrawals/{id}/approve`. */
  readonly path: string;
  /** The verb of the name of each, and the last part of its address where that is another word. */
  readonly admin: readonly string[];
  readonly owner: readonly string[];
}

/** The made operations of a thing; undefined if it has none. */
export function packOperations(thing: Thing): MadeOperations | undefined {
  const words = (isOwners: boolean) =>
    Object.entries(thing.acts).flatMap(([act, { by, route }]) => {
      if (route === undefined || (by === 'owner') !== isOwners) return [];
      const { verb = act, step } = route;
      return [step === undefined ? verb : `${verb} ${step}`];
    });
  const [admin, owner] = [words(false), words(true)];
  return admin.length + owner.length === 0 ? undefined : { ...placeOf(thing), admin, owner };
}

export function unpackOperations({ admin, owner, ...place }: MadeOperations): MadeOperation[] {
  const operation = (words: string, isOwners: boolean) => {
    const [verb = '', step = kebab(verb)] = words.split(' ');
    return operationAt(place, isOwners, verb, step);
  };
  return [
    ...owner.map((each) => operation(each, true)),
    ...admin.map((each) => operation(each, false)),
  ];
}

function operationAt(
  { noun, path }: Pick<MadeOperations, 'noun' | 'path'>,
  isOwners: boolean,
  verb: string,
  step: string,
): MadeOperation {
  return isOwners
    ? { name: `${verb}${noun}`, address: `POST /api/${path}/{id}/${step}` }
    : { name: `admin${capitalized(verb)}${noun}`, address: `POST /api/admin/${path}/{id}/${step}` };
}

function placeOf(thing: Thing): Pick<MadeOperations, 'noun' | 'path'> {
  const { path = `${kebab(thing.name)}s` } = thing;
  return { noun: wordOf(thing).split('_').map(capitalized).join(''), path };
}

/** Makes "start-processing" from "startProcessing", and "bank-account" from "bank_account". */
function kebab(word: string): string {
  return word.replaceAll(/_|(?=[A-Z])/g, '-').toLowerCase();
}
