import type { Attribute } from '../../../model/model.js';

/** Remedy that keeps values of an attribute that the migration would drop. `key` is `shared.seo.title`. */
export const remedyForRemoved = 'keep the attribute, or rename it with cms field rename';

export const remedyForConversion = (key: string): string => `--convert '${key}=…'`;

/** Returns the option that makes invalid values acceptable to the attribute, or null if there is none. */
export function remedyForInvalid(
  key: string,
  { family, type }: Attribute,
  isMissing: boolean,
): string | null {
  if (isMissing) return family === 'scalar' && type !== 'password' ? `--set '${key}=…'` : null;
  if (family !== 'scalar') return null;
  return type === 'enumeration' ? `--map '${key}:old=new'` : `--convert '${key}=…'`;
}
