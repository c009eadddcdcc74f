import { isWrittenAsJson, parseAttributeText } from '../store/document-text.js';
import { createError } from '../../errors/catalogue.js';
import { isRecord } from '../../lib/records.js';
import { didYouMean } from '../../lib/nearest.js';
import { componentOf } from '../../model/lookup.js';
import type { Attribute, ContentModel, ContentSchema, ContentType } from '../../model/model.js';
import { REASON_COLUMN } from './table.js';

/** The column of documentIds, which is not an attribute. */
const DOCUMENT_ID = 'documentId';

/** The attribute to which the values of a column are written. */
export interface ColumnTarget {
  readonly column: string;
  /** The attribute, or the attributes of single components that lead to it. */
  readonly path: readonly string[];
  /** Null: the documentId. */
  readonly attribute: Attribute | null;
}

/** Mapping from columns to attributes. */
export interface ColumnMapping {
  /** Returns null for a skipped column. */
  readonly targetOf: (column: string) => ColumnTarget | null;
}

const attributeNamed = ({ attributes }: ContentSchema, name: string): Attribute | undefined =>
  Object.hasOwn(attributes, name)
    ? attributes[name]
    : Object.values(attributes).find((attribute) => attribute.name.toLowerCase() === name.toLowerCase());

const findTarget = (model: ContentModel, type: ContentType, column: string): ColumnTarget | null => {
  if (column === DOCUMENT_ID) return { column, path: [DOCUMENT_ID], attribute: null };
  let schema: ContentSchema | null = type;
  const path: string[] = [];
  let attribute: Attribute | undefined;
  for (const name of column.split('.')) {
    attribute = schema === null ? undefined : attributeNamed(schema, name);
    if (attribute === undefined) return null;
    path.push(attribute.name);
    schema =
      attribute.family === 'component' && !attribute.repeatable
        ? componentOf(model, attribute.component)
        : null;
  }
  return attribute === undefined ? null : { column, path, attribute };
};

const parseMap = (text: string): readonly [column: string, path: string] => {
  const at = text.lastIndexOf('=');
  if (at > 0) return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
  throw createError('cli/invalid-usage', {
    reason: `--map ${text} names no attribute.`,
    remedy: "Write it as column=attribute: --map 'Name=name'. To skip a column, end with =.",
  });
};

const unknownAttribute = (type: ContentType, path: string): Error => {
  const names = [DOCUMENT_ID, ...Object.keys(type.attributes)];
  const remedy = didYouMean(path, names, `${type.uid} has ${names.join(', ')}.`);
  return createError('cli/unknown-name', { kind: 'attribute', name: `${path} in ${type.uid}`, remedy });
};

/**
 * Creates the mapping of columns: by `--map`, otherwise to the attribute of the same name, ignoring case.
 *
 * @throws `cli/invalid-usage`, `cli/unknown-name`
 */
export function createColumnMapping(
  model: ContentModel,
  type: ContentType,
  maps: readonly string[],
): ColumnMapping {
  const targets = new Map<string, ColumnTarget | null>([[REASON_COLUMN, null]]);
  for (const [column, path] of maps.map(parseMap)) {
    const target = path === '' ? null : findTarget(model, type, path);
    if (path !== '' && target === null) throw unknownAttribute(type, path);
    targets.set(column, target === null ? null : { ...target, column });
  }
  return {
    targetOf: (column) => {
      const known = targets.get(column);
      if (known !== undefined) return known;
      const target = findTarget(model, type, column);
      targets.set(column, target);
      return target;
    },
  };
}

/**
 * Checks that a table has the columns that `--map` names.
 *
 * @throws `cli/unknown-name` with the nearest column
 */
export function assertMappedColumns(columns: readonly string[], maps: readonly string[]): void {
  for (const [column] of maps.map(parseMap))
    if (!columns.includes(column)) {
      const remedy = didYouMean(column, columns, `The columns are ${columns.join(', ')}.`);
      throw createError('cli/unknown-name', { kind: 'column', name: column, remedy });
    }
}

type Data = Record<string, unknown>;

/** Converts the value of a cell. In JSON, text is converted only for attributes that JSON has no type for. */
const readValue = (attribute: Attribute | null, value: unknown, isJson: boolean): unknown => {
  if (attribute === null || typeof value !== 'string') return value;
  if (value === '') return null;
  return isJson && isWrittenAsJson(attribute) ? value : parseAttributeText(attribute, value);
};

const place = (data: Data, [name = '', ...rest]: readonly string[], value: unknown): void => {
  if (rest.length === 0) {
    data[name] = value;
    return;
  }
  const inner = isRecord(data[name]) ? data[name] : {};
  data[name] = inner;
  place(inner, rest, value);
};

const withoutEmptyComponents = (data: Data): Data =>
  Object.fromEntries(
    Object.entries(data).map(([name, value]) => [
      name,
      isRecord(value) && Object.values(value).every((inner) => inner === null) ? null : value,
    ]),
  );

/** Thrown for an invalid value, with the reason. */
export class InvalidValue extends Error {
  override readonly name = 'InvalidValue';
}

/**
 * Returns the data of a row. Empty cells become null.
 *
 * @throws InvalidValue
 */
export function toData(
  { targetOf }: ColumnMapping,
  values: Readonly<Record<string, unknown>>,
  isJson: boolean,
): Readonly<Record<string, unknown>> {
  const data: Data = {};
  let isNested = false;
  for (const [column, value] of Object.entries(values)) {
    const target = targetOf(column);
    if (target === null) continue;
    isNested ||= target.path.length > 1;
    try {
      place(data, target.path, readValue(target.attribute, value, isJson));
    } catch (error) {
      throw new InvalidValue(`${column}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return isNested ? withoutEmptyComponents(data) : data;
}

/** Returns the text by which keys are compared. */
export function keyText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
