import { isDeepStrictEqual } from 'node:util';
import type { SchemaChange } from '../../model/content-types/definition.js';
import { isRecord } from '../../lib/is-record.js';

type Values = Readonly<Record<string, unknown>>;

/** The module that changes a schema. */
interface ChangingModule {
  /** Relative to the project. */
  readonly file: string;
  readonly text: string;
}

const attributesOf = (schema: Values): Values => (isRecord(schema['attributes']) ? schema['attributes'] : {});

const changedKeys = (before: Values, after: Values): readonly string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (key) => !isDeepStrictEqual(before[key], after[key]),
  );

/** The line in which a text mentions a name first, or the first one. */
const lineOf = (text: string, name: string): number => {
  const index = text.split(/\n/).findIndex((line) => line.split(/[^\w$-]+/).includes(name));
  return Math.max(index, 0) + 1;
};

/** Says what differs between two states of a content-type's schema. Null: nothing does. */
export function findSchemaChange(
  uid: string,
  { before, after }: { readonly before: Values; readonly after: Values },
  { file, text }: ChangingModule,
): SchemaChange | null {
  const attributes = attributesOf(after);
  const names = changedKeys(attributesOf(before), attributes);
  const keys = changedKeys(before, after).filter((key) => key !== 'attributes');
  if (names.length + keys.length === 0) return null;
  return {
    uid,
    file,
    lines: Object.fromEntries(names.map((name) => [name, lineOf(text, name)])),
    attributes: Object.fromEntries(names.map((name) => [name, attributes[name] ?? null])),
    settings: Object.fromEntries(keys.map((key) => [key, after[key]])),
  };
}
