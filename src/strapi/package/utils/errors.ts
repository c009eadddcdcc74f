import { createRequire } from 'node:module';
import type { ErrorDetails } from '../../../errors/galley-error.js';
import * as projectErrors from '../../../errors/project-errors.js';
import { isRecord } from '../../../lib/is-record.js';

const { ValidationError } = projectErrors;

const pathOf = (path: unknown): readonly string[] =>
  typeof path === 'string' ? (path.match(/[^.[\]"']+/g) ?? []) : [];

const issueOf = (error: unknown): Record<string, unknown> => {
  const { path, message, name, value } =
    isRecord(error) || error instanceof Error ? (error as unknown as Record<string, unknown>) : {};
  return { path: pathOf(path), message, name, value };
};

/** A ValidationError with the list of issues that a yup schema has found. */
class YupValidationError extends ValidationError {
  constructor(error: { readonly message?: string; readonly inner?: readonly unknown[] }, message?: string) {
    const inner = error.inner ?? [];
    const errors = inner.length === 0 ? [issueOf(error)] : inner.map(issueOf);
    super(message ?? error.message, { errors } as unknown as ErrorDetails);
  }
}

const require = createRequire(import.meta.url);

/** The error classes of `@strapi/utils`. Those that Galley has are the same classes. */
export const errors = {
  ...projectErrors,
  YupValidationError,
  /** The class of the errors that `ctx.throw` creates. */
  get HttpError(): unknown {
    return (require('koa') as { readonly HttpError: unknown }).HttpError;
  },
};
