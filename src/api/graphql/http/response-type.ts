export const JSON_TYPE = 'application/json';
const RESPONSE_TYPE = 'application/graphql-response+json';

/** The media type of a response to an operation. */
export type ResponseType = typeof JSON_TYPE | typeof RESPONSE_TYPE;

/** The values of `Content-Type`. */
export const CONTENT_TYPES: Readonly<Record<ResponseType, string>> = {
  [JSON_TYPE]: `${JSON_TYPE}; charset=utf-8`,
  [RESPONSE_TYPE]: `${RESPONSE_TYPE}; charset=utf-8`,
};

const NAMES_RESPONSE_TYPE = /graphql-response/i;

interface Preference {
  readonly quality: number;
  readonly index: number;
  readonly isExact: boolean;
}

const qualityOf = (parameters: readonly string[]): number => {
  const quality = parameters.map((parameter) => /^q=([\d.]+)$/i.exec(parameter.trim())?.[1]).find(Boolean);
  return quality === undefined ? 1 : Number(quality);
};

/** Returns how much the client prefers a type by the `Accept` header, or null if it does not accept it. */
const preferenceOf = (accept: string, type: ResponseType): Preference | null => {
  const ranges = accept.split(',').map((range, index) => {
    const [name = '', ...parameters] = range.split(';');
    return { name: name.trim().toLowerCase(), quality: qualityOf(parameters), index };
  });
  const exact = ranges.find(({ name }) => name === type);
  const range = exact ?? ranges.find(({ name }) => name === 'application/*' || name === '*/*');
  return range === undefined || range.quality === 0
    ? null
    : { quality: range.quality, index: range.index, isExact: exact !== undefined };
};

/**
 * Returns the media type in which a client wants its response. `application/json`, unless the header `Accept`
 * names the type of GraphQL over HTTP and prefers it.
 */
export function responseTypeOf(accept = ''): ResponseType {
  if (!NAMES_RESPONSE_TYPE.test(accept)) return JSON_TYPE;
  const [response, json] = [preferenceOf(accept, RESPONSE_TYPE), preferenceOf(accept, JSON_TYPE)];
  if (response?.isExact !== true) return JSON_TYPE;
  if (json === null || response.quality > json.quality) return RESPONSE_TYPE;
  const isFirst = !json.isExact || response.index < json.index;
  return response.quality === json.quality && isFirst ? RESPONSE_TYPE : JSON_TYPE;
}
