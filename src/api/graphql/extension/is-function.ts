/** A function of project code. Its parameters and result are not known. */
export type AnyFunction = (...args: readonly unknown[]) => unknown;

/** True if a value from project code is a function. */
export function isFunction(value: unknown): value is AnyFunction {
  return typeof value === 'function';
}
