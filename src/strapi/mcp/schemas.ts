import { createError } from '../../errors/catalogue.js';
import { isRecord, propertyOf } from '../../lib/records.js';

/** A problem of a value that does not fit a schema. */
interface Issue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

type Validation<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly Issue[] };

/** A schema of zod, or of another library that implements Standard Schema. */
export interface Schema<Output = unknown> {
  readonly '~standard': {
    readonly validate: (value: unknown) => Validation<Output> | Promise<Validation<Output>>;
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
  };
}

const isSchema = (value: unknown): value is Schema =>
  typeof propertyOf(propertyOf(value, '~standard'), 'validate') === 'function';

/** @throws `strapi/invalid-call` unless the value is a schema */
export function assertSchema(value: unknown, call: string): Schema {
  if (isSchema(value)) return value;
  throw createError('strapi/invalid-call', {
    call,
    reason: "must be a schema, such as z.object of the package '@strapi/utils'",
  });
}

/**
 * Returns the JSON Schema of a schema. Schemas print themselves since zod 4.2; `z` prints older ones.
 *
 * @throws `strapi/invalid-call` unless it describes an object, and errors of the library
 */
export function printSchema(
  schema: Schema,
  side: 'input' | 'output',
  { z, call }: { readonly z: () => unknown; readonly call: string },
): Readonly<Record<string, unknown>> {
  const own = propertyOf(propertyOf(schema['~standard'], 'jsonSchema'), side);
  const print = propertyOf(own === undefined ? z() : undefined, 'toJSONSchema');
  const printed: unknown =
    typeof own === 'function'
      ? own({ target: 'draft-2020-12' })
      : typeof print === 'function'
        ? print(schema, { io: side })
        : null;
  if (isRecord(printed) && printed['type'] === 'object') return printed;
  throw createError('strapi/invalid-call', {
    call,
    reason: printed === null ? 'needs zod 4; run: npm install zod' : 'must describe an object',
  });
}

const printIssue = ({ message, path = [] }: Issue): string => {
  const names = path.map((part) => String(typeof part === 'object' ? part.key : part));
  return names.length === 0 ? message : `${names.join('.')}: ${message}`;
};

/** Returns the parsed value, or the problems as text. */
export async function parseWith(
  schema: Schema,
  value: unknown,
): Promise<{ readonly value: unknown; readonly problems: null } | { readonly problems: string }> {
  const result = await schema['~standard'].validate(value);
  return result.issues === undefined || result.issues.length === 0
    ? { value: 'value' in result ? result.value : value, problems: null }
    : { problems: result.issues.map(printIssue).join('; ') };
}
