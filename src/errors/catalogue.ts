import { ACCESS_ERRORS, AUTH_ERRORS, MAIL_ERRORS } from './catalogue/access.js';
import { CLI_ERRORS, CONTENT_ERRORS, FILE_ERRORS, RELEASE_ERRORS } from './catalogue/cli.js';
import { DATABASE_ERRORS, MIGRATION_ERRORS } from './catalogue/database.js';
import {
  EXTERNAL_DATABASE_ERRORS,
  REMOTE_ERRORS,
  TABLE_ERRORS,
  TRANSFER_ERRORS,
} from './catalogue/transfer.js';
import { GRAPHQL_ERRORS } from './catalogue/graphql.js';
import { MCP_ERRORS, REQUEST_ERRORS, SERVER_ERRORS, WEBHOOK_ERRORS } from './catalogue/request.js';
import { MEDIA_ERRORS, UPLOAD_ERRORS } from './catalogue/media.js';
import { PROJECT_ERRORS, SCAFFOLD_ERRORS, STRAPI_ERRORS, STRAPI_PLUGIN_ERRORS } from './catalogue/project.js';
import { GalleyError } from './galley-error.js';
import type { ErrorEntry, ErrorDetails } from './galley-error.js';

/** All errors that the toolkit throws on purpose, by code. docs/errors.md is generated from it. */
export const CATALOGUE = {
  ...REQUEST_ERRORS,
  ...STRAPI_ERRORS,
  ...UPLOAD_ERRORS,
  ...GRAPHQL_ERRORS,
  ...MCP_ERRORS,
  ...AUTH_ERRORS,
  ...ACCESS_ERRORS,
  ...MAIL_ERRORS,
  ...PROJECT_ERRORS,
  ...CONTENT_ERRORS,
  ...RELEASE_ERRORS,
  ...MEDIA_ERRORS,
  ...REMOTE_ERRORS,
  ...TABLE_ERRORS,
  ...FILE_ERRORS,
  ...SERVER_ERRORS,
  ...DATABASE_ERRORS,
  ...EXTERNAL_DATABASE_ERRORS,
  ...MIGRATION_ERRORS,
  ...CLI_ERRORS,
  ...SCAFFOLD_ERRORS,
  ...TRANSFER_ERRORS,
  ...STRAPI_PLUGIN_ERRORS,
  ...WEBHOOK_ERRORS,
} as const;

export type ErrorCode = keyof typeof CATALOGUE;

interface CreateErrorOptions {
  readonly details?: ErrorDetails;
  readonly cause?: unknown;
}

/** The names in braces in a template. Braces around several words, as in code, are text. */
type Placeholder<Template> = Template extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${string} ${string}` ? never : Name) | Placeholder<Rest>
  : never;

type TemplateOf<Entry> = Entry extends { readonly message: infer Message }
  ? Message | (Entry extends { readonly hint: infer Hint } ? Hint : never)
  : never;

/** The values of all placeholders in the message and the hint of a code. */
type ErrorParams<Code extends ErrorCode> = Readonly<
  Record<Placeholder<TemplateOf<(typeof CATALOGUE)[Code]>>, unknown>
>;

/** The further arguments of {@link createError}: the values may be omitted if there are no placeholders. */
type ErrorArguments<Code extends ErrorCode> = [keyof ErrorParams<Code>] extends [never]
  ? [params?: Readonly<Record<string, unknown>>, options?: CreateErrorOptions]
  : [params: ErrorParams<Code> & Readonly<Record<string, unknown>>, options?: CreateErrorOptions];

/** Fills the placeholders of a template. A value that ends with a period gets no second one. */
const fillTemplate = (template: string, params: Readonly<Record<string, unknown>>): string =>
  template.replace(/\{(\w+)\}(\.?)/g, (placeholder, name: string, period: string) => {
    if (!(name in params)) return placeholder;
    const value = String(params[name]);
    return value.endsWith('.') ? value : value + period;
  });

/**
 * Creates the error of a code. It does not throw: test/architecture.test.ts rejects a call that ignores the
 * result.
 *
 * @example
 *   throw createError('request/invalid-key', { key });
 */
export function createError<Code extends ErrorCode>(
  code: Code,
  ...[params = {}, options = {}]: ErrorArguments<Code>
): GalleyError {
  const entry: ErrorEntry = CATALOGUE[code];
  return new GalleyError({
    code,
    kind: entry.kind,
    message: fillTemplate(entry.message, params),
    hint: entry.hint === undefined ? undefined : fillTemplate(entry.hint, params),
    details: options.details,
    cause: options.cause,
  });
}

/** Returns a copy of an error whose message begins with a location. */
export function locateError(error: GalleyError, location: string): GalleyError {
  const { code, kind, message, hint, details } = error;
  return new GalleyError({ code, kind, message: `${location}: ${message}`, hint, details, cause: error });
}
