import { afterAll, afterEach, beforeAll } from 'vitest';
import { seedMagazine } from '../../../contract/query/compile/magazine.js';
import type { TestDatabaseKind } from '../../../support/databases.js';
import { createTestEnvironment } from '../../../support/test-environment.js';
import type { TestEnvironment } from '../../../support/test-environment.js';
import { createEndpoint } from './endpoint.js';
import type { Endpoint, EndpointOptions } from './endpoint.js';

export type StartEndpoint = (options?: Omit<EndpointOptions, 'testEnvironment'>) => Promise<Endpoint>;

/**
 * Returns a function that starts endpoints over the seeded magazine. They are closed after each test. Call it
 * inside `describe`.
 */
export function magazineEndpoints(database: TestDatabaseKind): StartEndpoint {
  let testEnvironment: TestEnvironment;
  const open: Endpoint[] = [];
  beforeAll(async () => {
    testEnvironment = await createTestEnvironment({ model: 'magazine', database });
    await seedMagazine(testEnvironment);
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((endpoint) => endpoint.close()));
  });
  afterAll(() => testEnvironment.close());
  return async (options = {}) => {
    const endpoint = await createEndpoint({ testEnvironment, ...options });
    open.push(endpoint);
    return endpoint;
  };
}
