/**
 * Ends a switch over a union. A missing case does not compile; an unexpected value throws.
 *
 * @example
 *   default: return assertNever(node.kind, 'node kind');
 *
 * @throws {TypeError} always
 */
export function assertNever(value: never, what: string): never {
  throw new TypeError(`Unhandled ${what}: ${JSON.stringify(value)}`);
}

/**
 * Returns a value that an invariant guarantees to exist.
 *
 * @param description names the value in the error message, e.g. `the version's id`
 * @throws {TypeError} if the value is null or undefined, which is a mistake in the toolkit
 */
export function defined<Value>(value: Value | null | undefined, description: string): Value {
  if (value === null || value === undefined) throw new TypeError(`${description} is missing`);
  return value;
}
