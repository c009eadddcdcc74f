import { completeTime } from '../fields/date-value.js';
import { isExactNumber, parseExactJson } from '../lib/exact-json.js';
import type { Attribute } from '../model/model.js';

const NUMBERS: ReadonlySet<string> = new Set(['integer', 'float', 'decimal']);
const TEXTS: ReadonlySet<string> = new Set(['string', 'text', 'richtext', 'email', 'uid', 'password']);
const JSON_TYPES: ReadonlySet<string> = new Set(['json', 'blocks', 'component', 'dynamiczone']);

const isMany = (attribute: Attribute): boolean =>
  (attribute.family === 'relation' || attribute.family === 'media') && attribute.many;

/** Whether texts of values of an attribute are JSON. */
export function isWrittenAsJson({ type }: Attribute): boolean {
  return JSON_TYPES.has(type);
}

/**
 * Reads a value that is written as text, as its attribute's type writes it: lists of links separated by
 * commas. An empty text is no value, except of texts. What does not fit is returned as it is: validation says
 * what is wrong.
 *
 * @throws SyntaxError where it has to be JSON and is not
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
