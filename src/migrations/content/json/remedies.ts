import type { Attribute } from '../../../model/model.js';

/** What keeps values of an attribute that the migration would drop. `key` is `shared.seo.title`. */
export const remedyForRemoved = 'keep the attribute, or rename it with cms field rename';

export const remedyForConversion = (key: string): string => `--convert '${key}=…'`;

/** What makes values fit that an attribute does not accept. */
export function remedyForMisfit(key: string, { family, type }: Attribute, isMissing: boolean): string | null {
  if (isMissing) return family === 'scalar' && type !== 'password' ? `--set '${key}=…'` : null;
  if (family !== 'scalar') return null;
  return type === 'enumeration' ? `--map '${key}:old=new'` : `--convert '${key}=…'`;
}
