import { isDeepStrictEqual } from 'node:util';
import { isRecord } from '../../lib/records.js';
import { memoizeWeakly } from '../../lib/collections.js';
import { parseDatamodel } from '../../database/prisma/datamodel.js';
import type { Datamodel, DatamodelField, DatamodelModel } from '../../database/prisma/datamodel.js';

/*
 * Parses a Prisma schema into the tables of the database. schema-text works on the lines of a schema, and
 * renames applies renames to it.
 */

export interface Column {
  readonly name: string;
  /** Prisma's scalar type, or `enum Name`. */
  readonly type: string;
  /** The native type that the schema sets: `VarChar(10)`. Null if it sets none. */
  readonly nativeType: string | null;
  readonly isList: boolean;
  readonly isRequired: boolean;
  /** True if the database itself has a default for the column. */
  readonly hasDatabaseDefault: boolean;
  /** The values of an enumeration, as stored. Null for other types. */
  readonly values: readonly string[] | null;
}

interface Reference {
  readonly columns: readonly string[];
  readonly target: string;
  readonly targetColumns: readonly string[];
}

/** A table. All names are those of the database, as `@map` and `@@map` declare them. */
export interface Table {
  readonly name: string;
  readonly columns: ReadonlyMap<string, Column>;
  /** The columns of the primary key, then those of each unique constraint. */
  readonly uniques: readonly (readonly string[])[];
  /** The columns of each unique constraint that applies to published versions only. */
  readonly publishedUniques: readonly (readonly string[])[];
  readonly references: readonly Reference[];
}

export type Tables = ReadonlyMap<string, Table>;

const columnName = (field: DatamodelField): string => field.dbName ?? field.name;
const tableName = (model: DatamodelModel): string => model.dbName ?? model.name;

/** Defaults that Prisma Client computes, and the database does not have. */
const CLIENT_DEFAULTS: ReadonlySet<unknown> = new Set(['cuid', 'uuid', 'ulid', 'nanoid', 'auto']);

const hasDatabaseDefault = ({ default: value }: DatamodelField): boolean =>
  value !== undefined && value !== null && !(isRecord(value) && CLIENT_DEFAULTS.has(value['name']));

const readNativeType = ({ nativeType }: DatamodelField): string | null => {
  if (nativeType === undefined || nativeType === null) return null;
  const [name, parameters] = nativeType;
  return parameters.length === 0 ? name : `${name}(${parameters.join(', ')})`;
};

const readColumn = (field: DatamodelField, { enums }: Datamodel): Column => ({
  name: columnName(field),
  type: field.kind === 'enum' ? `enum ${field.type}` : field.type,
  nativeType: readNativeType(field),
  isList: field.isList,
  isRequired: field.isRequired,
  hasDatabaseDefault: hasDatabaseDefault(field),
  values:
    field.kind === 'enum'
      ? (enums.find(({ name }) => name === field.type)?.values.map((value) => value.dbName ?? value.name) ??
        [])
      : null,
});

const readUniques = (model: DatamodelModel, columnOf: (field: string) => string): (readonly string[])[] => {
  const singleColumns = (matches: (field: DatamodelField) => boolean): (readonly string[])[] =>
    model.fields.filter(matches).map((field) => [columnName(field)]);
  const primary =
    model.primaryKey === null ? singleColumns(({ isId }) => isId) : [model.primaryKey.fields.map(columnOf)];
  return [
    ...primary,
    ...singleColumns(({ isUnique }) => isUnique),
    ...model.uniqueFields.map((fields) => fields.map(columnOf)),
  ];
};

const readPublishedUniques = (
  model: DatamodelModel,
  { indexes }: Datamodel,
  columnOf: (field: string) => string,
): (readonly string[])[] => {
  const unconditional = [
    ...model.fields.filter(({ isUnique }) => isUnique).map(({ name }) => [name]),
    ...model.uniqueFields,
  ];
  return indexes
    .filter(({ model: name, type }) => name === model.name && type === 'unique')
    .map(({ fields }) => fields.map(({ name }) => name))
    .filter((fields) => !unconditional.some((unique) => isDeepStrictEqual(unique, fields)))
    .map((fields) => fields.map(columnOf));
};

const readTable = (model: DatamodelModel, datamodel: Datamodel): Table => {
  const columnNameIn =
    (owner: DatamodelModel | undefined) =>
    (name: string): string => {
      const field = owner?.fields.find((candidate) => candidate.name === name);
      return field === undefined ? name : columnName(field);
    };
  const columnOf = columnNameIn(model);
  const references = model.fields.flatMap((field): readonly Reference[] => {
    if (field.relationFromFields === undefined || field.relationFromFields.length === 0) return [];
    const target = datamodel.models.find(({ name }) => name === field.type);
    return [
      {
        columns: field.relationFromFields.map(columnOf),
        target: target === undefined ? field.type : tableName(target),
        targetColumns: (field.relationToFields ?? []).map(columnNameIn(target)),
      },
    ];
  });
  const columns = model.fields
    .filter(({ kind }) => kind !== 'object')
    .map((field) => readColumn(field, datamodel));
  return {
    name: tableName(model),
    columns: new Map(columns.map((column) => [column.name, column])),
    uniques: readUniques(model, columnOf),
    publishedUniques: readPublishedUniques(model, datamodel, columnOf),
    references,
  };
};

/** Returns the tables `_NameOfRelation` (columns A and B) that Prisma creates if both sides are lists. */
const readImplicitTables = ({ models }: Datamodel): readonly Table[] => {
  const sides = models.flatMap((model) =>
    model.fields.flatMap((field) =>
      field.kind === 'object' && field.isList && field.relationName !== undefined
        ? [{ model, field, name: field.relationName }]
        : [],
    ),
  );
  const names = new Set(
    sides
      .filter(({ name }, index) => sides.findIndex((side) => side.name === name) !== index)
      .map(({ name }) => name),
  );
  const column = (name: string): [string, Column] => [
    name,
    {
      name,
      type: 'key',
      nativeType: null,
      isList: false,
      isRequired: true,
      hasDatabaseDefault: false,
      values: null,
    },
  ];
  return [...names].map((name) => ({
    name: `_${name}`,
    columns: new Map([column('A'), column('B')]),
    uniques: [['A', 'B']],
    publishedUniques: [],
    references: [],
  }));
};

const tablesOfDatamodel = memoizeWeakly((datamodel: Datamodel): Tables => {
  const tables = [
    ...datamodel.models.map((model) => readTable(model, datamodel)),
    ...readImplicitTables(datamodel),
  ];
  return new Map(tables.map((table) => [table.name, table]));
});

/**
 * Parses the tables of a schema.
 *
 * @throws `migration/invalid-schema`
 */
export async function parseTables(schemaText: string): Promise<Tables> {
  return tablesOfDatamodel(await parseDatamodel(schemaText));
}
