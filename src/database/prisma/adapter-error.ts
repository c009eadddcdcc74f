import { propertyOf } from '../../lib/records.js';
/**
 * Reads `meta.driverAdapterError` of Prisma Client's errors, which is not part of Prisma's API. The public
 * error codes do not distinguish all errors on which a retry depends.
 */

/** A driver adapter's description of a failed statement. */
export interface AdapterCause {
  readonly kind: string;
  readonly [key: string]: unknown;
}

const isCause = (value: unknown): value is AdapterCause =>
  typeof value === 'object' && value !== null && 'kind' in value && typeof value.kind === 'string';

/** Returns the adapter's description of an error that the adapter threw or Prisma Client wrapped. */
export function adapterCause(error: unknown): AdapterCause | null {
  const wrapped = propertyOf(propertyOf(error, 'meta'), 'driverAdapterError') ?? error;
  const cause = propertyOf(wrapped, 'cause');
  return isCause(cause) ? cause : null;
}
