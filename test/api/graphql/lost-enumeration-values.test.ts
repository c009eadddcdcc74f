import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../../support/databases.js';
import { modelFrom } from '../../support/models.js';
import { createTestEnvironment } from '../../support/test-environment.js';
import type { TestEnvironment } from '../../support/test-environment.js';
import { createEndpoint } from './support/endpoint.js';
import type { Endpoint } from './support/endpoint.js';

const project = (...colours: readonly string[]) => {
  const colour = { type: 'enumeration', enum: colours };
  return {
    types: {
      article: {
        attributes: {
          title: { type: 'string' },
          colour,
          must: { ...colour, required: true },
          badge: { type: 'component', component: 'shared.badge' },
        },
      },
    },
    components: { 'shared.badge': { attributes: { colour } } },
  };
};

describe.each(databases)('values outside of their enumeration over GraphQL on $name', (database) => {
  let testEnvironment: TestEnvironment;
  let endpoint: Endpoint;

  beforeAll(async () => {
    testEnvironment = await createTestEnvironment({ model: project('red', 'deep blue'), database });
    const before = await createEndpoint({ testEnvironment });
    for (const colour of ['red', 'deep_blue']) {
      const { body } = await before.ask(
        `mutation { createArticle(data: {
          title: "${colour}", colour: ${colour}, must: ${colour}, badge: { colour: ${colour} }
        }) { title } }`,
      );
      if (body.errors !== undefined) throw new Error(JSON.stringify(body.errors));
    }
    await before.close();
    const model = modelFrom(project('red'));
    endpoint = await createEndpoint({ testEnvironment: { ...testEnvironment, model } });
  });
  afterAll(async () => {
    await endpoint.close();
    await testEnvironment.close();
  });

  it('returns them as null, and all other fields unchanged', async () => {
    const { body } = await endpoint.ask(
      '{ articles_connection(sort: "id") { nodes { title colour badge { colour } } } }',
    );
    expect(body.errors).toBeUndefined();
    expect(body.data).toEqual({
      articles_connection: {
        nodes: [
          { title: 'red', colour: 'red', badge: { colour: 'red' } },
          { title: 'deep_blue', colour: null, badge: { colour: null } },
        ],
      },
    });
  });

  it('returns required ones as their names', async () => {
    const { body } = await endpoint.ask('{ articles_connection(sort: "id") { nodes { title must } } }');
    expect(body.errors).toBeUndefined();
    expect(body.data).toEqual({
      articles_connection: {
        nodes: [
          { title: 'red', must: 'red' },
          { title: 'deep_blue', must: 'deep_blue' },
        ],
      },
    });
  });
});
