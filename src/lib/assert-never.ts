/**
 * Ends a switch over a union. A forgotten case does not compile; an unexpected value throws.
 *
 * @example
 *   default: return assertNever(node.kind, 'node kind');
 *
 * @throws {TypeError} always
 */
export function assertNever(value: never, what: string): never {
  throw new TypeError(`Unhandled ${what}: ${JSON.stringify(value)}`);
}
