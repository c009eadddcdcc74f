import type { ColumnKind } from '../../lib/stored-value.js';
import type { PrismaProvider } from '../prisma/provider.js';

/** Form of this database's columns and constraints in a Prisma schema. */
export interface PrismaSchemaSupport {
  /** The `provider` of the datasource. */
  readonly provider: PrismaProvider;
  /** True if primary and foreign keys have names here. Prisma rejects `map:` on them if they have none. */
  readonly namesConstraints: boolean;
  /** The type of a column: `{ type: 'Json', attribute: '@db.Json' }`. */
  readonly columnType: (kind: ColumnKind) => { readonly type: string; readonly attribute: string | null };
}
