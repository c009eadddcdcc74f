import type { Check } from './checks.js';

/** One key of the configuration: its check, its default and its entry in docs/configuration.md. */
export interface Option<T = unknown> {
  readonly check: Check<T>;
  readonly fallback: T;
  /** One sentence for the reference page. */
  readonly description: string;
  /** The environment variable that takes precedence over the file. */
  readonly variable?: string;
  /** A value for the reference page. Default: the fallback. */
  readonly example?: T;
}

/** The documentation of an option besides its description. */
type OptionDetails<T> = Pick<Option<T>, 'variable' | 'example'>;

export function option<T>(
  check: Check<T>,
  fallback: NoInfer<T>,
  description: string,
  details: OptionDetails<NoInfer<T>> = {},
): Option<T> {
  return { check, fallback, description, ...details };
}
