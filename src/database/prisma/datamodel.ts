/**
 * Reaches below Prisma's API: calls `get_datamodel` of `@prisma/prisma-schema-wasm`. Needed because
 * `getDMMF`, the documented way, also describes the query API, which takes ten times as long.
 */
import { LRUCache } from 'lru-cache';
import { createError } from '../../errors/catalogue.js';
import { deepFreeze } from '../../lib/records.js';

/** A parsed Prisma schema: the part of Prisma's DMMF that is read here, under the names of the DMMF. */
export interface Datamodel {
  readonly models: readonly DatamodelModel[];
  readonly enums: readonly DatamodelEnum[];
  /** All indexes. Unique ones with a condition are listed here alone. */
  readonly indexes: readonly DatamodelIndex[];
}

interface DatamodelIndex {
  readonly model: string;
  readonly type: 'id' | 'normal' | 'unique' | 'fulltext';
  readonly fields: readonly { readonly name: string }[];
}

export interface DatamodelModel {
  readonly name: string;
  readonly dbName: string | null;
  readonly schema: string | null;
  readonly fields: readonly DatamodelField[];
  readonly primaryKey: { readonly fields: readonly string[] } | null;
  readonly uniqueFields: readonly (readonly string[])[];
}

export interface DatamodelField {
  readonly name: string;
  readonly dbName?: string | null;
  readonly kind: 'scalar' | 'object' | 'enum' | 'unsupported';
  readonly type: string;
  readonly nativeType?: readonly [name: string, parameters: readonly string[]] | null;
  readonly isList: boolean;
  readonly isRequired: boolean;
  readonly isUnique: boolean;
  readonly isId: boolean;
  readonly default?: unknown;
  readonly relationName?: string;
  readonly relationFromFields?: readonly string[];
  readonly relationToFields?: readonly string[];
}

interface DatamodelEnum {
  readonly name: string;
  readonly dbName: string | null;
  readonly values: readonly { readonly name: string; readonly dbName: string | null }[];
}

const parseReason = (error: unknown): string => {
  const text = error instanceof Error ? error.message : String(error);
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null && 'message' in parsed) return String(parsed.message);
  } catch {
    // A plain message instead of the parser's JSON report.
  }
  return text;
};

/** After a change the same text is parsed several times: to plan the migration and to create the client. */
const cache = new LRUCache<string, Datamodel>({ max: 4 });

/**
 * Parses a Prisma schema.
 *
 * @throws `migration/invalid-schema` where the text is not a valid Prisma schema
 */
export async function parseDatamodel(schemaText: string): Promise<Datamodel> {
  const cached = cache.get(schemaText);
  if (cached !== undefined) return cached;
  const { get_datamodel: getDatamodel } = await import('@prisma/prisma-schema-wasm');
  try {
    const text = getDatamodel(JSON.stringify({ prismaSchema: schemaText, noColor: true }));
    // The version of Prisma is pinned, and a test asserts this shape.
    const datamodel = deepFreeze(JSON.parse(text) as Datamodel);
    cache.set(schemaText, datamodel);
    return datamodel;
  } catch (error) {
    throw createError('migration/invalid-schema', { reason: parseReason(error) }, { cause: error });
  }
}
