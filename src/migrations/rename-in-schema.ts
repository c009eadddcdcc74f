import { fail } from '../errors/catalogue.js';
import type { MigrationDialect } from './migration-dialect.js';
import { quoteName } from './quote-name.js';
import { hasMapArgument, parseAttributes, parseBlocks, readFieldList, readMappedName, replaceAttribute } from './schema-text.js';
import type { Attribute, Block } from './schema-text.js';

/** Names are those of the database: what `@@map` and `@map` say. */
export interface TableRename {
  readonly kind: 'table';
  readonly from: string;
  readonly to: string;
}

/** `table` is the table's name after the renames that come before this one. */
export interface ColumnRename {
  readonly kind: 'column';
  readonly table: string;
  readonly from: string;
  readonly to: string;
}

export type Rename = TableRename | ColumnRename;

export interface RenamedSchema {
  readonly text: string;
  /** The statements that bring the database from the old text to the new one, constraint names excepted. */
  readonly sql: readonly string[];
}

type NamingDialect = Pick<MigrationDialect, 'namesConstraints' | 'migrations'>;

interface Field {
  readonly line: number;
  readonly name: string;
  readonly column: string;
  readonly attributes: readonly Attribute[];
}

/** A model whose table is renamed, or whose column is. */
interface Model {
  readonly block: Block;
  readonly table: string;
  readonly fields: readonly Field[];
}

const FIELD = /^\s*([A-Za-z]\w*)\s+(\w+)/;

const readModels = (lines: readonly string[]): readonly Model[] => {
  const blocks = parseBlocks(lines).filter(({ keyword }) => keyword === 'model');
  const modelNames = new Set(blocks.map(({ name }) => name));
  return blocks.map((block): Model => {
    const inside = lines.slice(block.start + 1, block.end).map((line, index) => ({ line: block.start + 1 + index, text: line, attributes: parseAttributes(line) }));
    const mapped = inside.flatMap(({ attributes }) => attributes.filter(({ name }) => name === '@@map'));
    const fields = inside.flatMap(({ line, text, attributes }): readonly Field[] => {
      const [, name, type] = FIELD.exec(text) ?? [];
      if (name === undefined || type === undefined) return [];
      const column = modelNames.has(type) ? '' : (readMappedName(attributes.find((attribute) => attribute.name === '@map')) ?? name);
      return [{ line, name, column, attributes }];
    });
    return { block, table: readMappedName(mapped[0]) ?? block.name, fields };
  });
};

const SUFFIXES: Readonly<Record<string, string>> = { '@unique': '_key', '@@unique': '_key', '@@index': '_idx', '@id': '_pkey', '@@id': '_pkey', '@relation': '_fkey' };
/** Keys that have no name of their own on some databases. */
const KEYS: ReadonlySet<string> = new Set(['@id', '@@id', '@relation']);

const cutToBytes = (text: string, bytes: number): string => {
  let cut = text;
  while (Buffer.byteLength(cut) > bytes) cut = [...cut].slice(0, -1).join('');
  return cut;
};

/** The name Prisma gives a constraint that has none in the schema. */
const defaultName = (parts: readonly string[], suffix: string, maxBytes: number): string => cutToBytes(parts.join('_'), maxBytes - suffix.length) + suffix;

const columnsOf = (attribute: Attribute, field: Field | undefined, model: Model): readonly string[] => {
  if (attribute.name === '@id' || attribute.name === '@@id') return [];
  if (attribute.name === '@unique') return field === undefined ? [] : [field.column];
  return readFieldList(attribute).map((name) => model.fields.find((candidate) => candidate.name === name)?.column ?? name);
};

/**
 * Renaming a column leaves its indexes and constraints under their old names, which Prisma derives from the column's. Writing those names
 * down makes the schema engine see the difference and rename them too.
 */
const pinNames = (lines: string[], model: Model, { namesConstraints, migrations }: NamingDialect): void => {
  for (let index = model.block.start + 1; index < model.block.end; index++) {
    const field = model.fields.find(({ line }) => line === index);
    const attribute = parseAttributes(lines[index] ?? '').find((candidate) => {
      if (SUFFIXES[candidate.name] === undefined || hasMapArgument(candidate)) return false;
      if (candidate.name === '@relation' && !/\bfields\s*:/.test(candidate.args ?? '')) return false;
      return namesConstraints || !KEYS.has(candidate.name);
    });
    if (attribute === undefined) continue;
    const name = defaultName([model.table, ...columnsOf(attribute, field, model)], SUFFIXES[attribute.name] ?? '', migrations.maxNameBytes);
    const args = [...(attribute.args === null || attribute.args.trim() === '' ? [] : [attribute.args]), `map: ${JSON.stringify(name)}`];
    lines[index] = replaceAttribute(lines[index] ?? '', attribute, `${attribute.name}(${args.join(', ')})`);
  }
};

const describe = (rename: Rename, name: string): string => (rename.kind === 'table' ? name : `${rename.table}.${name}`);

const refuse = (rename: Rename, reason: string) => fail('migration/invalid-rename', { from: describe(rename, rename.from), to: describe(rename, rename.to), reason });

const renameTable = (lines: string[], rename: TableRename, dialect: NamingDialect): string => {
  const models = readModels(lines);
  const model = models.find(({ table }) => table === rename.from);
  if (model === undefined) throw refuse(rename, `there is no table ${rename.from}`);
  if (models.some(({ table }) => table === rename.to)) throw refuse(rename, `there is a table ${rename.to} already`);
  pinNames(lines, model, dialect);
  const mapping = `@@map(${JSON.stringify(rename.to)})`;
  const mapped = lines.findIndex((line, index) => index > model.block.start && index < model.block.end && parseAttributes(line)[0]?.name === '@@map');
  const attribute = mapped === -1 ? undefined : parseAttributes(lines[mapped] ?? '')[0];
  if (attribute === undefined) lines.splice(model.block.end, 0, `  ${mapping}`);
  else lines[mapped] = replaceAttribute(lines[mapped] ?? '', attribute, mapping);
  return `ALTER TABLE ${quoteName(rename.from)} RENAME TO ${quoteName(rename.to)};`;
};

const renameColumn = (lines: string[], rename: ColumnRename, dialect: NamingDialect): string => {
  const model = readModels(lines).find(({ table }) => table === rename.table);
  if (model === undefined) throw refuse(rename, `there is no table ${rename.table}`);
  const field = model.fields.find(({ column }) => column === rename.from);
  if (field === undefined) throw refuse(rename, `${rename.table} has no column ${rename.from}`);
  if (model.fields.some(({ column }) => column === rename.to)) throw refuse(rename, `${rename.table} has a column ${rename.to} already`);
  pinNames(lines, model, dialect);
  const line = lines[field.line] ?? '';
  const mapping = `@map(${JSON.stringify(rename.to)})`;
  const attributes = parseAttributes(line);
  const mapped = attributes.find(({ name }) => name === '@map');
  const [, name = '', type = ''] = FIELD.exec(line) ?? [];
  const afterType = line.indexOf(type, line.indexOf(name) + name.length) + type.length;
  const modifier = /^(\[\]|\?)?/.exec(line.slice(afterType))?.[0].length ?? 0;
  const insertAt = afterType + modifier;
  lines[field.line] = mapped === undefined ? `${line.slice(0, insertAt)} ${mapping}${line.slice(insertAt)}` : replaceAttribute(line, mapped, mapping);
  return `ALTER TABLE ${quoteName(rename.table)} RENAME COLUMN ${quoteName(rename.from)} TO ${quoteName(rename.to)};`;
};

/**
 * The schema as it is after the renames, in order, with every other name left as it is in the database.
 *
 * @throws `migration/invalid-rename` where what is renamed is not there, or the new name is taken.
 */
export function renameInSchema(schemaText: string, renames: readonly Rename[], dialect: NamingDialect): RenamedSchema {
  const lines = schemaText.split('\n');
  const sql = renames.map((rename) => (rename.kind === 'table' ? renameTable(lines, rename, dialect) : renameColumn(lines, rename, dialect)));
  return { text: lines.join('\n'), sql };
}
