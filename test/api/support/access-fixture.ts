import type { Access, AccessContext, Caller } from '../../../src/access/access.js';
import { bootstrapAccess } from '../../../src/access/bootstrap.js';
import { createAccess } from '../../../src/access/create-access.js';
import { createTestEnvironment } from '../../support/test-environment.js';
import type { TestEnvironment } from '../../support/test-environment.js';

export const TAG = 'api::tag.tag';
export const JWT_SECRET = 'k8Jq2vXw9ZpL4mNb7RtY6uHs3eDfGc1A';
export const ENGLISH = { code: 'en', name: 'English (en)' };

/** An access service over the bootstrapped database of the magazine. */
export interface AccessFixture {
  readonly testEnvironment: TestEnvironment;
  readonly context: AccessContext;
  /** Does not poll: it sees changes of the database after `refresh`. */
  readonly access: Access;
  /** Errors that the services of this fixture reported in the background. */
  readonly errors: readonly unknown[];
  /** Creates one more service over this context, or over one with another database. */
  readonly open: (pollInterval: number | null, context?: AccessContext) => Promise<Access>;
  /** Refreshes the service, then authenticates this bearer token. */
  readonly callerWith: (key: string) => Promise<Caller>;
  readonly can: (caller: Caller, uid: string, action: string) => boolean;
  readonly close: () => Promise<void>;
}

type TestDatabase = Parameters<typeof createTestEnvironment>[0]['database'];

export async function createAccessFixture(database: TestDatabase): Promise<AccessFixture> {
  const errors: unknown[] = [];
  const testEnvironment = await createTestEnvironment({ model: 'magazine', database });
  const ownContext = {
    database: testEnvironment.database,
    model: testEnvironment.model,
    salt: 'salt-for-tests',
  };
  await bootstrapAccess(ownContext, { locale: ENGLISH, grants: false });
  const open: AccessFixture['open'] = (pollInterval, context = ownContext) =>
    createAccess({
      context,
      jwtSecret: JWT_SECRET,
      defaultLocale: 'en',
      pollInterval,
      onError: (error) => errors.push(error),
    });
  const access = await open(null);
  return {
    testEnvironment,
    context: ownContext,
    access,
    errors,
    open,
    callerWith: async (key) => {
      await access.refresh();
      return access.authenticate(`Bearer ${key}`);
    },
    can: (caller, uid, action) => {
      try {
        access.authorise(caller, uid, action);
        return true;
      } catch {
        return false;
      }
    },
    close: async () => {
      await access.close();
      await testEnvironment.close();
    },
  };
}
