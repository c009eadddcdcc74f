import { fail } from '../errors/catalogue.js';
import { deepFreeze } from '../lib/freeze.js';

/** What Prisma's parser says about a schema: the part of its answer that is read here. Everything is named as in Prisma's own DMMF. */
export interface Datamodel {
  readonly models: readonly DatamodelModel[];
  readonly enums: readonly DatamodelEnum[];
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

export interface DatamodelEnum {
  readonly name: string;
  readonly dbName: string | null;
  readonly values: readonly { readonly name: string; readonly dbName: string | null }[];
}

const readReason = (error: unknown): string => {
  const text = error instanceof Error ? error.message : String(error);
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null && 'message' in parsed) return String(parsed.message);
  } catch {
    // Not the parser's own report but a plain message.
  }
  return text;
};

/** A change to a schema has the same text read several times: to plan from it, to plan towards it, to make the client. */
const REMEMBERED = 4;
const remembered = new Map<string, Datamodel>();

const remember = (schemaText: string, datamodel: Datamodel): Datamodel => {
  const [oldest] = remembered.keys();
  if (remembered.size >= REMEMBERED && oldest !== undefined) remembered.delete(oldest);
  remembered.set(schemaText, datamodel);
  return datamodel;
};

/**
 * Reads a schema text with Prisma's own parser, without the query API that `getDMMF` adds (which takes ten times as long).
 *
 * @throws `migration/invalid-schema` where the text is not a valid Prisma schema.
 */
export async function parseDatamodel(schemaText: string): Promise<Datamodel> {
  const known = remembered.get(schemaText);
  if (known !== undefined) return known;
  const { get_datamodel: getDatamodel } = await import('@prisma/prisma-schema-wasm');
  try {
    // The shape is Prisma's, whose version is pinned.
    return remember(schemaText, deepFreeze(JSON.parse(getDatamodel(JSON.stringify({ prismaSchema: schemaText, noColor: true }))) as Datamodel));
  } catch (error) {
    throw fail('migration/invalid-schema', { reason: readReason(error) }, { cause: error });
  }
}
