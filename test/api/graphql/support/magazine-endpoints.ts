import { afterAll, afterEach, beforeAll } from 'vitest';
import { seedMagazine } from '../../../contract/sql/magazine.js';
import type { TestDatabaseKind } from '../../../support/databases.js';
import { createWorld } from '../../../support/world.js';
import type { World } from '../../../support/world.js';
import { createEndpoint } from './endpoint.js';
import type { Endpoint, EndpointOptions } from './endpoint.js';

export type StartEndpoint = (options?: Omit<EndpointOptions, 'world'>) => Promise<Endpoint>;

/** Starts endpoints over the seeded magazine, closed after each test. To be called where tests are described. */
export function magazineEndpoints(database: TestDatabaseKind): StartEndpoint {
  let world: World;
  const open: Endpoint[] = [];
  beforeAll(async () => {
    world = await createWorld({ model: 'magazine', database });
    await seedMagazine(world);
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((endpoint) => endpoint.close()));
  });
  afterAll(() => world.close());
  return async (options = {}) => {
    const endpoint = await createEndpoint({ world, ...options });
    open.push(endpoint);
    return endpoint;
  };
}
