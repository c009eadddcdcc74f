import type { Check } from '../../checks.js';

/** The effect that an option of Strapi has in Galley. */
type Treatment = 'applied' | 'applied differently' | 'refused' | 'harmless';

/** The treatment of one option of a Strapi project. */
export interface StrapiOption {
  readonly treatment: Treatment;
  /** One phrase for the table of options. */
  readonly remark: string;
  /** True if the start stops where the option is set and cannot be applied, since it restricts access. */
  readonly restricts: boolean;
  /** The value that matches the behavior of Galley. */
  readonly holds?: unknown;
  /** The values that can be applied. Default: all, or those that the setting of Galley allows. */
  readonly check?: Check<unknown>;
}

/** Options by their paths below a file or a middleware; `*` stands for all others there. */
export type StrapiOptions = Readonly<Record<string, StrapiOption>>;

const create =
  (treatment: Treatment) =>
  (remark = ''): StrapiOption => ({ treatment, remark, restricts: false });

/** Returns an option that has the same effect as in Strapi. */
export const applied = create('applied');
/** Returns an option that is applied with a difference, which the remark describes. */
export const differently = create('applied differently');
/** Returns an option that has no effect, which is reported as a warning. */
export const refused = create('refused');
/** Returns an option that has no effect, and on which nothing that clients see depends. */
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
