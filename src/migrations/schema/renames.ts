import type { MigrationDialect } from '../../database/dialect/dialect.js';
import { joinClauses, quoteName } from '../../database/dialect/sql-text.js';
import { createError } from '../../errors/catalogue.js';
import { defined } from '../../lib/assert.js';
import { truncateToBytes } from '../../lib/names.js';
import type { Tables } from './schema-tables.js';
import {
  hasMapArgument,
  parseAttributes,
  parseBlocks,
  readFieldList,
  readMappedName,
  replaceAttribute,
} from './schema-text.js';
import type { Attribute, Block } from './schema-text.js';

/** Rename of a table. Names are those of the database, as `@@map` and `@map` declare them. */
interface TableRename {
  readonly kind: 'table';
  readonly from: string;
  readonly to: string;
}

/** Rename of a column. `table` is the name of the table after all earlier renames. */
interface ColumnRename {
  readonly kind: 'column';
  readonly table: string;
  readonly from: string;
  readonly to: string;
}

export type Rename = TableRename | ColumnRename;

export interface RenamedSchema {
  readonly text: string;
  /** The statements that rename tables and columns in the database. Constraints keep their names. */
  readonly sql: readonly string[];
}

const isSameNamespace = (left: Rename, right: Rename): boolean =>
  left.kind === 'table' ? right.kind === 'table' : right.kind === 'column' && right.table === left.table;

const isFree = (rename: Rename, pending: readonly Rename[]): boolean =>
  !pending.some((other) => other !== rename && isSameNamespace(rename, other) && other.from === rename.to);

/**
 * Orders renames so that each new name is free when its rename runs: tables first, then columns. If names are
 * swapped, one gets a temporary name.
 *
 * @param renames columns name their table by its name after the renames
 */
export function sequenceRenames(renames: readonly Rename[]): readonly Rename[] {
  const sequence: Rename[] = [];
  let pending = renames.toSorted(
    (left, right) => Number(left.kind === 'column') - Number(right.kind === 'column'),
  );
  for (let rename = pending[0]; rename !== undefined; rename = pending[0]) {
    const next = pending.find((candidate) => isFree(candidate, pending));
    if (next !== undefined) {
      sequence.push(next);
      pending = pending.filter((candidate) => candidate !== next);
      continue;
    }
    const waiting = `${rename.from}_renamed`;
    sequence.push({ ...rename, to: waiting });
    pending = [{ ...rename, from: waiting }, ...pending.slice(1)];
  }
  return sequence;
}

/**
 * Returns the renames in an order in which each new name is free. If the given order does not do this, tables
 * or columns swap names. All names are then those before the first and after the last rename.
 */
export function orderRenames(tables: Tables, renames: readonly Rename[]): readonly Rename[] {
  const columns = new Map([...tables].map(([name, table]) => [name, new Set(table.columns.keys())]));
  for (const rename of renames) {
    const taken = rename.kind === 'table' ? columns : columns.get(rename.table);
    if (taken?.has(rename.to) === true) return sequenceRenames(renames);
    if (rename.kind === 'table') {
      columns.set(rename.to, columns.get(rename.from) ?? new Set());
      columns.delete(rename.from);
    } else columns.get(rename.table)?.add(rename.to).delete(rename.from);
  }
  return renames;
}

/** A table (`column` is null) or a column, by the names of the database. */
interface Location {
  readonly table: string;
  readonly column: string | null;
}

/** Returns the names of a table or column after the renames, which are applied in order. */
function renamedLocation(table: string, column: string | null, renames: readonly Rename[]): Location {
  let location: Location = { table, column };
  for (const rename of renames) {
    if (rename.kind === 'table' && location.table === rename.from)
      location = { ...location, table: rename.to };
    if (rename.kind === 'column' && location.table === rename.table && location.column === rename.from)
      location = { ...location, column: rename.to };
  }
  return location;
}

/** Returns the name of a table after the renames. */
export function renamedTable(table: string, renames: readonly Rename[]): string {
  return renamedLocation(table, null, renames).table;
}

/** Returns the name of a column after the renames. `table` is the name of its table before them. */
export function renamedColumn(table: string, column: string, renames: readonly Rename[]): string {
  return renamedLocation(table, column, renames).column ?? column;
}

/** Returns the renames that revert these. */
export function reverseRenames(renames: readonly Rename[]): readonly Rename[] {
  return renames.toReversed().map((rename) => ({ ...rename, from: rename.to, to: rename.from }));
}

/** Returns the name that a table had before the renames. */
export function originalTable(table: string, renames: readonly Rename[]): string {
  return renamedTable(table, reverseRenames(renames));
}

/** Returns the name that a column had before the renames. `table` is the name of its table after them. */
export function originalColumn(table: string, column: string, renames: readonly Rename[]): string {
  return renamedColumn(table, column, reverseRenames(renames));
}

type NamingDialect = Pick<MigrationDialect, 'schema' | 'migrations'>;

interface Field {
  readonly line: number;
  readonly name: string;
  readonly column: string;
  readonly attributes: readonly Attribute[];
}

/** A model of the schema, with the positions of its lines. */
interface Model {
  readonly block: Block;
  readonly table: string;
  readonly fields: readonly Field[];
}

const FIELD_PATTERN = /^\s*([A-Za-z]\w*)\s+(\w+)/;

/** Reads the models of a schema. */
export const readModels = (lines: readonly string[]): readonly Model[] => {
  const blocks = parseBlocks(lines).filter(({ keyword }) => keyword === 'model');
  const modelNames = new Set(blocks.map(({ name }) => name));
  return blocks.map((block): Model => {
    const bodyLines = lines.slice(block.start + 1, block.end).map((line, index) => ({
      line: block.start + 1 + index,
      text: line,
      attributes: parseAttributes(line),
    }));
    const mapped = bodyLines.flatMap(({ attributes }) => attributes.filter(({ name }) => name === '@@map'));
    const fields = bodyLines.flatMap(({ line, text, attributes }): readonly Field[] => {
      const [, name, type] = FIELD_PATTERN.exec(text) ?? [];
      if (name === undefined || type === undefined) return [];
      const column = modelNames.has(type)
        ? ''
        : (readMappedName(attributes.find((attribute) => attribute.name === '@map')) ?? name);
      return [{ line, name, column, attributes }];
    });
    return { block, table: readMappedName(mapped[0]) ?? block.name, fields };
  });
};

const schemaLine = (lines: readonly string[], index: number): string =>
  defined(lines[index], `Line ${index + 1} of the schema`);

const CONSTRAINT_SUFFIXES: Readonly<Record<string, string>> = {
  '@unique': '_key',
  '@@unique': '_key',
  '@@index': '_idx',
  '@id': '_pkey',
  '@@id': '_pkey',
  '@relation': '_fkey',
};
/** Attributes of keys, which have no names on some databases. */
const KEY_ATTRIBUTES: ReadonlySet<string> = new Set(['@id', '@@id', '@relation']);

/** Returns the name that Prisma uses for a constraint without a name in the schema. */
const defaultConstraintName = (parts: readonly string[], suffix: string, maxBytes: number): string =>
  truncateToBytes(parts.join('_'), maxBytes - suffix.length) + suffix;

const constraintColumns = (
  attribute: Attribute,
  field: Field | undefined,
  model: Model,
): readonly string[] => {
  if (attribute.name === '@id' || attribute.name === '@@id') return [];
  if (attribute.name === '@unique') return field === undefined ? [] : [field.column];
  return readFieldList(attribute).map(
    (name) => model.fields.find((candidate) => candidate.name === name)?.column ?? name,
  );
};

/**
 * Writes the names of indexes and constraints into the old schema. After a column is renamed, they still have
 * the names that Prisma derived from the old column. The schema engine then sees the difference and renames
 * them.
 */
const pinConstraintNames = (
  lines: string[],
  model: Model,
  { schema: { namesConstraints }, migrations }: NamingDialect,
): void => {
  for (let index = model.block.start + 1; index < model.block.end; index++) {
    const field = model.fields.find(({ line }) => line === index);
    const attribute = parseAttributes(schemaLine(lines, index)).find((candidate) => {
      if (CONSTRAINT_SUFFIXES[candidate.name] === undefined || hasMapArgument(candidate)) return false;
      if (candidate.name === '@relation' && !/\bfields\s*:/.test(candidate.args ?? '')) return false;
      return namesConstraints || !KEY_ATTRIBUTES.has(candidate.name);
    });
    if (attribute === undefined) continue;
    const name = defaultConstraintName(
      [model.table, ...constraintColumns(attribute, field, model)],
      defined(CONSTRAINT_SUFFIXES[attribute.name], `The suffix of ${attribute.name}`),
      migrations.maxNameBytes,
    );
    const args = [
      ...(attribute.args === null || attribute.args.trim() === '' ? [] : [attribute.args]),
      `map: ${JSON.stringify(name)}`,
    ];
    lines[index] = replaceAttribute(
      schemaLine(lines, index),
      attribute,
      `${attribute.name}(${args.join(', ')})`,
    );
  }
};

const printName = (rename: Rename, name: string): string =>
  rename.kind === 'table' ? name : `${rename.table}.${name}`;

const invalidRename = (rename: Rename, reason: string) =>
  createError('migration/invalid-rename', {
    from: printName(rename, rename.from),
    to: printName(rename, rename.to),
    reason,
  });

const renameTable = (lines: string[], rename: TableRename, dialect: NamingDialect): string => {
  const models = readModels(lines);
  const model = models.find(({ table }) => table === rename.from);
  if (model === undefined) throw invalidRename(rename, `there is no table ${rename.from}`);
  if (models.some(({ table }) => table === rename.to))
    throw invalidRename(rename, `there is a table ${rename.to} already`);
  pinConstraintNames(lines, model, dialect);
  const mapping = `@@map(${JSON.stringify(rename.to)})`;
  const mapLine = lines.findIndex(
    (line, index) =>
      index > model.block.start && index < model.block.end && parseAttributes(line)[0]?.name === '@@map',
  );
  const attribute = mapLine === -1 ? undefined : parseAttributes(schemaLine(lines, mapLine))[0];
  if (attribute === undefined) lines.splice(model.block.end, 0, `  ${mapping}`);
  else lines[mapLine] = replaceAttribute(schemaLine(lines, mapLine), attribute, mapping);
  return `ALTER TABLE ${quoteName(rename.from)} RENAME TO ${quoteName(rename.to)};`;
};

/** Inserts an attribute after the type of a field line: `title String?` becomes `title String? @map("…")`. */
const insertAfterType = (line: string, attribute: string): string => {
  const [fieldStart] = /^\s*[A-Za-z]\w*\s+\w+(?:\[\]|\?)?/.exec(line) ?? [];
  const end = defined(fieldStart, 'The name and type of a field').length;
  return `${line.slice(0, end)} ${attribute}${line.slice(end)}`;
};

/** Renames a field of a model, since Prisma rejects a column with the name of another field. */
const renameField = (lines: string[], { block, fields }: Model, field: Field): void => {
  let name = `${field.name}_`;
  while (fields.some((other) => other.name === name)) name += '_';
  const pattern = new RegExp(String.raw`\b${field.name}\b`, 'g');
  for (let index = block.start + 1; index < block.end; index++) {
    const line = schemaLine(lines, index);
    if (line.trimStart().startsWith('//')) continue;
    const named = index === field.line ? line.replace(field.name, name) : line;
    lines[index] = named.replaceAll(/\[[^\]]*\]/g, (list) => list.replaceAll(pattern, name));
  }
};

const renameColumn = (lines: string[], rename: ColumnRename, dialect: NamingDialect): string => {
  const model = readModels(lines).find(({ table }) => table === rename.table);
  if (model === undefined) throw invalidRename(rename, `there is no table ${rename.table}`);
  const field = model.fields.find(({ column }) => column === rename.from);
  if (field === undefined) throw invalidRename(rename, `${rename.table} has no column ${rename.from}`);
  if (model.fields.some(({ column }) => column === rename.to))
    throw invalidRename(rename, `${rename.table} has a column ${rename.to} already`);
  pinConstraintNames(lines, model, dialect);
  const namesake = model.fields.find(({ name }) => name === rename.to);
  if (namesake !== undefined && namesake !== field) renameField(lines, model, namesake);
  const line = schemaLine(lines, field.line);
  const mapping = `@map(${JSON.stringify(rename.to)})`;
  const attributes = parseAttributes(line);
  const mapAttribute = attributes.find(({ name }) => name === '@map');
  lines[field.line] =
    mapAttribute === undefined
      ? insertAfterType(line, mapping)
      : replaceAttribute(line, mapAttribute, mapping);
  return joinClauses(
    `ALTER TABLE ${quoteName(rename.table)}`,
    `RENAME COLUMN ${quoteName(rename.from)} TO ${quoteName(rename.to)};`,
  );
};

/**
 * Applies renames to a schema, in order. All other names of the database stay the same.
 *
 * @throws `migration/invalid-rename` if the old name does not exist or the new name is taken
 */
export function renameInSchema(
  schemaText: string,
  renames: readonly Rename[],
  dialect: NamingDialect,
): RenamedSchema {
  const lines = schemaText.split('\n');
  const sql = renames.map((rename) =>
    rename.kind === 'table' ? renameTable(lines, rename, dialect) : renameColumn(lines, rename, dialect),
  );
  return { text: lines.join('\n'), sql };
}
