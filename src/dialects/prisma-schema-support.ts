import type { ColumnKind } from '../lib/stored-value.js';
import type { PrismaProvider } from '../prisma/provider.js';

/** How columns and constraints of this database are written in a Prisma schema. */
export interface PrismaSchemaSupport {
  /** The `provider` of the datasource. */
  readonly provider: PrismaProvider;
  /** Whether primary and foreign keys have names here. Prisma refuses `map:` on them where they have none. */
  readonly namesConstraints: boolean;
  /** The type of a column: `{ type: 'Json', attribute: '@db.Json' }`. */
  readonly columnType: (kind: ColumnKind) => { readonly type: string; readonly attribute: string | null };
}
