/**
 * Ends a switch over a union: a case that was forgotten does not compile, and a value from outside the union fails loudly.
 *
 * @example default: return assertNever(node.kind, 'node kind');
 */
export function assertNever(value: never, what: string): never {
  throw new TypeError(`Unhandled ${what}: ${JSON.stringify(value)}`);
}
