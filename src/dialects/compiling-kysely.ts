import { DummyDriver, Kysely } from 'kysely';
import type { DialectAdapter, QueryCompiler } from 'kysely';

interface Parts {
  readonly createAdapter: () => DialectAdapter;
  readonly createQueryCompiler: () => QueryCompiler;
}

/** A Kysely that turns expressions into SQL and has no connection to run it on. */
export function createCompilingKysely({ createAdapter, createQueryCompiler }: Parts): Kysely<Record<string, Record<string, unknown>>> {
  return new Kysely({
    dialect: {
      createAdapter,
      createQueryCompiler,
      createDriver: () => new DummyDriver(),
      createIntrospector: () => {
        throw new TypeError('This Kysely has no database to look into');
      },
    },
  });
}
