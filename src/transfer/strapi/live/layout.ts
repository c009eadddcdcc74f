import { snakeCase } from '../../../lib/casing.js';
import type { SchemaRecord } from '../../source.js';
import { identifier } from './identifiers.js';

/** Names of the tables and columns in which Strapi 5 stores the content of a schema. */

export type Attribute = Readonly<Record<string, unknown>>;

const collectionOf = ({ collectionName, uid }: SchemaRecord): string =>
  collectionName ?? snakeCase(uid.replace(/^.*::/, ''));

/** For components the part after the dot. */
const singularOf = ({ modelName, uid }: SchemaRecord): string =>
  snakeCase(modelName ?? uid.replace(/^.*\./, ''));

export const tableOf = (schema: SchemaRecord): string => identifier([collectionOf(schema)]);

export const columnOf = (attribute: string): string => identifier([snakeCase(attribute)]);

/** The table that says which components a row has. */
export const componentTableOf = (schema: SchemaRecord): string =>
  identifier([collectionOf(schema)], { suffix: 'cmps' });

/** The column of a relation without a table of its own. */
export const joinColumnOf = (attribute: string): string =>
  identifier([snakeCase(attribute)], { suffix: 'id' });

export interface JoinTable {
  readonly table: string;
  readonly owner: string;
  readonly target: string;
  /** The place of the target in the owner's list. */
  readonly order: string;
  /** The place of the owner in the target's list. */
  readonly inverseOrder: string;
}

export function joinTableOf(
  schema: SchemaRecord,
  name: string,
  relation: string,
  target: SchemaRecord,
): JoinTable {
  const [own, other] = [singularOf(schema), singularOf(target)];
  const owner = identifier([own], { suffix: 'id' });
  const sameName = identifier([other], { suffix: 'id' });
  const order = identifier([other], { suffix: 'ord' });
  const inverse = identifier([own], { suffix: 'ord' });
  return {
    table: identifier([snakeCase(tableOf(schema)), snakeCase(name)], { suffix: 'lnk' }),
    owner,
    target: sameName === owner ? identifier([other], { prefix: 'inv', suffix: 'id' }) : sameName,
    order,
    inverseOrder:
      relation === 'manyToMany' && inverse === order
        ? identifier([own], { prefix: 'inv', suffix: 'ord' })
        : inverse,
  };
}

export interface MorphTable {
  readonly table: string;
  readonly owner: string;
  readonly target: string;
  readonly type: string;
}

export function morphTableOf(schema: SchemaRecord, name: string): MorphTable {
  const attribute = snakeCase(name);
  return {
    table: identifier([snakeCase(tableOf(schema)), attribute], { suffix: 'mph' }),
    owner: identifier([singularOf(schema)], { suffix: 'id' }),
    target: identifier([attribute], { suffix: 'id' }),
    type: identifier([attribute], { suffix: 'type' }),
  };
}
