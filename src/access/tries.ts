import { isRecord } from '../lib/is-record.js';
import type { Caller } from './access.js';

/** The operations about accounts whose tries are counted, with the value of theirs that says who is tried to be. */
const NAMED_BY = {
  login: 'identifier',
  register: null,
  forgotPassword: 'email',
  resetPassword: null,
  changePassword: null,
  confirmEmail: null,
  sendConfirmation: 'email',
  refresh: null,
} as const satisfies Readonly<Record<string, string | null>>;

export type TriedOperation = keyof typeof NAMED_BY;

/** One try of an operation, whichever transport it came by. */
export interface Try {
  readonly operation: TriedOperation;
  /** Address it came from, in one spelling. */
  readonly address: string;
  /** What the operation itself reads. */
  readonly values: unknown;
  readonly caller: Caller | null;
}

/** Tries of one operation in one interval: from one address, and as one person. */
export interface TryLimits {
  readonly address: number;
  readonly person: number;
}

/** From one address, whatever names are tried: enough for an office, not for guessing. */
const ADDRESS_FACTOR = 10;
const NAME_LENGTH = 200;

const nameOf = (value: unknown): string => (typeof value === 'string' ? value.normalize('NFKC').trim().toLowerCase().slice(0, NAME_LENGTH) : '');

/** How many tries are let through where the project allows `max` with one name. */
export function tryLimits(operation: TriedOperation, max: number): TryLimits {
  return { address: NAMED_BY[operation] === null ? max : max * ADDRESS_FACTOR, person: max };
}

/** What all tries from one address are counted under. */
export function addressKey({ operation, address }: Try): string {
  return `${operation} from ${address}`;
}

/**
 * What tries as one person are counted under; null where the operation names nobody. Made of nothing but what the operation itself goes by, so that
 * neither another value nor a credential of somebody else's makes it another key. Who changes a password is the one signed in, wherever they are.
 */
export function personKey(made: Try): string | null {
  const { operation, values, caller } = made;
  if (operation === 'changePassword') return caller?.kind === 'user' ? `${operation} of user ${caller.userId}` : null;
  const name = NAMED_BY[operation];
  if (name === null) return null;
  return `${addressKey(made)} as ${nameOf(isRecord(values) && Object.hasOwn(values, name) ? values[name] : undefined)}`;
}
