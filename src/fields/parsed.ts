import type { FieldFault, Parsed } from './field-type.js';

export function accept<T>(value: T): Parsed<T> {
  return { ok: true, value };
}

/** One fault, at the value itself unless a path inside it is given. */
export function refuse(message: string, path: readonly string[] = []): Parsed<never> {
  return { ok: false, faults: [{ path, message }] };
}

/** The value, or everything that is wrong with it. */
export function acceptUnless<T>(faults: readonly FieldFault[], value: T): Parsed<T> {
  return faults.length === 0 ? accept(value) : { ok: false, faults };
}

export const fault = (message: string, path: readonly string[] = []): FieldFault => ({ path, message });
