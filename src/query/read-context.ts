import { fail } from '../errors/catalogue.js';
import type { GalleyError } from '../errors/galley-error.js';
import { nearest } from '../lib/nearest.js';
import type { AttributeHolder, ContentModel, ContentType, Uid } from '../model/model.js';
import type { QueryLimits, ReadAccess } from './query.js';
import { shorten } from './raw-values.js';

/** Deepest nesting of logic, relations and components in one filter or sort. */
export const MAX_NESTING = 20;

/** What all parts of one request's parsing share. */
export interface ReadContext {
  readonly model: ContentModel;
  readonly access: ReadAccess;
  readonly limits: QueryLimits;
  /** Counts one populated attribute, filter condition or sort key; throws `request/query-too-large` beyond `limits.maxNodes`. */
  readonly spend: () => void;
}

/** Where in the request the parser is: whose attributes the keys name, the path for messages, and how deep. */
export interface Place {
  readonly holder: AttributeHolder;
  readonly path: string;
  readonly depth: number;
}

export type ContextOptions = Pick<ReadContext, 'access' | 'limits'>;

/** Starts the count of one request. */
export function createReadContext(model: ContentModel, { access, limits }: ContextOptions): ReadContext {
  let spent = 0;
  const spend = (): void => {
    spent += 1;
    if (spent > limits.maxNodes) throw fail('request/query-too-large', { limit: limits.maxNodes });
  };
  return { model, access, limits, spend };
}

/** The type of that uid; a caller that names none is a mistake in the toolkit, not the client's. */
export function typeOf(model: ContentModel, uid: Uid): ContentType {
  const type = model.typesByUid[uid];
  if (type === undefined) throw fail('server/internal', {}, { cause: new TypeError(`No content type ${uid}`) });
  return type;
}

/** A key of the request at `place`, without going deeper. */
export function locate(place: Place, key: string): Place {
  return { ...place, path: place.path === '' ? shorten(key) : `${place.path}.${shorten(key)}` };
}

/** One level further in, under that key of the request; throws `request/query-too-deep` beyond {@link MAX_NESTING}. */
export function enter(place: Place, key: string, holder: AttributeHolder = place.holder): Place {
  return descend(place, key, { holder, limit: MAX_NESTING });
}

/** As {@link enter}, with a limit of its own. */
export function descend(place: Place, key: string, { holder, limit }: { readonly holder: AttributeHolder; readonly limit: number }): Place {
  if (place.depth >= limit) throw fail('request/query-too-deep', { parameter: place.path, limit });
  return { holder, path: locate(place, key).path, depth: place.depth + 1 };
}

/** The error for a parameter that can't be understood. `reason` is a sentence. */
export function refuse(parameter: string, reason: string): GalleyError {
  return fail('request/invalid-parameter', { parameter, reason });
}

/** The error for a name the holder has not, or does not show. */
export function refuseName({ holder, path }: Place, name: string, known: Iterable<string>): GalleyError {
  const near = name.length > 100 ? undefined : nearest(name, known);
  // A name that is there, but not for this use, is no help.
  const meant = near === name ? undefined : near;
  const owner = 'singularName' in holder ? holder.singularName : holder.uid;
  return refuse(`${path}.${shorten(name)}`, `${owner} has no such attribute here.${meant === undefined ? '' : ` Did you mean ${meant}?`}`);
}
