import { toGalleyError } from '../terminal/report-error.js';

/** Says in one line what went wrong, and what helps. */
export function describeFailure(thrown: unknown): string {
  const { message, hint, details } = toGalleyError(thrown);
  const issues = details.errors ?? [];
  if (issues.length > 1) return issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ');
  return hint === undefined || hint === '' ? message : `${message} ${hint}`;
}
