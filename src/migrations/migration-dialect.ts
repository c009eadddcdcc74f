import type { Dialect } from '../dialects/dialect.js';
import type { MigrationSupport } from '../dialects/migration-support.js';

/** The part of a dialect that migrating needs. */
export type MigrationDialect = Pick<Dialect, 'name' | 'prismaProvider' | 'namesConstraints'> & { readonly migrations: MigrationSupport };
