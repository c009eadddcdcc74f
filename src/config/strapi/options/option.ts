import type { Check } from '../../checks.js';

/** How an option that Strapi knows holds here. */
type Treatment = 'applied' | 'applied differently' | 'refused' | 'harmless';

/** What becomes of one option of a Strapi project. */
export interface StrapiOption {
  readonly treatment: Treatment;
  /** One phrase for the table of options. */
  readonly remark: string;
  /** True if the start stops where the option is set and cannot be applied, since it restricts access. */
  readonly restricts: boolean;
  /** The value that states what holds here anyway. */
  readonly holds?: unknown;
  /** The values that can be applied. Default: all, or those that the setting of Galley allows. */
  readonly check?: Check<unknown>;
}

/** Options by their paths below a file or a middleware; `*` stands for all others there. */
export type StrapiOptions = Readonly<Record<string, StrapiOption>>;

const create =
  (treatment: Treatment) =>
  (remark = ''): StrapiOption => ({ treatment, remark, restricts: false });

/** It does here what it does in Strapi. */
export const applied = create('applied');
/** It is read, with a difference that the remark tells. */
export const differently = create('applied differently');
/** It has no effect, of which the project is warned. */
export const refused = create('refused');
/** It has no effect, and nothing that a client could see depends on it. */
export const harmless = create('harmless');

/** Returns an option that has no effect, unless it has the value that holds here anyway. */
export function fixed(holds: unknown, remark: string): StrapiOption {
  return { ...refused(remark), holds };
}

/** Marks an option that restricts access. */
export function restricting(option: StrapiOption, check?: Check<unknown>): StrapiOption {
  return { ...option, restricts: true, ...(check === undefined ? {} : { check }) };
}

/** True if the option has an effect here, so that code reads it. */
export function isRead({ treatment }: StrapiOption): boolean {
  return treatment === 'applied' || treatment === 'applied differently';
}
