import { completeTime } from '../../model/fields/date-value.js';
import { isExactNumber, parseExactJson } from '../../lib/exact-json.js';
import type { Attribute } from '../../model/model.js';

const NUMBERS: ReadonlySet<string> = new Set(['integer', 'float', 'decimal']);
const TEXTS: ReadonlySet<string> = new Set(['string', 'text', 'richtext', 'email', 'uid', 'password']);
const JSON_TYPES: ReadonlySet<string> = new Set(['json', 'blocks', 'component', 'dynamiczone']);

const isMany = (attribute: Attribute): boolean =>
  (attribute.family === 'relation' || attribute.family === 'media') && attribute.many;

/** True if texts of values of an attribute are JSON. */
export function isWrittenAsJson({ type }: Attribute): boolean {
  return JSON_TYPES.has(type);
}

/**
 * Parses the text form of an attribute's value. Lists of links are separated by commas. An empty text is
 * null, except for attributes of text. Text that is not valid for the type is returned unchanged: validation
 * reports it.
 *
 * @throws SyntaxError if the text must be JSON and is not
 */
export function valueOfText(attribute: Attribute, text: string): unknown {
  if (TEXTS.has(attribute.type)) return text;
  if (isMany(attribute) && !text.startsWith('['))
    return text.split(',').flatMap((item) => (item.trim() === '' ? [] : [item.trim()]));
  if (text === '') return null;
  const isObject = attribute.family === 'relation' && /^[[{]/.test(text);
  if (isObject || isWrittenAsJson(attribute)) return parseExactJson(text);
  if (attribute.type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  if (NUMBERS.has(attribute.type) && isExactNumber(text.trim())) return Number(text);
  return attribute.type === 'time' ? completeTime(text) : text;
}
