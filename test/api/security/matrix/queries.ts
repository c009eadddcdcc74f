import { byCodePoint } from '../../../../src/lib/text.js';
import { isRecord } from '../../../../src/lib/records.js';
import type { Scenario } from './comparison.js';
import {
  isInScope,
  accessOutcome,
  matchesFilter,
  isAttributeAccessible,
  grantedRule,
  textOf,
} from './oracle.js';
import type { Outcome } from './oracle.js';

/** Paths from a story, some of them to attributes nobody may name. */
const PATHS = [
  'title',
  'body',
  'secret',
  'pin',
  'owner.username',
  'owner.email',
  'owner.password',
  'owner.note',
  'owner.resetPasswordToken',
  'owner.role.users.password',
  'shelf.name',
  'shelf.stories.body',
  'shelf.stories.secret',
  'vault.code',
  'card.label',
  'card.hush',
  'card.vault.code',
  'owner_document_id',
  'ownerDocumentId',
  'createdBy.email',
  'owner.roleDocumentId',
].map((path) => path.split('.'));

/** Callers without the permission are rejected whatever they name. */
const pathsFor = (access: Outcome): readonly (readonly string[])[] =>
  access === 'ok' ? PATHS : PATHS.slice(0, 4);

const NEEDLES = ['ann', 'bob', '-'];

/** `?filters[owner][username][$contains]=ann` */
const restFilter = (path: readonly string[], needle: string, isNegated: boolean): string =>
  `filters${isNegated ? '[$not]' : ''}${path.map((name) => `[${name}]`).join('')}[$contains]=${needle}`;

const graphqlFilter = (path: readonly string[], needle: string, isNegated: boolean): object => {
  const inner = path.reduceRight<object>((at, name) => ({ [name]: at }), { contains: needle });
  return isNegated ? { not: inner } : inner;
};

const titlesOf = (list: unknown): unknown =>
  Array.isArray(list)
    ? list.map((row) => (isRecord(row) ? textOf(row['documentId']) : '')).toSorted(byCodePoint)
    : list;

/** Filters by attributes that may be named find the right documents, and by others reveal nothing. */
const checkFiltering = async ({ fixture, caller, client, compare }: Scenario): Promise<void> => {
  const access = accessOutcome(caller, 'story', 'find');
  const rule = grantedRule(caller, 'story', 'find');
  const visible = [fixture.stories.ann, fixture.stories.bob].filter((doc) => isInScope(caller, rule, doc));
  for (const path of pathsFor(access)) {
    const isAccessible = isAttributeAccessible(caller, path, false);
    for (const needle of isAccessible ? NEEDLES : ['-']) {
      for (const isNegated of path.includes('stories') ? [false] : [false, true]) {
        const what = `${isNegated ? 'not ' : ''}${path.join('.')} ${needle}`;
        const expected = visible
          .filter((doc) => matchesFilter(caller, doc, path, { needle, isNegated }))
          .map(({ documentId }) => documentId)
          .toSorted(byCodePoint);
        const rest = await client.rest('GET', `/api/stories?${restFilter(path, needle, isNegated)}`);
        compare(`filter ${what}`, rest.outcome, access === 'ok' && !isAccessible ? 'invalid' : access);
        if (rest.outcome === 'ok' && isRecord(rest.body))
          compare(`found ${what}`, titlesOf(rest.body['data']), expected);
        const graphql = await client.graphql(
          `query($filters: StoryFiltersInput) {
        done: stories_connection(filters: $filters) { nodes { documentId } pageInfo { total } }
      }`,
          { filters: graphqlFilter(path, needle, isNegated) },
        );
        // Attributes that no input has are rejected before permissions are checked.
        compare(
          `graphql filter ${what}`,
          access === 'forbidden' && graphql.outcome === 'invalid' && !isAccessible ? access : graphql.outcome,
          access === 'ok' && !isAccessible ? 'invalid' : access,
        );
        const done =
          isRecord(graphql.body) && isRecord(graphql.body['data']) ? graphql.body['data']['done'] : null;
        if (graphql.outcome === 'ok' && isRecord(done))
          compare(
            `graphql found ${what}`,
            [titlesOf(done['nodes']), done['pageInfo']],
            [expected, { total: expected.length }],
          );
      }
    }
  }
};

const checkSorting = async ({ caller, client, compare }: Scenario): Promise<void> => {
  const access = accessOutcome(caller, 'story', 'find');
  for (const path of pathsFor(access)) {
    const expected = access === 'ok' && !isAttributeAccessible(caller, path, true) ? 'invalid' : access;
    compare(
      `sort ${path.join('.')}`,
      (await client.rest('GET', `/api/stories?sort=${path.join('.')}:desc`)).outcome,
      expected,
    );
    compare(
      `graphql sort ${path.join('.')}`,
      (
        await client.graphql('query($sort: [String]) { done: stories(sort: $sort) { documentId } }', {
          sort: [`${path.join('.')}:desc`],
        })
      ).outcome,
      expected,
    );
  }
};

/** The same below a relation, in the list of a shelf. */
const checkPopulated = async ({ fixture, caller, client, compare }: Scenario): Promise<void> => {
  const access = accessOutcome(caller, 'shelf', 'find');
  if (access !== 'ok' || grantedRule(caller, 'story', 'find') === null) return;
  const visible = [fixture.stories.ann, fixture.stories.bob].filter((doc) =>
    isInScope(caller, grantedRule(caller, 'story', 'find'), doc),
  );
  for (const path of PATHS) {
    const expected = isAttributeAccessible(caller, path, false) ? 'ok' : 'invalid';
    compare(
      `below filter ${path.join('.')}`,
      (
        await client.rest(
          'GET',
          `/api/shelves?populate[stories][${restFilter(path, '-', false).replace('filters', 'filters]')}`,
        )
      ).outcome,
      expected,
    );
    const listed = await client.graphql(
      `query($filters: StoryFiltersInput) {
        done: shelves {
          stories(filters: $filters) { documentId }
          stories_connection(filters: $filters) { nodes { documentId } }
        }
      }`,
      { filters: graphqlFilter(path, '-', false) },
    );
    compare(`graphql below filter ${path.join('.')}`, listed.outcome, expected);
    const sorted = isAttributeAccessible(caller, path, true) ? 'ok' : 'invalid';
    compare(
      `below sort ${path.join('.')}`,
      (await client.rest('GET', `/api/shelves?populate[stories][sort]=${path.join('.')}`)).outcome,
      sorted,
    );
    compare(
      `graphql below sort ${path.join('.')}`,
      (
        await client.graphql(
          'query($sort: [String]) { done: shelves { stories(sort: $sort) { documentId } } }',
          { sort: [path.join('.')] },
        )
      ).outcome,
      sorted,
    );
  }
  const counted = await client.rest('GET', '/api/shelves?populate[stories][count]=true');
  compare(
    'counted below',
    JSON.stringify(counted.body).includes(`"stories":{"count":${visible.length}}`),
    true,
  );
};

export async function checkQueries(scenario: Scenario): Promise<void> {
  await checkFiltering(scenario);
  await checkSorting(scenario);
  await checkPopulated(scenario);
}
