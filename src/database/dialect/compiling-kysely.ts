import { DummyDriver, Kysely } from 'kysely';
import type { DialectAdapter, QueryCompiler } from 'kysely';

interface KyselyFactories {
  readonly createAdapter: () => DialectAdapter;
  readonly createQueryCompiler: () => QueryCompiler;
}

/** Creates a Kysely that compiles expressions to SQL, and has no connection. */
export function createCompilingKysely({
  createAdapter,
  createQueryCompiler,
}: KyselyFactories): Kysely<Record<string, Record<string, unknown>>> {
  return new Kysely({
    dialect: {
      createAdapter,
      createQueryCompiler,
      createDriver: () => new DummyDriver(),
      createIntrospector: () => {
        throw new TypeError('This Kysely has no database to inspect');
      },
    },
  });
}
