import { useState } from 'react';
import type { SettingsReply } from '#contract/api.ts';
import type { SettingName, SettingValues } from '#contract/settings.ts';
import { isSame, readTyped, typedOf, type Typed } from './typed-settings.ts';

interface Edit {
  typed: Typed;
  /** Value that the admin last saw. */
  seen: SettingValues[SettingName];
}
type Edits = Partial<Record<SettingName, Edit>>;

/** Unsaved changes of an admin, on top of the saved settings. */
export interface SettingsDraft {
  /** Text in a setting's field. */
  typedOf: (name: SettingName) => Typed;
  isEdited: (name: SettingName) => boolean;
  /** True if another admin changed a setting that this one is editing. */
  isClashing: (name: SettingName) => boolean;
  edit: (name: SettingName, typed: Typed) => void;
  /** Keeps the typed value, which will replace the other admin's. */
  keep: (name: SettingName) => void;
  drop: (names: readonly SettingName[]) => void;
  /**
   * Drops the typed values that were sent, which are saved now or wait for another admin. What was typed in their place
   * meanwhile stays, as a change of `values`.
   */
  dropSent: (sent: Partial<SettingValues>, values: SettingValues) => void;
}

/** Keeps typed values while settings reload: nothing typed is lost, and nothing saved is hidden. */
export function useSettingsDraft({ values }: SettingsReply): SettingsDraft {
  const [edits, setEdits] = useState<Edits>({});
  const isEdited = (name: SettingName) => {
    const edit = edits[name];
    if (edit === undefined) return false;
    const read = readTyped(name, edit.typed, values.currency);
    return 'problem' in read || !isSame(read.value, values[name]);
  };
  return {
    typedOf: (name) => edits[name]?.typed ?? typedOf(name, values[name]),
    isEdited,
    isClashing: (name) => {
      const edit = edits[name];
      return edit !== undefined && isEdited(name) && !isSame(edit.seen, values[name]);
    },
    edit: (name, typed) =>
      setEdits((current) => ({
        ...current,
        [name]: { typed, seen: current[name]?.seen ?? values[name] },
      })),
    keep: (name) =>
      setEdits((current) => {
        const edit = current[name];
        return edit === undefined
          ? current
          : { ...current, [name]: { typed: edit.typed, seen: values[name] } };
      }),
    drop: (names) =>
      setEdits((current) => {
        const left = { ...current };
        for (const name of names) delete left[name];
        return left;
      }),
    dropSent: (sent, saved) =>
      setEdits((current) => {
        const left = { ...current };
        for (const name of Object.keys(sent) as SettingName[]) {
          const [edit, value] = [left[name], sent[name]];
          if (edit === undefined || value === undefined) continue;
          const read = readTyped(name, edit.typed, values.currency);
          if ('value' in read && isSame(read.value, value)) delete left[name];
          else left[name] = { typed: edit.typed, seen: saved[name] };
        }
        return left;
      }),
  };
}
