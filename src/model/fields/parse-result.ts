import type { FieldIssue, ParseResult } from './field-type.js';

export function accept<T>(value: T): ParseResult<T> {
  return { ok: true, value };
}

/** Returns one issue, at the value itself or at a path inside it. */
export function reject(message: string, path: readonly string[] = []): ParseResult<never> {
  return { ok: false, issues: [{ path, message }] };
}

/** Returns the value, or all issues if there are any. */
export function acceptUnless<T>(issues: readonly FieldIssue[], value: T): ParseResult<T> {
  return issues.length === 0 ? accept(value) : { ok: false, issues };
}

export const createIssue = (message: string, path: readonly string[] = []): FieldIssue => ({ path, message });
