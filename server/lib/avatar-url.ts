import { PATHS } from '#contract/paths.ts';

/** Address of a picture by its id; null stays null. */
export function avatarUrl(id: string): string;
export function avatarUrl(id: string | null): string | null;
export function avatarUrl(id: string | null): string | null {
  return id === null ? null : PATHS.getAvatar[1].replace('{id}', id);
}
