import { createError } from '../../errors/catalogue.js';

/**
 * Returns what `--existing` says.
 *
 * @throws `cli/invalid-usage` for a policy of other imports
 */
export function selectPolicy<T extends string>(
  policies: readonly T[],
  given: string | undefined,
  fallback: T,
): T {
  const policy = given === undefined ? fallback : policies.find((candidate) => candidate === given);
  if (policy !== undefined) return policy;
  throw createError('cli/invalid-usage', {
    reason: `--existing ${String(given)} is not for what is imported here.`,
    remedy: `Pass one of ${policies.join(', ')}.`,
  });
}
