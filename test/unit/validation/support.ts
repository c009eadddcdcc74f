import { isGalleyError } from '../../../src/errors/galley-error.js';
import type { GalleyError } from '../../../src/errors/galley-error.js';
import type { StoredScalar } from '../../../src/lib/stored-value.js';
import type { ContentModel, ContentType } from '../../../src/model/model.js';
import { compileInput } from '../../../src/validation/compile-input.js';
import type { InputAccess, ParseContext, ParsedInput } from '../../../src/validation/input.js';

export type ContextLiteral = Partial<Omit<ParseContext, 'stored'>> & { readonly stored?: Readonly<Record<string, StoredScalar>>; readonly access?: InputAccess };

export function typeNamed(model: ContentModel, name: string): ContentType {
  const type = model.types.find(({ singularName }) => singularName === name);
  if (type === undefined) throw new Error(`No type ${name}`);
  return type;
}

/** Reads data as a new document's, strictly, unless the context says otherwise; component ids count up from 1001. */
export async function read(model: ContentModel, name: string, data: unknown, { stored, access, ...context }: ContextLiteral = {}): Promise<ParsedInput> {
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

/** The error a write is refused with; fails where it is accepted or the error is not the catalogue's. */
export async function refusal(work: Promise<unknown>): Promise<GalleyError> {
  const outcome = await work.then(() => null).catch((error: unknown) => error);
  if (!isGalleyError(outcome)) throw new Error('was not refused', { cause: outcome });
  return outcome;
}

/** `request/invalid-key`, or the paths at fault. */
export async function faultsOf(work: Promise<unknown>): Promise<string | readonly string[]> {
  const error = await refusal(work);
  return error.details.errors === undefined ? error.code : error.details.errors.map(({ path }) => path.join('.'));
}
