import { describe, expect, it } from 'vitest';
import type { ProjectGraphql } from '../../../../src/project/open/graphql-extension.js';
import type { ResolverConfig, WithApplication } from '../../../../src/api/graphql/extension/configuration.js';
import { databases } from '../../../support/databases.js';
import { ask, extendedEndpoints, forbidden, policyFailed } from './support.js';

describe.each(databases)('resolversConfig.policies on $name', (database) => {
  const { start, configured } = extendedEndpoints(database);

  const register = ({ policies }: Pick<ProjectGraphql, 'policies'>): void => {
    policies.set(
      'global::yes',
      (_context: unknown, config: Readonly<Record<string, unknown>>) => config['answer'] ?? true,
    );
    policies.set('no', () => false);
    policies.set('api::tag.silent', () => undefined);
    policies.set('global::object', { handler: () => true });
    policies.set(
      'global::app',
      (_context: unknown, _config: unknown, { strapi, app }: WithApplication) =>
        strapi === app && typeof strapi.documents === 'function',
    );
  };
  const rows: readonly (readonly [string, NonNullable<ResolverConfig['policies']>, boolean])[] = [
    ['a function that returns true', [() => true], true],
    ['a function that returns false', [() => false], false],
    ['a function that returns nothing', [() => undefined], false],
    ['a function that returns 0', [() => 0], false],
    ['a function that resolves to false', [async () => false], false],
    ['a name with ::', ['global::yes'], true],
    ['a plain name', ['no'], false],
    ['the name of a policy of an API', ['api::tag.silent'], false],
    ['a name without prefix that one API has', ['silent'], false],
    ['a name with a config', [{ name: 'yes', config: { answer: false } }], false],
    ['a name with another config', [{ name: 'yes', config: { answer: 'yes' } }], true],
    ['an object with a handler', ['object'], true],
    ['several that all return true', [() => true, 'yes'], true],
    ['several of which the last returns false', [() => true, 'yes', 'no'], false],
    ['the application, inline', [(_context, { strapi }) => typeof strapi.documents === 'function'], true],
    ['the application, registered', ['app'], true],
    [
      'the context',
      [
        (context) =>
          context.type === 'graphql' &&
          context.is('graphql') &&
          context.info.parentType.name === 'Query' &&
          context.info.fieldName === 'tags' &&
          context.context.state === context.state &&
          context.http.request.method === 'POST' &&
          context.http.get('Authorization') === 'full' &&
          context.state.auth.strategy.name === 'api-token' &&
          JSON.stringify(context.args['filters']) === '{"name":{"eq":"alpha"}}',
      ],
      true,
    ],
  ];
  it.each(rows)('%s', async (_name, policies, isAllowed) => {
    const endpoint = await start((graphql) => {
      register(graphql);
      graphql.service.use({ resolversConfig: { 'Query.tags': { policies } } });
    });
    const { data, errors } = await ask(
      endpoint,
      'query ($name: String) { tags(filters: { name: { eq: $name } }) { name } }',
      'full',
      { name: 'alpha' },
    );
    expect([data, errors]).toEqual(
      isAllowed ? [{ tags: [{ name: 'alpha' }] }, []] : [null, [policyFailed('tags')]],
    );
  });

  it('run after the check of permissions and before a mutation writes', async () => {
    const endpoint = await configured({ 'Mutation.createTag': { policies: [() => false] } });
    expect((await ask(endpoint, 'mutation { createTag(data: { name: "x" }) { name } }')).errors).toEqual([
      policyFailed('createTag'),
    ]);
    expect(
      (await ask(endpoint, 'mutation { createTag(data: { name: "x" }) { name } }', 'none')).errors,
    ).toEqual([forbidden('createTag')]);
    expect((await ask(endpoint, '{ tags(filters: { name: { eq: "x" } }) { name } }')).data).toEqual({
      tags: [],
    });
  });

  it('get the record of a nested field', async () => {
    const endpoint = await configured({
      'Tag.label': { policies: [({ parent }) => (parent as { weight: number }).weight > 1] },
    });
    const { data, errors } = await ask(endpoint, '{ tags(pagination: { limit: 3 }) { label } }');
    expect([data, errors]).toEqual([
      { tags: [{ label: null }, { label: null }, { label: 'GAMMA' }] },
      [policyFailed('tags.0.label'), policyFailed('tags.1.label')],
    ]);
  });

  it('that throw are masked, unless their error is a public one', async () => {
    const policyError = Object.assign(new Error('Only on Sundays'), { name: 'PolicyError' });
    const endpoint = await configured({
      'Query.tags': {
        policies: [
          () => {
            throw policyError;
          },
        ],
      },
      'Query.authors': {
        policies: [
          () => {
            throw new Error('secret');
          },
        ],
      },
    });
    expect((await ask(endpoint, '{ tags { name } }')).errors).toEqual([
      ['tags', 'Only on Sundays', 'PolicyError'],
    ]);
    expect((await ask(endpoint, '{ authors { name } }')).errors).toEqual([
      ['authors', 'Internal Server Error', 'InternalServerError'],
    ]);
  });
});
