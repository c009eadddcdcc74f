import { isGalleyError } from '../../../../src/errors/galley-error.js';
import type { GalleyError } from '../../../../src/errors/galley-error.js';
import type { StoredScalar } from '../../../../src/lib/stored-value.js';
import type { ContentModel, ContentType } from '../../../../src/model/model.js';
import { compileInput } from '../../../../src/documents/validation/compile-input.js';
import type { InputAccess, ParseContext, ParsedInput } from '../../../../src/documents/validation/input.js';

export type ContextLiteral = Partial<Omit<ParseContext, 'stored'>> & {
  readonly stored?: Readonly<Record<string, StoredScalar>>;
  readonly access?: InputAccess;
};

function typeNamed(model: ContentModel, name: string): ContentType {
  const type = model.types.find(({ singularName }) => singularName === name);
  if (type === undefined) throw new Error(`No type ${name}`);
  return type;
}

/** Parses data, by default for a new published document. Component ids count up from 1001. */
export async function parseInput(
  model: ContentModel,
  name: string,
  data: unknown,
  { stored, access, ...context }: ContextLiteral = {},
): Promise<ParsedInput> {
  let last = 1000;
  const input = compileInput(model, typeNamed(model, name));
  return input.parse(await input.prepare(data, access), {
    strictness: 'full',
    isNew: stored === undefined,
    isKnownComponent: () => false,
    newComponentId: () => (last += 1),
    ...context,
    stored: new Map(Object.entries(stored ?? {})),
  });
}

/** Returns the error of a refused write. Throws if it is accepted, or on an error outside the catalogue. */
export async function errorOf(work: Promise<unknown>): Promise<GalleyError> {
  const outcome = await work.then(() => null).catch((error: unknown) => error);
  if (!isGalleyError(outcome)) throw new Error('was not refused', { cause: outcome });
  return outcome;
}

/** Returns the paths of invalid values, or an error code such as `request/invalid-key` if there are none. */
export async function issuesOf(work: Promise<unknown>): Promise<string | readonly string[]> {
  const error = await errorOf(work);
  return error.details.errors === undefined
    ? error.code
    : error.details.errors.map(({ path }) => path.join('.'));
}
