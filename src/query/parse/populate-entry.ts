import type { ContentSchema } from '../../model/model.js';
import type { PopulateOptions } from './populate-request.js';
import type { Selection } from '../query.js';
import { keysOf } from '../raw-values.js';
import type { QueryLocation, ReadContext } from '../read-context.js';
import { descend, invalidKey } from '../read-context.js';

/** The options of a populated component, and of each variant of a dynamic zone. */
export const SELECTION_OPTIONS: readonly string[] = ['fields', 'populate'];

/** One attribute to populate. `key` is its name in the response, which a client may choose. */
export interface PopulateEntry {
  readonly attribute: string;
  readonly key: string;
  readonly options: PopulateOptions;
}

/** An entry that is being parsed. */
export interface EntryContext {
  readonly context: ReadContext;
  /** The location of the schema that has the attribute. */
  readonly location: QueryLocation;
  readonly entry: PopulateEntry;
  /** Parses the selection of what is populated. Passed along because it leads back to entries. */
  readonly parseSelection: (
    context: ReadContext,
    location: QueryLocation,
    options: PopulateOptions,
  ) => Selection;
}

/** Returns the location of the attribute's target, one level deeper. */
export const descendTo = ({ context, location, entry }: EntryContext, schema: ContentSchema): QueryLocation =>
  descend(location, entry.attribute, { schema, limit: context.limits.populateDepth });

/** @throws `request/invalid-parameter` for an option that is not allowed. */
export const checkOptions = (
  { rawOptions }: PopulateOptions,
  allowed: readonly string[],
  location: QueryLocation,
): void => {
  const unknown = keysOf(rawOptions).find((key) => !allowed.includes(key));
  if (unknown !== undefined)
    throw invalidKey(location, unknown, `there is no such option here; allowed are ${allowed.join(', ')}.`);
};

/** Checks the options, then descends to the target. */
export const enterTarget = (
  entryContext: EntryContext,
  schema: ContentSchema,
  allowed: readonly string[],
): QueryLocation => {
  const location = descendTo(entryContext, schema);
  checkOptions(entryContext.entry.options, allowed, location);
  return location;
};
