import type { ContentModel } from '../../model/model.js';
import { printModelBlock } from './model-block.js';
import type { ModelBlock } from './model-block.js';
import { createSchemaContext } from './schema-context.js';
import type { SchemaContext } from './schema-context.js';
import type { PrismaSchemaSupport } from '../../database/dialect/prisma-schema-support.js';
import { documentBlock, linkBlocks, versionBlock } from './type-blocks.js';

export interface PrismaSchemaInput {
  readonly model: ContentModel;
  readonly support: PrismaSchemaSupport;
  /** The text of the package's prisma/base.prisma: the tables that belong to no content-type. */
  readonly base: string;
}

const header = (
  support: PrismaSchemaSupport,
): string => `// Written by "cms generate" from the content-types in src/. Changes made here are overwritten.

generator client {
  provider        = "prisma-client-js"
  output          = "../.galley/client"
  previewFeatures = ["partialIndexes"]
}

datasource db {
  provider = ${JSON.stringify(support.provider)}
}
`;

/** Adds this database's native type to the DateTime columns of the system tables, their only difference. */
const withNativeDateTimes = (base: string, support: PrismaSchemaSupport): string => {
  const { attribute } = support.columnType('datetime');
  if (attribute === null) return base;
  return base.replace(/^( {2}\w+ +DateTime\b.*)$/gm, `$1 ${attribute}`);
};

const withBackRelations = (context: SchemaContext, block: ModelBlock): ModelBlock => ({
  ...block,
  fields: [...block.fields, ...context.backRelationsOf(block.name)],
});

/**
 * Prints the project's prisma/schema.prisma: a Prisma 7 schema with a document model and a version model per
 * content-type, the link tables, and the system tables. It depends on the model alone.
 *
 * @example
 *   const base = await readFile('prisma/base.prisma', 'utf8');
 *   printPrismaSchema({ model, support: dialect.schema, base });
 */
export function printPrismaSchema({ model, support, base }: PrismaSchemaInput): string {
  const context = createSchemaContext(model, support);
  const blocks = model.types.flatMap((type) => [
    documentBlock(context, type),
    versionBlock(context, type),
    ...linkBlocks(context, type),
  ]);
  const printed = blocks.map((block) => printModelBlock(withBackRelations(context, block)));
  return (
    [header(support), ...printed, withNativeDateTimes(base.trimEnd(), support)].join('\n').trimEnd() + '\n'
  );
}
