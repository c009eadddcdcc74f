import type { ContentModel } from '../model/model.js';
import { printModelBlock } from './model-block.js';
import type { ModelBlock } from './model-block.js';
import { createSchemaContext } from './schema-context.js';
import type { SchemaContext, SchemaDialect } from './schema-context.js';
import { anchorBlock, linkBlocks, versionBlock } from './type-blocks.js';

export interface PrismaSchemaParts {
  readonly model: ContentModel;
  readonly dialect: SchemaDialect;
  /** Text of the package's prisma/base.prisma: the tables that belong to no content-type. */
  readonly base: string;
}

const header = (dialect: SchemaDialect): string => `// Written by "cms generate" from the content-types in src/. Changes made here are overwritten.

generator client {
  provider = "prisma-client-js"
  output   = "../.galley/client"
}

datasource db {
  provider = ${JSON.stringify(dialect.prismaProvider)}
}
`;

/** The system tables with this database's own type for points in time; everything else in them is the same everywhere. */
const nativeBase = (base: string, dialect: SchemaDialect): string => {
  const { attribute } = dialect.prismaType('datetime');
  if (attribute === null) return base;
  return base.replace(/^( {2}\w+ +DateTime\b.*)$/gm, `$1 ${attribute}`);
};

const withBackFields = (context: SchemaContext, block: ModelBlock): ModelBlock => ({
  ...block,
  fields: [...block.fields, ...context.takeBack(block.name)],
});

/**
 * The project's prisma/schema.prisma: an ordinary Prisma 7 schema with an anchor and a version model per content-type, the link tables,
 * and the system tables. The same model gives the same bytes.
 *
 * @example printPrismaSchema({ model, dialect: sqlite, base: await readFile('prisma/base.prisma', 'utf8') })
 */
export function printPrismaSchema({ model, dialect, base }: PrismaSchemaParts): string {
  const context = createSchemaContext(model, dialect);
  const blocks = model.types.flatMap((type) => [anchorBlock(context, type), versionBlock(context, type), ...linkBlocks(context, type)]);
  const printed = blocks.map((block) => printModelBlock(withBackFields(context, block)));
  return [header(dialect), ...printed, nativeBase(base.trimEnd(), dialect)].join('\n').trimEnd() + '\n';
}
