import { snakeCase } from '../lib/casing.js';
import { isRecord } from '../lib/is-record.js';
import type { JsonPath } from '../lib/located-json.js';
import { nearest } from '../lib/nearest.js';
import { isAttributeName, RESERVED_ATTRIBUTE_NAMES, reservedFor } from './attribute-names.js';
import { checkOptionForms } from './attribute-options.js';
import { ATTRIBUTE_TYPE_NAMES } from './attribute-types.js';
import { customFieldBase } from './custom-fields.js';
import type { AttributeDefinition } from './definition.js';
import type { FileProblems } from './file-problems.js';

export type HolderKind = 'type' | 'component';

const checkName = (name: string, holder: HolderKind, problems: FileProblems): void => {
  const place = { path: ['attributes', name], attribute: name };
  if (!isAttributeName(name)) {
    problems.add({
      ...place, code: 'invalid-name', message: `"${name}" is no attribute name: letters, digits, _ and - only, a letter or _ first`,
      allowed: ['letters, digits, _ and -, a letter or _ first'],
    });
    return;
  }
  const reserved = reservedFor(name);
  if (reserved === null) return;
  const harmless = reserved === 'in-types' && holder === 'component';
  problems.add({
    ...place, severity: harmless ? 'warning' : 'error', code: 'reserved-name',
    message: `the attribute name "${name}" is kept for the system; choose another (these are taken: ${RESERVED_ATTRIBUTE_NAMES.join(', ')})`,
  });
};

const checkDistinct = (names: readonly string[], problems: FileProblems): void => {
  const seen = new Map<string, string>();
  for (const name of names) {
    const column = snakeCase(name);
    const other = seen.get(column);
    if (other === undefined) seen.set(column, name);
    else problems.add({ code: 'duplicate-name', path: ['attributes', name], attribute: name, message: `"${name}" and "${other}" are one name to the database (${column}); rename one` });
  }
};

/** The type an attribute acts as: its own, or the base type of its custom field. Null: nothing usable is there. */
const readType = (name: string, value: Readonly<Record<string, unknown>>, problems: FileProblems): string | null => {
  const { type, customField } = value;
  const place = { path: ['attributes', name, 'type'], attribute: name };
  if (typeof type !== 'string') {
    problems.add({ ...place, code: 'missing-type', message: 'the attribute has no "type"', allowed: ATTRIBUTE_TYPE_NAMES });
    return null;
  }
  if (type !== 'customField') {
    if (ATTRIBUTE_TYPE_NAMES.includes(type)) return type;
    const meant = nearest(type, ATTRIBUTE_TYPE_NAMES);
    problems.add({ ...place, code: 'unknown-type', message: `there is no attribute type "${type}"${meant === undefined ? '' : `. Did you mean "${meant}"?`}`, allowed: ATTRIBUTE_TYPE_NAMES });
    return type;
  }
  if (typeof customField !== 'string' || customField === '') {
    problems.add({ ...place, code: 'missing-option', message: 'a custom field needs "customField", the name of the field' });
    return null;
  }
  const base = customFieldBase(customField);
  if (!base.known) problems.add({ ...place, severity: 'warning', code: 'unknown-custom-field', message: `the custom field ${customField} is not known here; the attribute acts as ${base.type}` });
  return base.type;
};

const parseAttribute = (name: string, value: unknown, problems: FileProblems, lineOf: (path: JsonPath) => number): AttributeDefinition | null => {
  if (!isRecord(value)) {
    problems.add({ code: 'invalid-attribute', path: ['attributes', name], attribute: name, message: 'an attribute must be an object with a "type"' });
    return null;
  }
  const type = readType(name, value, problems);
  if (type === null) return null;
  const { type: _written, ...options } = value;
  const optionLines = Object.fromEntries(['type', ...Object.keys(options)].map((option) => [option, lineOf(['attributes', name, option])]));
  const attribute: AttributeDefinition = { name, type, options, line: lineOf(['attributes', name]), optionLines };
  if (ATTRIBUTE_TYPE_NAMES.includes(type)) checkOptionForms(attribute, problems);
  return attribute;
};

/** Reads `attributes` of a file. What cannot be an attribute at all is reported and left out; one of an unknown type is reported and kept. */
export function parseAttributes(value: unknown, holder: HolderKind, problems: FileProblems, lineOf: (path: JsonPath) => number): readonly AttributeDefinition[] {
  if (!isRecord(value)) {
    problems.add({ code: value === undefined ? 'missing-key' : 'invalid-value', path: ['attributes'], message: '"attributes" must be an object with the attributes by name' });
    return [];
  }
  const names = Object.keys(value);
  for (const name of names) checkName(name, holder, problems);
  checkDistinct(names, problems);
  return names.flatMap((name) => parseAttribute(name, value[name], problems, lineOf) ?? []);
}
